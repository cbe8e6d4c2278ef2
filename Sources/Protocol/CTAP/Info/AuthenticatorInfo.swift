public import WebAuthn

/// The answer to authenticatorGetInfo, command 0x04 (CTAP 2.3 §6.4): versions, options and limits of a device.
///
/// ``InfoOption`` lists the options.
public struct AuthenticatorInfo: Hashable, Sendable {
    /// 0x01: `U2F_V2`, `FIDO_2_0`, `FIDO_2_1_PRE`, `FIDO_2_1`, `FIDO_2_3`.
    public var versions: [String]
    /// 0x02: extension identifiers.
    public var extensions: [String]?
    /// 0x03.
    public var aaguid: AAGUID
    /// 0x04: option identifiers; for some, absent, false and true mean three different things.
    public var options: [String: Bool]?
    /// 0x05, bytes; absent means 1024.
    public var maxMsgSize: Int?
    /// 0x06, most preferred first.
    public var pinUvAuthProtocols: [Int]?
    /// 0x07.
    public var maxCredentialCountInList: Int?
    /// 0x08, bytes.
    public var maxCredentialIdLength: Int?
    /// 0x09.
    public var transports: [AuthenticatorTransport]?
    /// 0x0A, most preferred first.
    public var algorithms: [PublicKeyCredentialParameters]?
    /// 0x0B, bytes.
    public var maxSerializedLargeBlobArray: Int?
    /// 0x0C.
    public var forcePINChange: Bool?
    /// 0x0D, code points; absent means 4.
    public var minPINLength: Int?
    /// 0x0E.
    public var firmwareVersion: Int?
    /// 0x0F, bytes.
    public var maxCredBlobLength: Int?
    /// 0x10.
    public var maxRPIDsForSetMinPINLength: Int?
    /// 0x11.
    public var preferredPlatformUvAttempts: Int?
    /// 0x12, the bits of the FIDO registry's user verification methods.
    public var uvModality: Int?
    /// 0x13.
    public var certifications: [String: Int]?
    /// 0x14.
    public var remainingDiscoverableCredentials: Int?
    /// 0x15.
    public var vendorPrototypeConfigCommands: [Int]?
    /// 0x16 (CTAP 2.2), without `none`.
    public var attestationFormats: [String]?
    /// 0x17 (CTAP 2.2).
    public var uvCountSinceLastPinEntry: Int?
    /// 0x18 (CTAP 2.2).
    public var longTouchForReset: Bool?
    /// 0x19 (CTAP 2.2), 32 bytes.
    public var encIdentifier: [UInt8]?
    /// 0x1A (CTAP 2.2).
    public var transportsForReset: [AuthenticatorTransport]?
    /// 0x1B (CTAP 2.2).
    public var pinComplexityPolicy: Bool?
    /// 0x1C (CTAP 2.2).
    public var pinComplexityPolicyURL: [UInt8]?
    /// 0x1D (CTAP 2.2), bytes of UTF-8; absent means 63.
    public var maxPINLength: Int?
    /// 0x1E (CTAP 2.3), 32 bytes.
    public var encCredStoreState: [UInt8]?
    /// 0x1F (CTAP 2.3).
    public var authenticatorConfigCommands: [Int]?

    /// An answer with the two required members.
    public init(versions: [String], aaguid: AAGUID) {
        self.versions = versions
        self.aaguid = aaguid
    }

    /// An option's value; nil when it is absent.
    public func option(_ option: InfoOption) -> Bool? { options?[option.rawValue] }

    /// The value of an option by its identifier, also of one no specification names; nil when it is absent.
    public func option(_ identifier: String) -> Bool? { options?[identifier] }
}
