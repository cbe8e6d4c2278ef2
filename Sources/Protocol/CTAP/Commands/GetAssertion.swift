public import CBOR
internal import MessageValues

/// The parameters of authenticatorGetAssertion, command 0x02 (CTAP 2.3 §6.2).
public struct GetAssertionRequest: Hashable, Sendable {
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

    /// Reads the parameters; a device answers with the refusal thrown.
    public init(cbor: CBOR.Value) throws(Refusal) { try self.init(parameters: cbor) }

    /// The parameter map.
    public var cbor: CBOR.Value { .map(map) }
}

/// The answer to authenticatorGetAssertion and authenticatorGetNextAssertion (CTAP 2.3 §6.2, §6.3).
public struct GetAssertionResponse: Hashable, Sendable {
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
    public init(cbor: CBOR.Value) throws(CBOR.AccessError) { try self.init(item: cbor, named: "the response") }

    /// The response map.
    public var cbor: CBOR.Value { .map(map) }
}

// MARK: The tables of members

extension GetAssertionRequest: CodedMap {
    package static let blank = GetAssertionRequest(relyingPartyID: "", clientDataHash: [])

    package mutating func code(_ members: inout MessageCoder<Key>) {
        members.member(.rpId, &relyingPartyID)
        members.member(.clientDataHash, &clientDataHash)
        members.member(.allowList, &allowList)
        members.member(.extensions, &extensions)
        members.requestOptions(.options, &options)
        members.member(.pinUvAuthParam, &pinUvAuthParam)
        members.member(.pinUvAuthProtocol, &pinUvAuthProtocol)
    }
}

extension GetAssertionResponse: CodedMap {
    package static let blank = GetAssertionResponse(credential: nil, authenticatorData: [], signature: [])

    package mutating func code(_ members: inout MessageCoder<Key>) {
        members.member(.credential, &credential)
        members.member(.authData, &authenticatorData)
        members.member(.signature, &signature)
        members.member(.user, &user)
        members.member(.numberOfCredentials, &numberOfCredentials)
        members.member(.userSelected, &userSelected)
        members.member(.largeBlobKey, &largeBlobKey)
        members.member(.unsignedExtensionOutputs, &unsignedExtensionOutputs)
    }
}
