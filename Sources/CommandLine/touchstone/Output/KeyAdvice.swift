import CTAP

/// What a person can do about a key's refusal.
enum KeyAdvice {
    static func sentence(for status: CTAPStatus) -> String? {
        switch status {
        case .pinInvalid: "the PIN is wrong"
        case .pinAuthBlocked: "three wrong PINs in a row: unplug the key and plug it in again, then try the right one"
        case .pinBlocked: "no PIN tries are left: only `touchstone keys reset`, which erases everything, helps"
        case .pinNotSet: "no PIN is set: `touchstone keys pin set`"
        case .pinPolicyViolation: "the PIN is too short, too simple or the old one, or has to be changed first"
        case .puatRequired: "the key wants its PIN or a finger for this: `touchstone keys pin set`"
        case .uvBlocked: "the sensor is blocked after too many failed fingers: the right PIN opens it again"
        case .uvInvalid: "the finger did not match"
        case .userActionTimeout, .actionTimeout: "nobody touched the key in time"
        case .operationDenied: "it was declined at the key, or nobody touched it in time"
        case .keepaliveCancel: "it was cancelled"
        case .noCredentials: "the key has no credential for this"
        case .credentialExcluded: "the key is registered for this account already"
        case .notAllowed:
            """
            not now: a reset must come soon after plugging in (most keys: 10 s), so unplug the key, plug it in again \
            and ask at once
            """
        case .keyStoreFull: "the key has no room for another discoverable credential"
        case .fingerprintDatabaseFull: "the key has no room for another finger"
        case .largeBlobStorageFull: "the key has no room for a large blob of that length"
        case .upRequired: "somebody must be there: over NFC, lift the key and lay it on the reader again"
        case .channelBusy: "another program is using the key"
        default: nil
        }
    }
}
