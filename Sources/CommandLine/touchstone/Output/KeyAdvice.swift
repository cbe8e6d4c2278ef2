import CTAP
import SecurityKeys
import WebAuthnClient

/// Advice for the user after a key's refusal.
enum KeyAdvice {
    /// - Parameter person: the user with the key; its commands name the key where they need it.
    static func sentence(for status: CTAPStatus, _ person: KeyUser = KeyUser(key: "")) -> String? {
        switch status {
        case .pinInvalid: "the PIN is wrong; enter the right one"
        case .pinAuthBlocked:
            """
            after three wrong PINs in a row the key is blocked until a power cycle; \(powerCycle(person)), \
            and enter the right PIN
            """
        case .pinBlocked:
            "no PIN retries are left; only \(person.command("reset")), which erases everything, unblocks the key"
        case .pinNotSet: "no PIN is set; set one with \(person.command("pin set"))"
        case .pinPolicyViolation:
            """
            the key refuses this PIN as too short, too simple or the old one, or it must be changed first with \
            \(person.command("pin change"))
            """
        case .puatRequired: "the key needs a PIN or a finger for this; set a PIN with \(person.command("pin set"))"
        case .uvBlocked: "the sensor is blocked after too many failed attempts; the right PIN unblocks it"
        case .uvInvalid: "the finger did not match; try again with an enrolled finger"
        case .userActionTimeout, .actionTimeout: "the key was not touched in time; try again and touch it"
        case .operationDenied:
            "the operation was declined at the key, or the key was not touched in time; try again and touch it"
        case .keepaliveCancel: "the operation was cancelled"
        case .noCredentials:
            "the key has no credential for this account; register it first with \(person.command("register"))"
        case .credentialExcluded:
            "the key is registered for this account already; choose another account with --account"
        case .notAllowed:
            """
            a reset is allowed only soon after plugging in (most keys: 10 s); \(powerCycle(person)) and reset it at once
            """
        case .keyStoreFull:
            "the key has no room for another discoverable credential; delete one with \(person.command("credentials delete"))"
        case .fingerprintDatabaseFull:
            "the key has no room for another finger; remove one with \(person.command("fingerprints remove"))"
        case .largeBlobStorageFull: "the key has no room for a large blob of that length"
        case .upRequired: "user presence is needed; over NFC, lift the key and place it on the reader again"
        case .channelBusy: "another program is using the key; close it and try again"
        default: nil
        }
    }

    /// The advice on a PIN that must be changed before it is used.
    static func changePIN(_ person: KeyUser) -> String { "change the PIN first: \(person.command("pin change"))" }

    /// The way to cut the key's power, as a clause without a subject.
    static func powerCycle(_ person: KeyUser) -> String {
        switch person.powerCycle {
        case .unplugging: "unplug the key and plug it in again"
        case .device(let name): "cut the key's power with `touchstone device power-cycle --name \(name)`"
        case .simulator: "cut the key's power in its simulator"
        }
    }

    /// An error with the advice on this key; the same error where a key refused nothing.
    static func advised(_ error: any Error, _ person: KeyUser) -> any Error {
        let refusal = (error as? SecurityKeyError)?.status ?? (error as? WebAuthnClientError)?.ctapStatus
        guard let refusal, let advice = sentence(for: refusal, person) else { return error }
        return CommandError("\(error): \(advice)", .checkFailed)
    }
}
