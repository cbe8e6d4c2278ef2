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
    /// 0x02 as received, which is what the authenticator authenticates.
    private var receivedParameters: CBOR.Value?

    public init(subCommand: CredentialManagementSubcommand) {
        self.subCommand = subCommand.rawValue
    }

    /// Reads the parameters; throws the refusal the wire calls for.
    public init(cbor: CBOR.Value) throws(Refusal) {
        let parameters = try RequestParameters(cbor)
        subCommand = try parameters.required(0x01, "subCommand") { value throws(CBOR.AccessError) in
            try value.asUnsigned("subCommand")
        }
        receivedParameters = try parameters.optional(0x02) { value throws(CBOR.AccessError) in
            _ = try value.asMap("subCommandParams")
            return value
        }
        pinUvAuthProtocol = try parameters.optional(0x03) { value throws(CBOR.AccessError) in
            try value.asUnsigned("pinUvAuthProtocol")
        }
        pinUvAuthParam = try parameters.optional(0x04) { value throws(CBOR.AccessError) in
            try value.asBytes("pinUvAuthParam")
        }
        guard let receivedParameters else { return }
        let inner = try RequestParameters(receivedParameters)
        rpIDHash = try inner.optional(0x01) { value throws(CBOR.AccessError) in try value.asBytes("rpIDHash") }
        credentialID = try inner.optional(0x02) { value throws(CBOR.AccessError) in
            try PublicKeyCredentialDescriptor(cbor: value, path: "credentialID")
        }
        user = try inner.optional(0x03) { value throws(CBOR.AccessError) in
            try PublicKeyCredentialUserEntity(cbor: value)
        }
    }

    /// 0x02, as received or as its members say; nil when there is none.
    public var subCommandParameters: CBOR.Value? {
        if let receivedParameters { return receivedParameters }
        var map = CBOR.Map()
        if let rpIDHash { map[0x01] = .bytes(rpIDHash) }
        if let credentialID { map[0x02] = credentialID.cbor }
        if let user { map[0x03] = user.cbor }
        return map.isEmpty ? nil : .map(map)
    }

    /// What `pinUvAuthParam` is computed over: the subcommand's byte and the CBOR of its parameters.
    public var authenticatedMessage: [UInt8] {
        [UInt8(truncatingIfNeeded: subCommand)] + (subCommandParameters.map { CBOR.encode($0) } ?? [])
    }

    /// The parameter map.
    public var cbor: CBOR.Value {
        var map: CBOR.Map = [0x01: .integer(subCommand)]
        map[0x02] = subCommandParameters
        map[0x03] = pinUvAuthProtocol.map { .integer($0) }
        map[0x04] = pinUvAuthParam.map { .bytes($0) }
        return .map(map)
    }
}

/// The answer to authenticatorCredentialManagement (CTAP 2.3 §6.8).
public struct CredentialManagementResponse: Hashable, Sendable {
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

    public init() {}

    /// Reads an answer.
    public init(cbor: CBOR.Value) throws(CBOR.AccessError) {
        let map = try cbor.asMap("the response")
        existingResidentCredentialsCount = try map[0x01]?.asUnsigned("existingResidentCredentialsCount")
        maxPossibleRemainingResidentCredentialsCount = try map[0x02]?.asUnsigned(
            "maxPossibleRemainingResidentCredentialsCount")
        if let value = map[0x03] { rp = try PublicKeyCredentialRPEntity(cbor: value) }
        rpIDHash = try map[0x04]?.asBytes("rpIDHash")
        totalRPs = try map[0x05]?.asUnsigned("totalRPs")
        if let value = map[0x06] { user = try PublicKeyCredentialUserEntity(cbor: value) }
        if let value = map[0x07] {
            credentialID = try PublicKeyCredentialDescriptor(cbor: value, path: "credentialID")
        }
        publicKey = map[0x08]
        totalCredentials = try map[0x09]?.asUnsigned("totalCredentials")
        credProtect = try map[0x0A]?.asUnsigned("credProtect")
        largeBlobKey = try map[0x0B]?.asBytes("largeBlobKey")
        thirdPartyPayment = try map[0x0C]?.asBool("thirdPartyPayment")
    }

    /// The response map; nil when there is nothing to say.
    public var cbor: CBOR.Value? {
        var map = CBOR.Map()
        map[0x01] = existingResidentCredentialsCount.map { .integer($0) }
        map[0x02] = maxPossibleRemainingResidentCredentialsCount.map { .integer($0) }
        map[0x03] = rp?.cbor
        map[0x04] = rpIDHash.map { .bytes($0) }
        map[0x05] = totalRPs.map { .integer($0) }
        map[0x06] = user?.cbor
        map[0x07] = credentialID?.cbor
        map[0x08] = publicKey
        map[0x09] = totalCredentials.map { .integer($0) }
        map[0x0A] = credProtect.map { .integer($0) }
        map[0x0B] = largeBlobKey.map { .bytes($0) }
        map[0x0C] = thirdPartyPayment.map { .bool($0) }
        return map.isEmpty ? nil : .map(map)
    }
}
