public import CBOR

/// The parameters of authenticatorMakeCredential, command 0x01 (CTAP 2.3 §6.1).
public struct MakeCredentialRequest: Hashable, Sendable {
    /// 0x01, 32 bytes.
    public var clientDataHash: [UInt8]
    /// 0x02.
    public var rp: PublicKeyCredentialRPEntity
    /// 0x03.
    public var user: PublicKeyCredentialUserEntity
    /// 0x04, most wanted first.
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
    /// 0x0B, most wanted first (CTAP 2.2).
    public var attestationFormatsPreference: [String]?

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

    /// Reads the parameters; throws the refusal the wire calls for.
    public init(cbor: CBOR.Value) throws(Refusal) {
        let parameters = try RequestParameters(cbor)
        clientDataHash = try parameters.required(0x01, "clientDataHash") { value throws(CBOR.AccessError) in
            try value.asBytes("clientDataHash")
        }
        rp = try parameters.required(0x02, "rp") { value throws(CBOR.AccessError) in
            try PublicKeyCredentialRPEntity(cbor: value)
        }
        user = try parameters.required(0x03, "user") { value throws(CBOR.AccessError) in
            try PublicKeyCredentialUserEntity(cbor: value)
        }
        pubKeyCredParams = try parameters.required(0x04, "pubKeyCredParams") { value throws(CBOR.AccessError) in
            try PublicKeyCredentialParameters.list(value, path: "pubKeyCredParams")
        }
        excludeList = try parameters.optional(0x05) { value throws(CBOR.AccessError) in
            try PublicKeyCredentialDescriptor.list(value, path: "excludeList")
        }
        extensions = try parameters.optional(0x06, readExtensions)
        options = try parameters.optional(0x07, readOptions) ?? [:]
        pinUvAuthParam = try parameters.optional(0x08) { value throws(CBOR.AccessError) in
            try value.asBytes("pinUvAuthParam")
        }
        pinUvAuthProtocol = try parameters.optional(0x09) { value throws(CBOR.AccessError) in
            try value.asUnsigned("pinUvAuthProtocol")
        }
        enterpriseAttestation = try parameters.optional(0x0A) { value throws(CBOR.AccessError) in
            try value.asUnsigned("enterpriseAttestation")
        }
        attestationFormatsPreference = try parameters.optional(0x0B) { value throws(CBOR.AccessError) in
            var formats: [String] = []
            for item in try value.asArray("attestationFormatsPreference") {
                formats.append(try item.asText("attestationFormatsPreference"))
            }
            return formats
        }
    }

    /// The parameter map.
    public var cbor: CBOR.Value {
        var map: CBOR.Map = [
            0x01: .bytes(clientDataHash), 0x02: rp.cbor, 0x03: user.cbor,
            0x04: .array(pubKeyCredParams.map(\.cbor)),
        ]
        if let excludeList { map[0x05] = .array(excludeList.map(\.cbor)) }
        if let extensions { map[0x06] = .map(CBOR.Map(extensions)) }
        if !options.isEmpty { map[0x07] = .map(CBOR.Map(options.mapValues { .bool($0) })) }
        if let pinUvAuthParam { map[0x08] = .bytes(pinUvAuthParam) }
        if let pinUvAuthProtocol { map[0x09] = .integer(pinUvAuthProtocol) }
        if let enterpriseAttestation { map[0x0A] = .integer(enterpriseAttestation) }
        if let attestationFormatsPreference {
            map[0x0B] = .array(attestationFormatsPreference.map { .text($0) })
        }
        return .map(map)
    }
}

extension CBOR.Map {
    /// A map with text keys.
    init(_ entries: [String: CBOR.Value]) {
        self.init()
        for (key, value) in entries { self[key] = value }
    }
}

/// The answer to authenticatorMakeCredential (CTAP 2.3 §6.1).
public struct MakeCredentialResponse: Hashable, Sendable {
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

    /// Reads an answer.
    public init(cbor: CBOR.Value) throws(CBOR.AccessError) {
        let map = try cbor.asMap("the response")
        format = try map.required(0x01, "fmt").asText("fmt")
        authenticatorData = try map.required(0x02, "authData").asBytes("authData")
        attestationStatement = map[0x03] ?? [:]
        enterpriseAttestation = try map[0x04]?.asBool("epAtt")
        largeBlobKey = try map[0x05]?.asBytes("largeBlobKey")
        unsignedExtensionOutputs = try map[0x06]?.asMap("unsignedExtensionOutputs")
    }

    /// The response map.
    public var cbor: CBOR.Value {
        var map: CBOR.Map = [
            0x01: .text(format), 0x02: .bytes(authenticatorData), 0x03: attestationStatement,
        ]
        if let enterpriseAttestation { map[0x04] = .bool(enterpriseAttestation) }
        if let largeBlobKey { map[0x05] = .bytes(largeBlobKey) }
        if let unsignedExtensionOutputs { map[0x06] = .map(unsignedExtensionOutputs) }
        return .map(map)
    }
}
