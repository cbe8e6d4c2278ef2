/// A CTAP status code: the first byte of every answer (CTAP 2.3 §8.2).
///
/// Each status the specification assigns is declared once, with its byte and its name, and listed in ``all``. Any
/// other byte is also a value of this type, without a name.
public struct CTAPStatus: RawRepresentable, Hashable, Sendable {
    /// The byte on the wire.
    public let rawValue: UInt8
    /// The specification's name without its `CTAP1_ERR_` or `CTAP2_ERR_` prefix; nil for an unassigned byte.
    public let name: String?
    /// The name of the constant, such as `pinInvalid`; `unassigned` for an unassigned byte.
    ///
    /// Labels of causes are made of it, so it stays the same across releases.
    public let identifier: String

    /// The status of a byte, assigned or not.
    public init(rawValue: UInt8) { self = Self.assigned[rawValue] ?? CTAPStatus(rawValue, nil, "unassigned") }

    /// Declares an assigned status; `identifier` is the name of the property that calls this.
    private init(_ byte: UInt8, _ name: String?, _ identifier: String = #function) {
        rawValue = byte
        self.name = name
        self.identifier = identifier
    }

    private static let assigned = Dictionary(uniqueKeysWithValues: all.map { ($0.rawValue, $0) })

    /// The assigned status of a name, such as `PIN_INVALID`; nil when there is none.
    public static func named(_ name: String) -> CTAPStatus? { all.first { $0.name == name } }
}

extension CTAPStatus: CustomStringConvertible {
    /// The name and the byte, such as `PIN_INVALID (0x31)`; the byte alone when it is unassigned.
    public var description: String {
        let digits = String(rawValue, radix: 16, uppercase: true)
        let hex = "0x" + (digits.count == 1 ? "0" : "") + digits
        return name.map { "\($0) (\(hex))" } ?? hex
    }
}

extension CTAPStatus {
    /// The command succeeded.
    public static var ok: CTAPStatus { CTAPStatus(0x00, "OK") }
    /// The command is unknown or not supported.
    public static var invalidCommand: CTAPStatus { CTAPStatus(0x01, "INVALID_COMMAND") }
    /// A parameter has a value the command does not accept.
    public static var invalidParameter: CTAPStatus { CTAPStatus(0x02, "INVALID_PARAMETER") }
    /// A message or a parameter has the wrong length.
    public static var invalidLength: CTAPStatus { CTAPStatus(0x03, "INVALID_LENGTH") }
    /// A message arrived out of sequence.
    public static var invalidSequence: CTAPStatus { CTAPStatus(0x04, "INVALID_SEQ") }
    /// The message timed out.
    public static var timeout: CTAPStatus { CTAPStatus(0x05, "TIMEOUT") }
    /// The device is busy with another request.
    public static var channelBusy: CTAPStatus { CTAPStatus(0x06, "CHANNEL_BUSY") }
    /// The command needs a channel lock.
    public static var lockRequired: CTAPStatus { CTAPStatus(0x0A, "LOCK_REQUIRED") }
    /// The command is not allowed on this channel.
    public static var invalidChannel: CTAPStatus { CTAPStatus(0x0B, "INVALID_CHANNEL") }
    /// A CBOR item has an unexpected type.
    public static var cborUnexpectedType: CTAPStatus { CTAPStatus(0x11, "CBOR_UNEXPECTED_TYPE") }
    /// The parameters are not valid canonical CBOR.
    public static var invalidCBOR: CTAPStatus { CTAPStatus(0x12, "INVALID_CBOR") }
    /// A required parameter is missing.
    public static var missingParameter: CTAPStatus { CTAPStatus(0x14, "MISSING_PARAMETER") }
    /// A limit for the number of items is exceeded.
    public static var limitExceeded: CTAPStatus { CTAPStatus(0x15, "LIMIT_EXCEEDED") }
    /// The fingerprint database is full.
    public static var fingerprintDatabaseFull: CTAPStatus { CTAPStatus(0x17, "FP_DATABASE_FULL") }
    /// The large-blob storage is full.
    public static var largeBlobStorageFull: CTAPStatus { CTAPStatus(0x18, "LARGE_BLOB_STORAGE_FULL") }
    /// The device holds a credential of the exclude list.
    public static var credentialExcluded: CTAPStatus { CTAPStatus(0x19, "CREDENTIAL_EXCLUDED") }
    /// The device is still processing.
    public static var processing: CTAPStatus { CTAPStatus(0x21, "PROCESSING") }
    /// The credential is not valid on this device.
    public static var invalidCredential: CTAPStatus { CTAPStatus(0x22, "INVALID_CREDENTIAL") }
    /// The device waits for the user.
    public static var userActionPending: CTAPStatus { CTAPStatus(0x23, "USER_ACTION_PENDING") }
    /// An operation is pending.
    public static var operationPending: CTAPStatus { CTAPStatus(0x24, "OPERATION_PENDING") }
    /// No operation is pending.
    public static var noOperations: CTAPStatus { CTAPStatus(0x25, "NO_OPERATIONS") }
    /// The device supports none of the requested algorithms.
    public static var unsupportedAlgorithm: CTAPStatus { CTAPStatus(0x26, "UNSUPPORTED_ALGORITHM") }
    /// The operation is not authorised, or the user declined it.
    public static var operationDenied: CTAPStatus { CTAPStatus(0x27, "OPERATION_DENIED") }
    /// The key storage is full.
    public static var keyStoreFull: CTAPStatus { CTAPStatus(0x28, "KEY_STORE_FULL") }
    /// The device does not support an option of the request.
    public static var unsupportedOption: CTAPStatus { CTAPStatus(0x2B, "UNSUPPORTED_OPTION") }
    /// An option is not valid for the command.
    public static var invalidOption: CTAPStatus { CTAPStatus(0x2C, "INVALID_OPTION") }
    /// The platform cancelled the command while the device waited for the user.
    public static var keepaliveCancel: CTAPStatus { CTAPStatus(0x2D, "KEEPALIVE_CANCEL") }
    /// The device holds no matching credential.
    public static var noCredentials: CTAPStatus { CTAPStatus(0x2E, "NO_CREDENTIALS") }
    /// The user did not act in time.
    public static var userActionTimeout: CTAPStatus { CTAPStatus(0x2F, "USER_ACTION_TIMEOUT") }
    /// The command is not allowed in the device's current state.
    public static var notAllowed: CTAPStatus { CTAPStatus(0x30, "NOT_ALLOWED") }
    /// The PIN is wrong.
    public static var pinInvalid: CTAPStatus { CTAPStatus(0x31, "PIN_INVALID") }
    /// The PIN is blocked until a reset.
    public static var pinBlocked: CTAPStatus { CTAPStatus(0x32, "PIN_BLOCKED") }
    /// `pinUvAuthParam` did not verify.
    public static var pinAuthInvalid: CTAPStatus { CTAPStatus(0x33, "PIN_AUTH_INVALID") }
    /// The PIN is blocked until a power cycle.
    public static var pinAuthBlocked: CTAPStatus { CTAPStatus(0x34, "PIN_AUTH_BLOCKED") }
    /// No PIN is set.
    public static var pinNotSet: CTAPStatus { CTAPStatus(0x35, "PIN_NOT_SET") }
    /// The command needs a pinUvAuthToken.
    public static var puatRequired: CTAPStatus { CTAPStatus(0x36, "PUAT_REQUIRED") }
    /// The new PIN violates the PIN policy.
    public static var pinPolicyViolation: CTAPStatus { CTAPStatus(0x37, "PIN_POLICY_VIOLATION") }
    /// The message is longer than `maxMsgSize`.
    public static var requestTooLarge: CTAPStatus { CTAPStatus(0x39, "REQUEST_TOO_LARGE") }
    /// The current operation timed out.
    public static var actionTimeout: CTAPStatus { CTAPStatus(0x3A, "ACTION_TIMEOUT") }
    /// The command needs user presence.
    public static var upRequired: CTAPStatus { CTAPStatus(0x3B, "UP_REQUIRED") }
    /// Built-in user verification is blocked.
    public static var uvBlocked: CTAPStatus { CTAPStatus(0x3C, "UV_BLOCKED") }
    /// A checksum did not match.
    public static var integrityFailure: CTAPStatus { CTAPStatus(0x3D, "INTEGRITY_FAILURE") }
    /// The subcommand is unknown or not supported.
    public static var invalidSubcommand: CTAPStatus { CTAPStatus(0x3E, "INVALID_SUBCOMMAND") }
    /// Built-in user verification failed.
    public static var uvInvalid: CTAPStatus { CTAPStatus(0x3F, "UV_INVALID") }
    /// The token lacks a requested permission.
    public static var unauthorizedPermission: CTAPStatus { CTAPStatus(0x40, "UNAUTHORIZED_PERMISSION") }
    /// An unspecified error.
    public static var other: CTAPStatus { CTAPStatus(0x7F, "OTHER") }

    /// Every status the specification assigns, by byte.
    public static let all: [CTAPStatus] = [
        .ok, .invalidCommand, .invalidParameter, .invalidLength, .invalidSequence, .timeout, .channelBusy,
        .lockRequired, .invalidChannel, .cborUnexpectedType, .invalidCBOR, .missingParameter, .limitExceeded,
        .fingerprintDatabaseFull, .largeBlobStorageFull, .credentialExcluded, .processing, .invalidCredential,
        .userActionPending, .operationPending, .noOperations, .unsupportedAlgorithm, .operationDenied, .keyStoreFull,
        .unsupportedOption, .invalidOption, .keepaliveCancel, .noCredentials, .userActionTimeout, .notAllowed,
        .pinInvalid, .pinBlocked, .pinAuthInvalid, .pinAuthBlocked, .pinNotSet, .puatRequired, .pinPolicyViolation,
        .requestTooLarge, .actionTimeout, .upRequired, .uvBlocked, .integrityFailure, .invalidSubcommand, .uvInvalid,
        .unauthorizedPermission, .other,
    ]
}
