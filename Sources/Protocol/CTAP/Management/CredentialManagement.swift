public import CBOR

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
    /// The keys of the parameter map.
    package enum Key: Int, MessageKey {
        case subCommand = 0x01
        case subCommandParams, pinUvAuthProtocol, pinUvAuthParam
    }

    /// The keys of `subCommandParams`.
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
    public init(subCommand: CredentialManagementSubcommand) {
        self.subCommand = subCommand.rawValue
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
        subCommand = try members.required(.subCommand, members.unsigned)
        receivedParameters = try members.mapItem(.subCommandParams)
        pinUvAuthProtocol = try members.unsigned(.pinUvAuthProtocol)
        pinUvAuthParam = try members.bytes(.pinUvAuthParam)
        guard let receivedParameters else { return }
        let inner = try MessageMap<ParameterKey>(receivedParameters)
        rpIDHash = try inner.bytes(.rpIDHash)
        credentialID = try inner.read(.credentialID) { value throws(CBOR.AccessError) in
            try PublicKeyCredentialDescriptor(cbor: value, path: ParameterKey.credentialID.name)
        }
        user = try inner.read(.user, PublicKeyCredentialUserEntity.init)
    }

    /// 0x02, as received or made of its members; nil when there is none.
    public var subCommandParameters: CBOR.Value? {
        if let receivedParameters { return receivedParameters }
        var inner = MessageMap<ParameterKey>()
        inner.set(.rpIDHash, rpIDHash)
        inner.set(.credentialID, credentialID?.cbor)
        inner.set(.user, user?.cbor)
        return inner.cborUnlessEmpty
    }

    /// The message `pinUvAuthParam` authenticates: the subcommand's byte and the CBOR of its parameters.
    public var authenticatedMessage: [UInt8] {
        [UInt8(truncatingIfNeeded: subCommand)] + (subCommandParameters.map { CBOR.encode($0) } ?? [])
    }

    /// The parameter map.
    public var cbor: CBOR.Value {
        var members = MessageMap<Key>()
        members.set(.subCommand, subCommand)
        members.set(.subCommandParams, subCommandParameters)
        members.set(.pinUvAuthProtocol, pinUvAuthProtocol)
        members.set(.pinUvAuthParam, pinUvAuthParam)
        return .map(members.map)
    }
}

/// The answer to authenticatorCredentialManagement (CTAP 2.3 §6.8).
public struct CredentialManagementResponse: Hashable, Sendable {
    /// The keys of the response map.
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
    ///
    /// - Throws: `CBOR.AccessError` for a response that is not a map, a missing member and one of a wrong type.
    public init(cbor: CBOR.Value) throws(CBOR.AccessError) {
        let members = try MessageMap<Key>(cbor)
        existingResidentCredentialsCount = try members.unsigned(.existingResidentCredentialsCount)
        maxPossibleRemainingResidentCredentialsCount = try members.unsigned(
            .maxPossibleRemainingResidentCredentialsCount)
        rp = try members.read(.rp, PublicKeyCredentialRPEntity.init)
        rpIDHash = try members.bytes(.rpIDHash)
        totalRPs = try members.unsigned(.totalRPs)
        user = try members.read(.user, PublicKeyCredentialUserEntity.init)
        credentialID = try members.read(.credentialID) { value throws(CBOR.AccessError) in
            try PublicKeyCredentialDescriptor(cbor: value, path: Key.credentialID.name)
        }
        publicKey = members[.publicKey]
        totalCredentials = try members.unsigned(.totalCredentials)
        credProtect = try members.unsigned(.credProtect)
        largeBlobKey = try members.bytes(.largeBlobKey)
        thirdPartyPayment = try members.bool(.thirdPartyPayment)
    }

    /// The response map; nil when it is empty.
    public var cbor: CBOR.Value? {
        var members = MessageMap<Key>()
        members.set(.existingResidentCredentialsCount, existingResidentCredentialsCount)
        members.set(.maxPossibleRemainingResidentCredentialsCount, maxPossibleRemainingResidentCredentialsCount)
        members.set(.rp, rp?.cbor)
        members.set(.rpIDHash, rpIDHash)
        members.set(.totalRPs, totalRPs)
        members.set(.user, user?.cbor)
        members.set(.credentialID, credentialID?.cbor)
        members.set(.publicKey, publicKey)
        members.set(.totalCredentials, totalCredentials)
        members.set(.credProtect, credProtect)
        members.set(.largeBlobKey, largeBlobKey)
        members.set(.thirdPartyPayment, thirdPartyPayment)
        return members.cborUnlessEmpty
    }
}
