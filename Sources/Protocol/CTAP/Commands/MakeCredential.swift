public import CBOR

/// The parameters of authenticatorMakeCredential, command 0x01 (CTAP 2.3 §6.1).
public struct MakeCredentialRequest: Hashable, Sendable {
    /// The keys of the parameter map.
    package enum Key: Int, MessageKey {
        case clientDataHash = 0x01
        case rp, user, pubKeyCredParams, excludeList, extensions, options, pinUvAuthParam, pinUvAuthProtocol,
            enterpriseAttestation, attestationFormatsPreference
    }

    /// 0x01, 32 bytes.
    public var clientDataHash: [UInt8]
    /// 0x02.
    public var rp: PublicKeyCredentialRPEntity
    /// 0x03.
    public var user: PublicKeyCredentialUserEntity
    /// 0x04, most preferred first.
    public var pubKeyCredParams: [PublicKeyCredentialParameters]
    /// 0x05.
    public var excludeList: [PublicKeyCredentialDescriptor]?
    /// 0x06, by extension identifier.
    public var extensions: [String: CBOR.Value]?
    /// 0x07: `rk`, `up`, `uv`.
    public var options: [String: Bool]
    /// 0x08, over clientDataHash.
    public var pinUvAuthParam: [UInt8]?
    /// 0x09.
    public var pinUvAuthProtocol: Int?
    /// 0x0A: 1 vendor-facilitated, 2 platform-managed.
    public var enterpriseAttestation: Int?
    /// 0x0B, most preferred first (CTAP 2.2).
    public var attestationFormatsPreference: [String]?

    /// A request; enterprise attestation and attestation formats are set afterwards.
    public init(
        clientDataHash: [UInt8], rp: PublicKeyCredentialRPEntity, user: PublicKeyCredentialUserEntity,
        pubKeyCredParams: [PublicKeyCredentialParameters], excludeList: [PublicKeyCredentialDescriptor]? = nil,
        extensions: [String: CBOR.Value]? = nil, options: [String: Bool] = [:], pinUvAuthParam: [UInt8]? = nil,
        pinUvAuthProtocol: Int? = nil
    ) {
        self.clientDataHash = clientDataHash
        self.rp = rp
        self.user = user
        self.pubKeyCredParams = pubKeyCredParams
        self.excludeList = excludeList
        self.extensions = extensions
        self.options = options
        self.pinUvAuthParam = pinUvAuthParam
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
        clientDataHash = try members.required(.clientDataHash, members.bytes)
        rp = try PublicKeyCredentialRPEntity(cbor: members.required(.rp) { members[$0] })
        user = try PublicKeyCredentialUserEntity(cbor: members.required(.user) { members[$0] })
        pubKeyCredParams = try PublicKeyCredentialParameters.list(
            members.required(.pubKeyCredParams) { members[$0] }, path: Key.pubKeyCredParams.name)
        excludeList = try members.read(.excludeList) { value throws(CBOR.AccessError) in
            try PublicKeyCredentialDescriptor.list(value, path: Key.excludeList.name)
        }
        extensions = try members.extensions(.extensions)
        options = try members.options(.options) ?? [:]
        pinUvAuthParam = try members.bytes(.pinUvAuthParam)
        pinUvAuthProtocol = try members.unsigned(.pinUvAuthProtocol)
        enterpriseAttestation = try members.unsigned(.enterpriseAttestation)
        attestationFormatsPreference = try members.texts(.attestationFormatsPreference)
    }

    /// The parameter map.
    public var cbor: CBOR.Value {
        var members = MessageMap<Key>()
        members.set(.clientDataHash, clientDataHash)
        members.set(.rp, rp.cbor)
        members.set(.user, user.cbor)
        members.set(.pubKeyCredParams, .array(pubKeyCredParams.map(\.cbor)))
        members.set(.excludeList, excludeList.map { .array($0.map(\.cbor)) })
        members.set(.extensions, extensions.map { CBOR.Map($0) })
        members.set(.options, options.isEmpty ? nil : .options(options))
        members.set(.pinUvAuthParam, pinUvAuthParam)
        members.set(.pinUvAuthProtocol, pinUvAuthProtocol)
        members.set(.enterpriseAttestation, enterpriseAttestation)
        members.set(.attestationFormatsPreference, attestationFormatsPreference)
        return .map(members.map)
    }
}

/// The answer to authenticatorMakeCredential (CTAP 2.3 §6.1).
public struct MakeCredentialResponse: Hashable, Sendable {
    /// The keys of the response map.
    package enum Key: Int, MessageKey {
        case fmt = 0x01
        case authData, attStmt, epAtt, largeBlobKey, unsignedExtensionOutputs
    }

    /// 0x01, the attestation statement format.
    public var format: String
    /// 0x02, the authenticator data as bytes.
    public var authenticatorData: [UInt8]
    /// 0x03, the attestation statement.
    public var attestationStatement: CBOR.Value
    /// 0x04, whether an enterprise attestation was returned.
    public var enterpriseAttestation: Bool?
    /// 0x05, 32 bytes.
    public var largeBlobKey: [UInt8]?
    /// 0x06 (CTAP 2.2).
    public var unsignedExtensionOutputs: CBOR.Map?

    /// A response.
    public init(
        format: String, authenticatorData: [UInt8], attestationStatement: CBOR.Value,
        enterpriseAttestation: Bool? = nil, largeBlobKey: [UInt8]? = nil,
        unsignedExtensionOutputs: CBOR.Map? = nil
    ) {
        self.format = format
        self.authenticatorData = authenticatorData
        self.attestationStatement = attestationStatement
        self.enterpriseAttestation = enterpriseAttestation
        self.largeBlobKey = largeBlobKey
        self.unsignedExtensionOutputs = unsignedExtensionOutputs
    }

    /// Reads a response.
    ///
    /// - Throws: `CBOR.AccessError` for a response that is not a map, a missing member and one of a wrong type.
    public init(cbor: CBOR.Value) throws(CBOR.AccessError) {
        let members = try MessageMap<Key>(cbor)
        format = try members.required(.fmt, members.text)
        authenticatorData = try members.required(.authData, members.bytes)
        attestationStatement = members[.attStmt] ?? [:]
        enterpriseAttestation = try members.bool(.epAtt)
        largeBlobKey = try members.bytes(.largeBlobKey)
        unsignedExtensionOutputs = try members.map(.unsignedExtensionOutputs)
    }

    /// The response map.
    public var cbor: CBOR.Value {
        var members = MessageMap<Key>()
        members.set(.fmt, format)
        members.set(.authData, authenticatorData)
        members.set(.attStmt, attestationStatement)
        members.set(.epAtt, enterpriseAttestation)
        members.set(.largeBlobKey, largeBlobKey)
        members.set(.unsignedExtensionOutputs, unsignedExtensionOutputs)
        return .map(members.map)
    }
}
