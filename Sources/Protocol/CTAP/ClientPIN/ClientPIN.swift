public import CBOR
internal import MessageValues

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
    public init(rawValue: UInt8) { self.rawValue = rawValue }

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

    /// Reads the parameters; a device answers with the refusal thrown.
    public init(cbor: CBOR.Value) throws(Refusal) { try self.init(parameters: cbor) }

    /// The parameter map.
    public var cbor: CBOR.Value { .map(map) }
}

/// The answer to authenticatorClientPIN (CTAP 2.3 §6.5.5).
public struct ClientPINResponse: Hashable, Sendable {
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
        (self.keyAgreement, self.pinUvAuthToken, self.pinRetries) = (keyAgreement, pinUvAuthToken, pinRetries)
        (self.powerCycleState, self.uvRetries) = (powerCycleState, uvRetries)
    }

    /// Reads a response.
    public init(cbor: CBOR.Value) throws(CBOR.AccessError) { try self.init(item: cbor, named: "the response") }

    /// The response map; nil when it is empty.
    public var cbor: CBOR.Value? { itemUnlessEmpty }
}

// MARK: The tables of members

extension ClientPINRequest: CodedMap {
    package static let blank = ClientPINRequest(subCommand: .getPINRetries)

    package mutating func code(_ members: inout MessageCoder<Key>) {
        members.member(.pinUvAuthProtocol, &pinUvAuthProtocol)
        members.member(.subCommand, &subCommand)
        members.member(.keyAgreement, map: &keyAgreement)
        members.member(.pinUvAuthParam, &pinUvAuthParam)
        members.member(.newPinEnc, &newPinEnc)
        members.member(.pinHashEnc, &pinHashEnc)
        members.member(.permissions, &permissions)
        members.member(.rpId, &relyingPartyID)
    }
}

extension ClientPINResponse: CodedMap {
    package static let blank = ClientPINResponse()

    package mutating func code(_ members: inout MessageCoder<Key>) {
        members.member(.keyAgreement, &keyAgreement)
        members.member(.pinUvAuthToken, &pinUvAuthToken)
        members.member(.pinRetries, &pinRetries)
        members.member(.powerCycleState, &powerCycleState)
        members.member(.uvRetries, &uvRetries)
    }
}
