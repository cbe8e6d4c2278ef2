public import Causes
internal import DeviceActs
public import Foundation
internal import PlatformErrors

/// The error of a call that a phone refuses.
///
/// The phone's state stays the same, except for the attempts that it counts, such as a wrong passcode at the lock
/// screen.
public struct PhoneRefusal: LocalizedError, Hashable, Sendable, CustomStringConvertible {
    /// The cause, such as `deviceLocked`; nil for an invalid call, such as one with an unknown name, and for an act
    /// without an effect.
    public let cause: Cause?
    /// A sentence with the reason and, for an invalid call, the remedy.
    public let sentence: String

    init(cause: Cause? = nil, _ sentence: String) { (self.cause, self.sentence) = (cause, sentence) }

    /// The sentence.
    public var description: String { sentence }

    /// The sentence.
    public var errorDescription: String? { sentence }
}

extension PhoneRefusal {
    init(_ cause: Cause, _ explanation: String? = nil) {
        let state = Self.states[cause]
        let meaning =
            explanation ?? state?.meaning ?? PlatformErrorTable.shared.outcome(cause)?.meaning ?? cause.rawValue
        self.init(cause: cause, state.map { "\(meaning); \($0.remedy)" } ?? meaning)
    }

    /// The states of a phone in which it refuses a call, and the acts that end them.
    private static let states: [Cause: (meaning: String?, remedy: String)] = [
        .appNotRunning: (nil, "open it with phone.launch()"),
        .notInstalled: (nil, "install it with phone.install()"),
        .appInBackground: (nil, "return it to the foreground with phone.resume()"),
        .deviceLocked: ("the phone is locked", "unlock it with phone.unlock()"),
        .beforeFirstUnlock: ("the phone was not unlocked since its start", "unlock it with phone.unlock()"),
        .deviceReplaced: (nil, "use the phone that replaced this one"),
    ]

    /// The refusal of an act; nil for an act that was done.
    init?(of act: DeviceAct, _ result: DeviceActResult) {
        if let cause = result.cause {
            self.init(cause, result.explanation)
        } else if let idleness = result.idleness {
            self.init("\(act.changeWord) has no effect: \(idleness)")
        } else {
            return nil
        }
    }

    /// An error as a refusal.
    init(_ error: any Error) {
        switch error {
        case let refusal as PhoneRefusal: self = refusal
        case let error as any CausedError: self.init(error.cause, error.explanation)
        default: self.init("\(error)")
        }
    }
}
