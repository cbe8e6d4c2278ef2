/// A CTAP2 command: the first byte of every message (CTAP 2.3 §8.1).
///
/// Each command of the specification is declared once, with its byte and its name, and listed in ``all``. Any other
/// byte is also a value of this type, without a name.
public struct CTAPCommand: RawRepresentable, Hashable, Sendable {
    /// The byte on the wire.
    public let rawValue: UInt8
    /// The specification's name without its `authenticator` prefix; nil for an unassigned byte.
    public let name: String?

    /// The command of a byte, assigned or not.
    public init(rawValue: UInt8) { self = Self.all.first { $0.rawValue == rawValue } ?? CTAPCommand(rawValue, nil) }

    private init(_ byte: UInt8, _ name: String?) {
        rawValue = byte
        self.name = name
    }

    /// Creates a credential.
    public static let makeCredential = CTAPCommand(0x01, "MakeCredential")
    /// Signs with a credential.
    public static let getAssertion = CTAPCommand(0x02, "GetAssertion")
    /// Reports versions, options and limits.
    public static let getInfo = CTAPCommand(0x04, "GetInfo")
    /// Manages the PIN and issues tokens.
    public static let clientPIN = CTAPCommand(0x06, "ClientPIN")
    /// Erases the device.
    public static let reset = CTAPCommand(0x07, "Reset")
    /// Signs with the next credential after GetAssertion.
    public static let getNextAssertion = CTAPCommand(0x08, "GetNextAssertion")
    /// Manages fingerprints.
    public static let bioEnrollment = CTAPCommand(0x09, "BioEnrollment")
    /// Lists, updates and deletes discoverable credentials.
    public static let credentialManagement = CTAPCommand(0x0A, "CredentialManagement")
    /// Waits for a touch, so that the user can choose among devices.
    public static let selection = CTAPCommand(0x0B, "Selection")
    /// Reads and writes the large-blob array.
    public static let largeBlobs = CTAPCommand(0x0C, "LargeBlobs")
    /// Configures the device.
    public static let config = CTAPCommand(0x0D, "Config")
    /// BioEnrollment as FIDO_2_1_PRE numbers it.
    public static let bioEnrollmentPreview = CTAPCommand(0x40, "BioEnrollment (preview)")
    /// CredentialManagement as FIDO_2_1_PRE numbers it.
    public static let credentialManagementPreview = CTAPCommand(0x41, "CredentialManagement (preview)")

    /// Every command, by byte.
    public static let all: [CTAPCommand] = [
        .makeCredential, .getAssertion, .getInfo, .clientPIN, .reset, .getNextAssertion, .bioEnrollment,
        .credentialManagement, .selection, .largeBlobs, .config, .bioEnrollmentPreview, .credentialManagementPreview,
    ]

    package var isCredentialManagement: Bool { self == .credentialManagement || self == .credentialManagementPreview }
}

extension CTAPCommand: CustomStringConvertible {
    /// The name, or `command 0x51` for an unassigned byte.
    public var description: String { name ?? "command 0x\(String(rawValue, radix: 16, uppercase: true))" }
}
