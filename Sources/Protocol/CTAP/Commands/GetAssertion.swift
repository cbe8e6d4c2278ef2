public import CBOR

/// The parameters of authenticatorGetAssertion, command 0x02 (CTAP 2.3 §6.2).
public struct GetAssertionRequest: Hashable, Sendable {
    /// 0x01.
    public var relyingPartyID: String
    /// 0x02, 32 bytes.
    public var clientDataHash: [UInt8]
    /// 0x03; nil asks for discoverable credentials.
    public var allowList: [PublicKeyCredentialDescriptor]?
    /// 0x04, by extension identifier.
    public var extensions: [String: CBOR.Value]?
    /// 0x05: `up`, `uv`.
    public var options: [String: Bool]
    /// 0x06, over clientDataHash.
    public var pinUvAuthParam: [UInt8]?
    /// 0x07.
    public var pinUvAuthProtocol: Int?

    public init(
        relyingPartyID: String, clientDataHash: [UInt8], allowList: [PublicKeyCredentialDescriptor]? = nil,
        extensions: [String: CBOR.Value]? = nil, options: [String: Bool] = [:], pinUvAuthParam: [UInt8]? = nil,
        pinUvAuthProtocol: Int? = nil
    ) {
        self.relyingPartyID = relyingPartyID
        self.clientDataHash = clientDataHash
        self.allowList = allowList
        self.extensions = extensions
        self.options = options
        self.pinUvAuthParam = pinUvAuthParam
        self.pinUvAuthProtocol = pinUvAuthProtocol
    }

    /// Reads the parameters; throws the refusal the wire calls for.
    public init(cbor: CBOR.Value) throws(Refusal) {
        let parameters = try RequestParameters(cbor)
        relyingPartyID = try parameters.required(0x01, "rpId") { value throws(CBOR.AccessError) in
            try value.asText("rpId")
        }
        clientDataHash = try parameters.required(0x02, "clientDataHash") { value throws(CBOR.AccessError) in
            try value.asBytes("clientDataHash")
        }
        allowList = try parameters.optional(0x03) { value throws(CBOR.AccessError) in
            try PublicKeyCredentialDescriptor.list(value, path: "allowList")
        }
        extensions = try parameters.optional(0x04, readExtensions)
        options = try parameters.optional(0x05, readOptions) ?? [:]
        pinUvAuthParam = try parameters.optional(0x06) { value throws(CBOR.AccessError) in
            try value.asBytes("pinUvAuthParam")
        }
        pinUvAuthProtocol = try parameters.optional(0x07) { value throws(CBOR.AccessError) in
            try value.asUnsigned("pinUvAuthProtocol")
        }
    }

    /// The parameter map.
    public var cbor: CBOR.Value {
        var map: CBOR.Map = [0x01: .text(relyingPartyID), 0x02: .bytes(clientDataHash)]
        if let allowList { map[0x03] = .array(allowList.map(\.cbor)) }
        if let extensions { map[0x04] = .map(CBOR.Map(extensions)) }
        if !options.isEmpty { map[0x05] = .map(CBOR.Map(options.mapValues { .bool($0) })) }
        if let pinUvAuthParam { map[0x06] = .bytes(pinUvAuthParam) }
        if let pinUvAuthProtocol { map[0x07] = .integer(pinUvAuthProtocol) }
        return .map(map)
    }
}

/// The answer to authenticatorGetAssertion and authenticatorGetNextAssertion (CTAP 2.3 §6.2, §6.3).
public struct GetAssertionResponse: Hashable, Sendable {
    /// 0x01.
    public var credential: PublicKeyCredentialDescriptor?
    /// 0x02, the authenticator data as bytes.
    public var authenticatorData: [UInt8]
    /// 0x03.
    public var signature: [UInt8]
    /// 0x04, for discoverable credentials.
    public var user: PublicKeyCredentialUserEntity?
    /// 0x05, on the first of several answers.
    public var numberOfCredentials: Int?
    /// 0x06, true when the person chose the account on the device.
    public var userSelected: Bool?
    /// 0x07, 32 bytes.
    public var largeBlobKey: [UInt8]?
    /// 0x08 (CTAP 2.2).
    public var unsignedExtensionOutputs: CBOR.Map?

    public init(
        credential: PublicKeyCredentialDescriptor?, authenticatorData: [UInt8], signature: [UInt8],
        user: PublicKeyCredentialUserEntity? = nil, numberOfCredentials: Int? = nil, userSelected: Bool? = nil,
        largeBlobKey: [UInt8]? = nil, unsignedExtensionOutputs: CBOR.Map? = nil
    ) {
        self.credential = credential
        self.authenticatorData = authenticatorData
        self.signature = signature
        self.user = user
        self.numberOfCredentials = numberOfCredentials
        self.userSelected = userSelected
        self.largeBlobKey = largeBlobKey
        self.unsignedExtensionOutputs = unsignedExtensionOutputs
    }

    /// Reads an answer.
    public init(cbor: CBOR.Value) throws(CBOR.AccessError) {
        let map = try cbor.asMap("the response")
        if let value = map[0x01] { credential = try PublicKeyCredentialDescriptor(cbor: value, path: "credential") }
        authenticatorData = try map.required(0x02, "authData").asBytes("authData")
        signature = try map.required(0x03, "signature").asBytes("signature")
        if let value = map[0x04] { user = try PublicKeyCredentialUserEntity(cbor: value) }
        numberOfCredentials = try map[0x05]?.asUnsigned("numberOfCredentials")
        userSelected = try map[0x06]?.asBool("userSelected")
        largeBlobKey = try map[0x07]?.asBytes("largeBlobKey")
        unsignedExtensionOutputs = try map[0x08]?.asMap("unsignedExtensionOutputs")
    }

    /// The response map.
    public var cbor: CBOR.Value {
        var map: CBOR.Map = [0x02: .bytes(authenticatorData), 0x03: .bytes(signature)]
        if let credential { map[0x01] = credential.cbor }
        if let user { map[0x04] = user.cbor }
        if let numberOfCredentials { map[0x05] = .integer(numberOfCredentials) }
        if let userSelected { map[0x06] = .bool(userSelected) }
        if let largeBlobKey { map[0x07] = .bytes(largeBlobKey) }
        if let unsignedExtensionOutputs { map[0x08] = .map(unsignedExtensionOutputs) }
        return .map(map)
    }
}
