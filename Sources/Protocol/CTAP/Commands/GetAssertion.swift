public import CBOR

/// The parameters of authenticatorGetAssertion, command 0x02 (CTAP 2.3 §6.2).
public struct GetAssertionRequest: Hashable, Sendable {
    /// The keys of the parameter map.
    package enum Key: Int, MessageKey {
        case rpId = 0x01
        case clientDataHash, allowList, extensions, options, pinUvAuthParam, pinUvAuthProtocol
    }

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

    /// A request.
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
        relyingPartyID = try members.required(.rpId, members.text)
        clientDataHash = try members.required(.clientDataHash, members.bytes)
        allowList = try members.read(.allowList) { value throws(CBOR.AccessError) in
            try PublicKeyCredentialDescriptor.list(value, path: Key.allowList.name)
        }
        extensions = try members.extensions(.extensions)
        options = try members.options(.options) ?? [:]
        pinUvAuthParam = try members.bytes(.pinUvAuthParam)
        pinUvAuthProtocol = try members.unsigned(.pinUvAuthProtocol)
    }

    /// The parameter map.
    public var cbor: CBOR.Value {
        var members = MessageMap<Key>()
        members.set(.rpId, relyingPartyID)
        members.set(.clientDataHash, clientDataHash)
        members.set(.allowList, allowList.map { .array($0.map(\.cbor)) })
        members.set(.extensions, extensions.map { CBOR.Map($0) })
        members.set(.options, options.isEmpty ? nil : .options(options))
        members.set(.pinUvAuthParam, pinUvAuthParam)
        members.set(.pinUvAuthProtocol, pinUvAuthProtocol)
        return .map(members.map)
    }
}

/// The answer to authenticatorGetAssertion and authenticatorGetNextAssertion (CTAP 2.3 §6.2, §6.3).
public struct GetAssertionResponse: Hashable, Sendable {
    /// The keys of the response map.
    package enum Key: Int, MessageKey {
        case credential = 0x01
        case authData, signature, user, numberOfCredentials, userSelected, largeBlobKey, unsignedExtensionOutputs
    }

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
    /// 0x06, true when the user chose the account on the device.
    public var userSelected: Bool?
    /// 0x07, 32 bytes.
    public var largeBlobKey: [UInt8]?
    /// 0x08 (CTAP 2.2).
    public var unsignedExtensionOutputs: CBOR.Map?

    /// A response.
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

    /// Reads a response.
    ///
    /// - Throws: `CBOR.AccessError` for a response that is not a map, a missing member and one of a wrong type.
    public init(cbor: CBOR.Value) throws(CBOR.AccessError) {
        let members = try MessageMap<Key>(cbor)
        credential = try members.read(.credential) { value throws(CBOR.AccessError) in
            try PublicKeyCredentialDescriptor(cbor: value, path: Key.credential.name)
        }
        authenticatorData = try members.required(.authData, members.bytes)
        signature = try members.required(.signature, members.bytes)
        user = try members.read(.user, PublicKeyCredentialUserEntity.init)
        numberOfCredentials = try members.unsigned(.numberOfCredentials)
        userSelected = try members.bool(.userSelected)
        largeBlobKey = try members.bytes(.largeBlobKey)
        unsignedExtensionOutputs = try members.map(.unsignedExtensionOutputs)
    }

    /// The response map.
    public var cbor: CBOR.Value {
        var members = MessageMap<Key>()
        members.set(.credential, credential?.cbor)
        members.set(.authData, authenticatorData)
        members.set(.signature, signature)
        members.set(.user, user?.cbor)
        members.set(.numberOfCredentials, numberOfCredentials)
        members.set(.userSelected, userSelected)
        members.set(.largeBlobKey, largeBlobKey)
        members.set(.unsignedExtensionOutputs, unsignedExtensionOutputs)
        return .map(members.map)
    }
}
