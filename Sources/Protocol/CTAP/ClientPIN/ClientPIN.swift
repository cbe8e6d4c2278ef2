public import CBOR

/// A subcommand of authenticatorClientPIN (CTAP 2.3 §6.5.5).
public enum ClientPINSubcommand: Int, Sendable, CaseIterable {
    case getPINRetries = 0x01
    case getKeyAgreement = 0x02
    case setPIN = 0x03
    case changePIN = 0x04
    case getPinToken = 0x05
    case getPinUvAuthTokenUsingUvWithPermissions = 0x06
    case getUVRetries = 0x07
    case getPinUvAuthTokenUsingPinWithPermissions = 0x09
}

/// The permissions of a pinUvAuthToken (CTAP 2.3 §6.5.5.7).
public struct PINUVAuthTokenPermissions: OptionSet, Hashable, Sendable {
    /// The permissions byte.
    public let rawValue: UInt8

    /// The permissions of a byte.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// `mc`: authenticatorMakeCredential; needs an RP ID.
    public static let makeCredential = PINUVAuthTokenPermissions(rawValue: 0x01)
    /// `ga`: authenticatorGetAssertion; needs an RP ID.
    public static let getAssertion = PINUVAuthTokenPermissions(rawValue: 0x02)
    /// `cm`: authenticatorCredentialManagement.
    public static let credentialManagement = PINUVAuthTokenPermissions(rawValue: 0x04)
    /// `be`: authenticatorBioEnrollment.
    public static let bioEnrollment = PINUVAuthTokenPermissions(rawValue: 0x08)
    /// `lbw`: writing large blobs.
    public static let largeBlobWrite = PINUVAuthTokenPermissions(rawValue: 0x10)
    /// `acfg`: authenticatorConfig.
    public static let authenticatorConfiguration = PINUVAuthTokenPermissions(rawValue: 0x20)
    /// `pcmr`: reading credential management with a persistent token (CTAP 2.2); stands alone.
    public static let persistentCredentialManagementReadOnly = PINUVAuthTokenPermissions(rawValue: 0x40)

    /// Every permission CTAP 2.3 defines.
    public static let all = PINUVAuthTokenPermissions(rawValue: 0x7F)
}

/// The parameters of authenticatorClientPIN, command 0x06 (CTAP 2.3 §6.5.5).
public struct ClientPINRequest: Hashable, Sendable {
    /// The keys of the parameter map.
    package enum Key: Int, MessageKey {
        case pinUvAuthProtocol = 0x01
        case subCommand, keyAgreement, pinUvAuthParam, newPinEnc, pinHashEnc
        case permissions = 0x09
        case rpId
    }

    /// 0x01.
    public var pinUvAuthProtocol: Int?
    /// 0x02, as on the wire: ``ClientPINSubcommand`` names the known ones.
    public var subCommand: Int
    /// 0x03, a COSE key on P-256.
    public var keyAgreement: CBOR.Value?
    /// 0x04.
    public var pinUvAuthParam: [UInt8]?
    /// 0x05, the padded new PIN, encrypted.
    public var newPinEnc: [UInt8]?
    /// 0x06, LEFT(SHA-256(PIN), 16), encrypted.
    public var pinHashEnc: [UInt8]?
    /// 0x09.
    public var permissions: Int?
    /// 0x0A.
    public var relyingPartyID: String?

    /// A request for a subcommand; its parameters are set afterwards.
    public init(subCommand: ClientPINSubcommand, pinUvAuthProtocol: Int? = nil) {
        self.subCommand = subCommand.rawValue
        self.pinUvAuthProtocol = pinUvAuthProtocol
    }

    /// Reads the parameters.
    ///
    /// - Throws: the refusal a device answers with: 0x11 for a member of a wrong type, 0x14 for a missing one, 0x02 for
    ///   a number out of range.
    public init(cbor: CBOR.Value) throws(Refusal) {
        do {
            try self.init(MessageMap(cbor, "the parameters"))
        } catch {
            throw Refusal(error)
        }
    }

    private init(_ members: MessageMap<Key>) throws(CBOR.AccessError) {
        pinUvAuthProtocol = try members.unsigned(.pinUvAuthProtocol)
        subCommand = try members.required(.subCommand, members.unsigned)
        keyAgreement = try members.mapItem(.keyAgreement)
        pinUvAuthParam = try members.bytes(.pinUvAuthParam)
        newPinEnc = try members.bytes(.newPinEnc)
        pinHashEnc = try members.bytes(.pinHashEnc)
        permissions = try members.unsigned(.permissions)
        relyingPartyID = try members.text(.rpId)
    }

    /// The parameter map.
    public var cbor: CBOR.Value {
        var members = MessageMap<Key>()
        members.set(.pinUvAuthProtocol, pinUvAuthProtocol)
        members.set(.subCommand, subCommand)
        members.set(.keyAgreement, keyAgreement)
        members.set(.pinUvAuthParam, pinUvAuthParam)
        members.set(.newPinEnc, newPinEnc)
        members.set(.pinHashEnc, pinHashEnc)
        members.set(.permissions, permissions)
        members.set(.rpId, relyingPartyID)
        return .map(members.map)
    }
}

/// The answer to authenticatorClientPIN (CTAP 2.3 §6.5.5).
public struct ClientPINResponse: Hashable, Sendable {
    /// The keys of the response map.
    package enum Key: Int, MessageKey {
        case keyAgreement = 0x01
        case pinUvAuthToken, pinRetries, powerCycleState, uvRetries
    }

    /// 0x01, a COSE key on P-256.
    public var keyAgreement: CBOR.Value?
    /// 0x02, encrypted under the shared secret.
    public var pinUvAuthToken: [UInt8]?
    /// 0x03.
    public var pinRetries: Int?
    /// 0x04, true when only a power cycle lifts the block.
    public var powerCycleState: Bool?
    /// 0x05.
    public var uvRetries: Int?

    /// A response with the members given.
    public init(
        keyAgreement: CBOR.Value? = nil, pinUvAuthToken: [UInt8]? = nil, pinRetries: Int? = nil,
        powerCycleState: Bool? = nil, uvRetries: Int? = nil
    ) {
        self.keyAgreement = keyAgreement
        self.pinUvAuthToken = pinUvAuthToken
        self.pinRetries = pinRetries
        self.powerCycleState = powerCycleState
        self.uvRetries = uvRetries
    }

    /// Reads a response.
    ///
    /// - Throws: `CBOR.AccessError` for a response that is not a map, a missing member and one of a wrong type.
    public init(cbor: CBOR.Value) throws(CBOR.AccessError) {
        let members = try MessageMap<Key>(cbor)
        keyAgreement = members[.keyAgreement]
        pinUvAuthToken = try members.bytes(.pinUvAuthToken)
        pinRetries = try members.unsigned(.pinRetries)
        powerCycleState = try members.bool(.powerCycleState)
        uvRetries = try members.unsigned(.uvRetries)
    }

    /// The response map; nil when it is empty.
    public var cbor: CBOR.Value? {
        var members = MessageMap<Key>()
        members.set(.keyAgreement, keyAgreement)
        members.set(.pinUvAuthToken, pinUvAuthToken)
        members.set(.pinRetries, pinRetries)
        members.set(.powerCycleState, powerCycleState)
        members.set(.uvRetries, uvRetries)
        return members.cborUnlessEmpty
    }
}
