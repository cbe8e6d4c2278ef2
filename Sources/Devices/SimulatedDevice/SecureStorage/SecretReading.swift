package import Causes
package import VirtualAuthenticator

/// The reason an item is unavailable, or an app cannot show a prompt; the user is not asked.
package enum StorageRefusal: String, CausedError, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// The screen is locked.
    case deviceLocked
    /// The passcode has not been entered since the last start.
    case beforeFirstUnlock
    /// The last verification is too old; the app must verify the user again.
    case userNotAuthenticated
    /// The app is not running.
    case appNotRunning
    /// The app is in the background and cannot show a prompt.
    case appInBackground
    /// The device was replaced by another and erased.
    case deviceReplaced
    /// The biometric is too weak to protect a key.
    case strengthInsufficient
    /// The stored item was changed and does not open.
    case unableToProcess

    package var cause: Cause { Cause(rawValue) }
    package var description: String { rawValue }
}

extension SecureStorage {
    /// The result of reading an item.
    package enum Reading: Hashable, Sendable {
        /// The secret, after a verification of the user where the item requires one.
        case value([UInt8])
        /// The item does not exist.
        case missing
        /// The key was destroyed; the item is lost permanently.
        case invalidated
        /// The item is unavailable; the user was not asked.
        case unavailable(StorageRefusal)
        /// The user was not verified.
        case refused(UserVerificationResult)
        /// The app cancelled the prompt.
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
