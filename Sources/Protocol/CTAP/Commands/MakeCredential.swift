public import CBOR
internal import MessageValues

/// The parameters of authenticatorMakeCredential, command 0x01 (CTAP 2.3 §6.1).
public struct MakeCredentialRequest: Hashable, Sendable {
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

    /// Reads the parameters; a device answers with the refusal thrown.
    public init(cbor: CBOR.Value) throws(Refusal) { try self.init(parameters: cbor) }

    /// The parameter map.
    public var cbor: CBOR.Value { .map(map) }
}

/// The answer to authenticatorMakeCredential (CTAP 2.3 §6.1).
public struct MakeCredentialResponse: Hashable, Sendable {
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
    public init(cbor: CBOR.Value) throws(CBOR.AccessError) { try self.init(item: cbor, named: "the response") }

    /// The response map.
    public var cbor: CBOR.Value { .map(map) }
}

// MARK: The tables of members

extension MakeCredentialRequest: CodedMap {
    package static let blank = MakeCredentialRequest(clientDataHash: [], rp: .blank, user: .blank, pubKeyCredParams: [])

    package mutating func code(_ members: inout MessageCoder<Key>) {
        members.member(.clientDataHash, &clientDataHash)
        members.member(.rp, &rp)
        members.member(.user, &user)
        members.member(.pubKeyCredParams, &pubKeyCredParams)
        members.member(.excludeList, &excludeList)
        members.member(.extensions, &extensions)
        members.requestOptions(.options, &options)
        members.member(.pinUvAuthParam, &pinUvAuthParam)
        members.member(.pinUvAuthProtocol, &pinUvAuthProtocol)
        members.member(.enterpriseAttestation, &enterpriseAttestation)
        members.member(.attestationFormatsPreference, &attestationFormatsPreference)
    }
}

extension MakeCredentialResponse: CodedMap {
    package static let blank = MakeCredentialResponse(format: "", authenticatorData: [], attestationStatement: [:])

    package mutating func code(_ members: inout MessageCoder<Key>) {
        members.member(.fmt, &format)
        members.member(.authData, &authenticatorData)
        members.member(.attStmt, orAbsent: &attestationStatement)
        members.member(.epAtt, &enterpriseAttestation)
        members.member(.largeBlobKey, &largeBlobKey)
        members.member(.unsignedExtensionOutputs, &unsignedExtensionOutputs)
    }
}
