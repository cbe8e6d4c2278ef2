import CTAP
import SecurityKeys

/// Advice for the user after a key's refusal.
enum KeyAdvice {
    /// - Parameter isServed: whether the key runs in `touchstone device start`.
    static func sentence(for status: CTAPStatus, isServed: Bool = false) -> String? {
        switch status {
        case .pinAuthBlocked where isServed:
            """
            after three wrong PINs in a row the key is blocked until a power cycle; perform one with \
            `touchstone device power-cycle`, and enter the right PIN
            """
        case .pinInvalid: "the PIN is wrong; `touchstone keys pin status` shows the retries left"
        case .pinAuthBlocked:
            """
            after three wrong PINs in a row the key is blocked until it is unplugged; plug it in again and enter the right PIN
            """
        case .pinBlocked:
            "no PIN retries are left; only `touchstone keys reset`, which erases everything, unblocks the key"
        case .pinNotSet: "no PIN is set; set one with `touchstone keys pin set`"
        case .pinPolicyViolation:
            "the key refuses this PIN as too short, too simple or the old one, or it must be changed first with `touchstone keys pin change`"
        case .puatRequired: "the key needs a PIN or a finger for this; set a PIN with `touchstone keys pin set`"
        case .uvBlocked: "the sensor is blocked after too many failed attempts; the right PIN unblocks it"
        case .uvInvalid: "the finger did not match; try again with an enrolled finger"
        case .userActionTimeout, .actionTimeout: "the key was not touched in time; try again and touch it"
        case .operationDenied:
            "the operation was declined at the key, or the key was not touched in time; try again and touch it"
        case .keepaliveCancel: "the operation was cancelled"
        case .noCredentials:
            "the key has no credential for this account; register it first with `touchstone keys register`"
        case .credentialExcluded:
            "the key is registered for this account already; choose another account with --account"
        case .notAllowed:
            """
            a reset is allowed only soon after plugging in (most keys: 10 s); unplug the key, plug it in again and \
            reset it at once
            """
        case .keyStoreFull:
            "the key has no room for another discoverable credential; delete one with `touchstone keys credentials delete`"
        case .fingerprintDatabaseFull:
            "the key has no room for another finger; remove one with `touchstone keys fingerprints remove`"
        case .largeBlobStorageFull: "the key has no room for a large blob of that length"
        case .upRequired: "user presence is needed; over NFC, lift the key and place it on the reader again"
        case .channelBusy: "another program is using the key; close it and try again"
        default: nil
        }
    }

    static let changePIN = "change the PIN first: `touchstone keys pin change`"

    /// An error with advice that depends on the key; the same error where none does.
    static func advised(_ error: any Error, _ person: KeyUser) -> any Error {
        guard person.isServed, let error = error as? SecurityKeyError, error.status == .pinAuthBlocked else {
            return error
        }
        let advice = sentence(for: .pinAuthBlocked, isServed: true).map { ": " + $0 } ?? ""
        return CommandError("\(error)" + advice, .checkFailed)
    }
}
