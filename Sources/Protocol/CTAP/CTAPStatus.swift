/// A CTAP status code: the first byte of every answer (CTAP 2.3 §8.2).
///
/// A struct rather than an enum, so that a byte no specification names survives the trip through the bench.
public struct CTAPStatus: RawRepresentable, Hashable, Sendable {
    /// The byte on the wire.
    public let rawValue: UInt8

    /// Wraps any status byte, known or not.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public static let ok = CTAPStatus(rawValue: 0x00)
    public static let invalidCommand = CTAPStatus(rawValue: 0x01)
    public static let invalidParameter = CTAPStatus(rawValue: 0x02)
    public static let invalidLength = CTAPStatus(rawValue: 0x03)
    public static let invalidSequence = CTAPStatus(rawValue: 0x04)
    public static let timeout = CTAPStatus(rawValue: 0x05)
    public static let channelBusy = CTAPStatus(rawValue: 0x06)
    public static let lockRequired = CTAPStatus(rawValue: 0x0A)
    public static let invalidChannel = CTAPStatus(rawValue: 0x0B)
    public static let cborUnexpectedType = CTAPStatus(rawValue: 0x11)
    public static let invalidCBOR = CTAPStatus(rawValue: 0x12)
    public static let missingParameter = CTAPStatus(rawValue: 0x14)
    public static let limitExceeded = CTAPStatus(rawValue: 0x15)
    public static let fingerprintDatabaseFull = CTAPStatus(rawValue: 0x17)
    public static let largeBlobStorageFull = CTAPStatus(rawValue: 0x18)
    public static let credentialExcluded = CTAPStatus(rawValue: 0x19)
    public static let processing = CTAPStatus(rawValue: 0x21)
    public static let invalidCredential = CTAPStatus(rawValue: 0x22)
    public static let userActionPending = CTAPStatus(rawValue: 0x23)
    public static let operationPending = CTAPStatus(rawValue: 0x24)
    public static let noOperations = CTAPStatus(rawValue: 0x25)
    public static let unsupportedAlgorithm = CTAPStatus(rawValue: 0x26)
    public static let operationDenied = CTAPStatus(rawValue: 0x27)
    public static let keyStoreFull = CTAPStatus(rawValue: 0x28)
    public static let unsupportedOption = CTAPStatus(rawValue: 0x2B)
    public static let invalidOption = CTAPStatus(rawValue: 0x2C)
    public static let keepaliveCancel = CTAPStatus(rawValue: 0x2D)
    public static let noCredentials = CTAPStatus(rawValue: 0x2E)
    public static let userActionTimeout = CTAPStatus(rawValue: 0x2F)
    public static let notAllowed = CTAPStatus(rawValue: 0x30)
    public static let pinInvalid = CTAPStatus(rawValue: 0x31)
    public static let pinBlocked = CTAPStatus(rawValue: 0x32)
    public static let pinAuthInvalid = CTAPStatus(rawValue: 0x33)
    public static let pinAuthBlocked = CTAPStatus(rawValue: 0x34)
    public static let pinNotSet = CTAPStatus(rawValue: 0x35)
    public static let puatRequired = CTAPStatus(rawValue: 0x36)
    public static let pinPolicyViolation = CTAPStatus(rawValue: 0x37)
    public static let requestTooLarge = CTAPStatus(rawValue: 0x39)
    public static let actionTimeout = CTAPStatus(rawValue: 0x3A)
    public static let upRequired = CTAPStatus(rawValue: 0x3B)
    public static let uvBlocked = CTAPStatus(rawValue: 0x3C)
    public static let integrityFailure = CTAPStatus(rawValue: 0x3D)
    public static let invalidSubcommand = CTAPStatus(rawValue: 0x3E)
    public static let uvInvalid = CTAPStatus(rawValue: 0x3F)
    public static let unauthorizedPermission = CTAPStatus(rawValue: 0x40)
    public static let other = CTAPStatus(rawValue: 0x7F)

    /// The specification's name without its `CTAP1_ERR_`/`CTAP2_ERR_` prefix, if it has one.
    public var name: String? {
        Self.names[rawValue]
    }

    private static let names: [UInt8: String] = [
        0x00: "OK", 0x01: "INVALID_COMMAND", 0x02: "INVALID_PARAMETER", 0x03: "INVALID_LENGTH", 0x04: "INVALID_SEQ",
        0x05: "TIMEOUT", 0x06: "CHANNEL_BUSY", 0x0A: "LOCK_REQUIRED", 0x0B: "INVALID_CHANNEL",
        0x11: "CBOR_UNEXPECTED_TYPE", 0x12: "INVALID_CBOR", 0x14: "MISSING_PARAMETER", 0x15: "LIMIT_EXCEEDED",
        0x17: "FP_DATABASE_FULL", 0x18: "LARGE_BLOB_STORAGE_FULL", 0x19: "CREDENTIAL_EXCLUDED", 0x21: "PROCESSING",
        0x22: "INVALID_CREDENTIAL", 0x23: "USER_ACTION_PENDING", 0x24: "OPERATION_PENDING", 0x25: "NO_OPERATIONS",
        0x26: "UNSUPPORTED_ALGORITHM", 0x27: "OPERATION_DENIED", 0x28: "KEY_STORE_FULL", 0x2B: "UNSUPPORTED_OPTION",
        0x2C: "INVALID_OPTION", 0x2D: "KEEPALIVE_CANCEL", 0x2E: "NO_CREDENTIALS", 0x2F: "USER_ACTION_TIMEOUT",
        0x30: "NOT_ALLOWED", 0x31: "PIN_INVALID", 0x32: "PIN_BLOCKED", 0x33: "PIN_AUTH_INVALID",
        0x34: "PIN_AUTH_BLOCKED", 0x35: "PIN_NOT_SET", 0x36: "PUAT_REQUIRED", 0x37: "PIN_POLICY_VIOLATION",
        0x39: "REQUEST_TOO_LARGE", 0x3A: "ACTION_TIMEOUT", 0x3B: "UP_REQUIRED", 0x3C: "UV_BLOCKED",
        0x3D: "INTEGRITY_FAILURE", 0x3E: "INVALID_SUBCOMMAND", 0x3F: "UV_INVALID", 0x40: "UNAUTHORIZED_PERMISSION",
        0x7F: "OTHER",
    ]
}

extension CTAPStatus: CustomStringConvertible {
    /// The name and the byte, such as `PIN_INVALID (0x31)`; the byte alone when no specification names it.
    public var description: String {
        let digits = String(rawValue, radix: 16, uppercase: true)
        let hex = "0x" + (digits.count == 1 ? "0" : "") + digits
        return name.map { "\($0) (\(hex))" } ?? hex
    }
}
