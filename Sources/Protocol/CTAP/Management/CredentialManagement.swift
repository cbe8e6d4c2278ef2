public import CBOR
package import MessageValues

/// A subcommand of authenticatorCredentialManagement (CTAP 2.3 §6.8).
public enum CredentialManagementSubcommand: Int, Sendable, CaseIterable {
    case getCredsMetadata = 0x01
    case enumerateRPsBegin = 0x02
    case enumerateRPsGetNextRP = 0x03
    case enumerateCredentialsBegin = 0x04
    case enumerateCredentialsGetNextCredential = 0x05
    case deleteCredential = 0x06
    case updateUserInformation = 0x07
}

/// The parameters of authenticatorCredentialManagement, command 0x0A, and of its preview, 0x41 (CTAP 2.3 §6.8).
public struct CredentialManagementRequest: Hashable, Sendable {
    package enum Key: Int, MessageKey {
        case subCommand = 0x01
        case subCommandParams, pinUvAuthProtocol, pinUvAuthParam
    }

    package enum ParameterKey: Int, MessageKey {
        case rpIDHash = 0x01
        case credentialID, user
    }

    /// 0x01, as on the wire: ``CredentialManagementSubcommand`` names the known ones.
    public var subCommand: Int
    /// 0x02.0x01, SHA-256 of the RP ID.
    public var rpIDHash: [UInt8]?
    /// 0x02.0x02.
    public var credentialID: PublicKeyCredentialDescriptor?
    /// 0x02.0x03.
    public var user: PublicKeyCredentialUserEntity?
    /// 0x03.
    public var pinUvAuthProtocol: Int?
    /// 0x04, over the subcommand and the CBOR of its parameters.
    public var pinUvAuthParam: [UInt8]?
    /// 0x02 as received: the authenticator authenticates these bytes.
    private var receivedParameters: CBOR.Value?

    /// A request for a subcommand, without parameters.
    public init(subCommand: CredentialManagementSubcommand) { self.subCommand = subCommand.rawValue }

    /// Reads the parameters; a device answers with the refusal thrown.
    public init(cbor: CBOR.Value) throws(Refusal) { try self.init(parameters: cbor) }

    /// The parameter map.
    public var cbor: CBOR.Value { .map(map) }

    /// 0x02, as received or made of its members; nil when there is none.
    public private(set) var subCommandParameters: CBOR.Value? {
        get { receivedParameters ?? written { $0.codeParameters(&$1) } }
        set { receivedParameters = newValue }
    }

    /// The message `pinUvAuthParam` authenticates: the subcommand's byte and the CBOR of its parameters.
    public var authenticatedMessage: [UInt8] {
        [UInt8(truncatingIfNeeded: subCommand)] + (subCommandParameters.map { CBOR.encode($0) } ?? [])
    }
}

/// The answer to authenticatorCredentialManagement (CTAP 2.3 §6.8).
public struct CredentialManagementResponse: Hashable, Sendable {
    package enum Key: Int, MessageKey {
        case existingResidentCredentialsCount = 0x01
        case maxPossibleRemainingResidentCredentialsCount, rp, rpIDHash, totalRPs, user, credentialID, publicKey,
            totalCredentials, credProtect, largeBlobKey, thirdPartyPayment
    }

    /// 0x01.
    public var existingResidentCredentialsCount: Int?
    /// 0x02.
    public var maxPossibleRemainingResidentCredentialsCount: Int?
    /// 0x03.
    public var rp: PublicKeyCredentialRPEntity?
    /// 0x04.
    public var rpIDHash: [UInt8]?
    /// 0x05.
    public var totalRPs: Int?
    /// 0x06.
    public var user: PublicKeyCredentialUserEntity?
    /// 0x07.
    public var credentialID: PublicKeyCredentialDescriptor?
    /// 0x08, a COSE key.
    public var publicKey: CBOR.Value?
    /// 0x09.
    public var totalCredentials: Int?
    /// 0x0A, the credential's protection level, 1 to 3.
    public var credProtect: Int?
    /// 0x0B, 32 bytes.
    public var largeBlobKey: [UInt8]?
    /// 0x0C (CTAP 2.2).
    public var thirdPartyPayment: Bool?

    /// An empty response.
    public init() {}

    /// Reads a response.
    public init(cbor: CBOR.Value) throws(CBOR.AccessError) { try self.init(item: cbor, named: "the response") }

    /// The response map; nil when it is empty.
    public var cbor: CBOR.Value? { itemUnlessEmpty }
}

// MARK: The tables of members

extension CredentialManagementRequest: CodedMap {
    package static let blank = CredentialManagementRequest(subCommand: .getCredsMetadata)

    package mutating func code(_ members: inout MessageCoder<Key>) {
        members.member(.subCommand, &subCommand)
        members.member(.subCommandParams, map: &subCommandParameters)
        members.member(.pinUvAuthProtocol, &pinUvAuthProtocol)
        members.member(.pinUvAuthParam, &pinUvAuthParam)
        members.members(in: receivedParameters) { codeParameters(&$0) }
    }

    package static var parameterMembers: [MessageMember] { described { $0.codeParameters(&$1) } }

    private mutating func codeParameters(_ members: inout MessageCoder<ParameterKey>) {
        members.member(.rpIDHash, &rpIDHash)
        members.member(.credentialID, &credentialID)
        members.member(.user, &user)
    }
}

extension CredentialManagementResponse: CodedMap {
    package static let blank = CredentialManagementResponse()

    package mutating func code(_ members: inout MessageCoder<Key>) {
        members.member(.existingResidentCredentialsCount, &existingResidentCredentialsCount)
        members.member(.maxPossibleRemainingResidentCredentialsCount, &maxPossibleRemainingResidentCredentialsCount)
        members.member(.rp, &rp)
        members.member(.rpIDHash, &rpIDHash)
        members.member(.totalRPs, &totalRPs)
        members.member(.user, &user)
        members.member(.credentialID, &credentialID)
        members.member(.publicKey, &publicKey)
        members.member(.totalCredentials, &totalCredentials)
        members.member(.credProtect, &credProtect)
        members.member(.largeBlobKey, &largeBlobKey)
        members.member(.thirdPartyPayment, &thirdPartyPayment)
    }
}
