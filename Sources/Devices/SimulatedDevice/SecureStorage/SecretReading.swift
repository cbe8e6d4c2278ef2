package import Causes
package import VirtualAuthenticator

/// Why secure storage, or an app that would ask for its person, got nowhere before anybody was asked.
package enum StorageRefusal: String, CausedError, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// The screen is locked.
    case deviceLocked
    /// Nobody has entered the passcode since the power came.
    case beforeFirstUnlock
    /// The time for which the last verification counted is over; the app has to ask for one.
    case userNotAuthenticated
    /// The app is not there to ask.
    case appNotRunning
    /// The app is not on the screen, where a prompt would be.
    case appInBackground
    /// The device was replaced by another and erased.
    case deviceReplaced
    /// The biometric is too weak to guard a key.
    case strengthInsufficient
    /// The item is not what was stored under its name.
    case unableToProcess

    package var cause: Cause { Cause(rawValue) }
    package var description: String { rawValue }
}

extension SecureStorage {
    /// What came of reading an item.
    package enum Reading: Hashable, Sendable {
        /// The secret was handed over, after the person was verified where that was asked for.
        case value([UInt8])
        /// There is no such item.
        case missing
        /// The key was destroyed; the item is gone for good.
        case invalidated
        /// The item is out of reach, and nobody was asked.
        case unavailable(StorageRefusal)
        /// The gate did not open.
        case refused(UserVerificationResult)
        /// The app withdrew its question.
        case withdrawn

        /// The cause; nil if the secret was handed over.
        package var cause: Cause? {
            switch self {
            case .value: nil
            case .missing: .itemMissing
            case .invalidated: .keyInvalidated
            case .unavailable(let refusal): refusal.cause
            case .refused(let result): result.cause
            case .withdrawn: .appCancelled
            }
        }
    }
}
