internal import Glibc

/// Behaviours that a mutation run switches off one at a time, to prove that a scenario or a test notices.
///
/// A room declares its own as an enum. `TOUCHSTONE_MUTATION=ROOM.NAME` switches one off in a debug build; a release build
/// has no switch.
package protocol Mutation: CaseIterable, RawRepresentable<String>, Sendable {
    /// The part of ``identifier`` before the dot.
    static var room: String { get }
}

extension Mutation {
    /// The name of the mutation in `TOUCHSTONE_MUTATION`, such as `gate.failureCount`.
    package var identifier: String { "\(Self.room).\(rawValue)" }

    /// Whether this behaviour is switched off.
    #if DEBUG
        package var isActive: Bool { ActiveMutation.identifier.map { $0 == identifier } ?? false }
    #else
        @inlinable package var isActive: Bool { false }
    #endif
}

#if DEBUG
    /// The mutation of this process.
    package enum ActiveMutation {
        /// The environment variable that names it.
        package static let variable = "TOUCHSTONE_MUTATION"

        /// Its identifier; nil for none.
        ///
        /// It is read once, so that a process behaves the same way to its end.
        package static let identifier = getenv(variable).map { String(cString: $0) }
    }
#endif
