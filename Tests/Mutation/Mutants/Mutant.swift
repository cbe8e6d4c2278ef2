internal import Foundation
internal import Synchronization

/// The mutation that this process makes; at first the one that the variable `MUTATION` names.
///
/// `scripts/mutate.py` writes the calls of ``isMade(_:)`` into a copy of the sources. The mutation holds for the whole
/// process, because servers and databases run tasks of their own.
public enum Mutant {
    private static let made = Mutex(ProcessInfo.processInfo.environment["MUTATION"])

    /// The name of the mutation, such as `gate.timedLockout`; nil for none.
    public static var name: String? { made.withLock(\.self) }

    /// Makes a mutation from now on; nil ends it.
    public static func make(_ name: String?) { made.withLock { $0 = name } }

    /// Whether a mutation is made.
    public static func isMade(_ name: String) -> Bool { self.name.map { $0 == name } ?? false }

    /// Whether the mutation of one member of a family is made, such as `verifier.ignores:` of a reason's label.
    public static func isMade(_ family: String, _ member: @autoclosure () -> String) -> Bool {
        guard let name, name.hasPrefix(family) else { return false }
        return name.dropFirst(family.count) == member()
    }
}
