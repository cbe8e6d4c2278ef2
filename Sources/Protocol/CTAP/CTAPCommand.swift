/// A CTAP2 command: the first byte of every message (CTAP 2.3 §8.1).
public struct CTAPCommand: RawRepresentable, Hashable, Sendable {
    /// The byte on the wire.
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public static let makeCredential = CTAPCommand(rawValue: 0x01)
    public static let getAssertion = CTAPCommand(rawValue: 0x02)
    public static let getInfo = CTAPCommand(rawValue: 0x04)
    public static let clientPIN = CTAPCommand(rawValue: 0x06)
    public static let reset = CTAPCommand(rawValue: 0x07)
    public static let getNextAssertion = CTAPCommand(rawValue: 0x08)
    public static let bioEnrollment = CTAPCommand(rawValue: 0x09)
    public static let credentialManagement = CTAPCommand(rawValue: 0x0A)
    public static let selection = CTAPCommand(rawValue: 0x0B)
    public static let largeBlobs = CTAPCommand(rawValue: 0x0C)
    public static let config = CTAPCommand(rawValue: 0x0D)
    /// BioEnrollment as FIDO_2_1_PRE named it.
    public static let bioEnrollmentPreview = CTAPCommand(rawValue: 0x40)
    /// CredentialManagement as FIDO_2_1_PRE named it.
    public static let credentialManagementPreview = CTAPCommand(rawValue: 0x41)

    /// Whether this is CredentialManagement under either of its bytes.
    public var isCredentialManagement: Bool {
        self == .credentialManagement || self == .credentialManagementPreview
    }

    /// The specification's name without its `authenticator` prefix, if it has one.
    public var name: String? {
        switch self {
        case .makeCredential: "MakeCredential"
        case .getAssertion: "GetAssertion"
        case .getInfo: "GetInfo"
        case .clientPIN: "ClientPIN"
        case .reset: "Reset"
        case .getNextAssertion: "GetNextAssertion"
        case .bioEnrollment: "BioEnrollment"
        case .credentialManagement: "CredentialManagement"
        case .selection: "Selection"
        case .largeBlobs: "LargeBlobs"
        case .config: "Config"
        case .bioEnrollmentPreview: "BioEnrollment (preview)"
        case .credentialManagementPreview: "CredentialManagement (preview)"
        default: nil
        }
    }
}

extension CTAPCommand: CustomStringConvertible {
    public var description: String { name ?? "command 0x\(String(rawValue, radix: 16, uppercase: true))" }
}
