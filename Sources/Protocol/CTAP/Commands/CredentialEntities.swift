public import CBOR
public import COSE
internal import MessageValues
public import WebAuthn

/// A credential's descriptor in requests and answers: `{"id": bytes, "type": "public-key"}` (WebAuthn L3 §5.8.3).
public struct PublicKeyCredentialDescriptor: Hashable, Sendable {
    /// The credential type.
    public var type: String
    /// The credential's ID.
    public var id: [UInt8]
    /// The transports, when the platform states them.
    public var transports: [AuthenticatorTransport]?

    /// A credential by its ID.
    public init(id: [UInt8], type: String = "public-key", transports: [AuthenticatorTransport]? = nil) {
        self.id = id
        self.type = type
        self.transports = transports
    }

    /// The CBOR form.
    public var cbor: CBOR.Value { item }
}

/// The relying party of a request: `{"id": text, "name": text}` (WebAuthn L3 §5.4.2).
public struct PublicKeyCredentialRPEntity: Hashable, Sendable {
    /// The RP ID.
    public var id: String
    /// The name to show, if any.
    public var name: String?

    /// A relying party by its ID.
    public init(id: String, name: String? = nil) {
        self.id = id
        self.name = name
    }

    /// The CBOR form.
    public var cbor: CBOR.Value { item }
}

/// The account of a credential: `{"id": bytes, "name": text, "displayName": text}` (WebAuthn L3 §5.4.3).
public struct PublicKeyCredentialUserEntity: Hashable, Sendable {
    /// The user handle, 1 to 64 bytes.
    public var id: [UInt8]
    /// The account's name.
    public var name: String?
    /// The name the user chose to be addressed by.
    public var displayName: String?

    /// An account by its user handle.
    public init(id: [UInt8], name: String? = nil, displayName: String? = nil) {
        self.id = id
        self.name = name
        self.displayName = displayName
    }

    /// Reads the CBOR form.
    public init(cbor: CBOR.Value) throws(CBOR.AccessError) { try self.init(item: cbor, named: "user") }

    /// The CBOR form.
    public var cbor: CBOR.Value { item }
}

/// One acceptable kind of key: `{"type": "public-key", "alg": integer}` (WebAuthn L3 §5.3).
public struct PublicKeyCredentialParameters: Hashable, Sendable {
    /// The credential type.
    public var type: String
    /// The algorithm.
    public var algorithm: COSE.Algorithm

    /// A credential type and an algorithm.
    public init(algorithm: COSE.Algorithm, type: String = "public-key") {
        self.algorithm = algorithm
        self.type = type
    }

    /// The CBOR form.
    public var cbor: CBOR.Value { item }
}

// MARK: The tables of members, in canonical order

extension PublicKeyCredentialDescriptor: CodedMap, MemberValue {
    package enum Key: String, MessageKey { case id, type, transports }
    package static let blank = PublicKeyCredentialDescriptor(id: [])

    package mutating func code(_ members: inout MessageCoder<Key>) {
        members.member(.id, &id)
        members.member(.type, &type)
        members.member(.transports, &transports)
    }
}

extension PublicKeyCredentialRPEntity: CodedMap, MemberValue {
    package enum Key: String, MessageKey { case id, icon, name }
    package static let blank = PublicKeyCredentialRPEntity(id: "")

    package mutating func code(_ members: inout MessageCoder<Key>) {
        members.member(.id, &id)
        // Removed from the specification but still sent.
        members.ignored(.icon, String.self)
        members.member(.name, &name)
    }
}

extension PublicKeyCredentialUserEntity: CodedMap, MemberValue {
    package enum Key: String, MessageKey { case id, icon, name, displayName }
    package static let blank = PublicKeyCredentialUserEntity(id: [])

    package mutating func code(_ members: inout MessageCoder<Key>) {
        members.member(.id, &id)
        members.ignored(.icon, String.self)
        members.member(.name, &name)
        members.member(.displayName, &displayName)
    }
}

extension PublicKeyCredentialParameters: CodedMap, MemberValue {
    package enum Key: String, MessageKey { case alg, type }
    package static let blank = PublicKeyCredentialParameters(algorithm: COSE.Algorithm(rawValue: 0))

    package mutating func code(_ members: inout MessageCoder<Key>) {
        members.member(.alg, &algorithm)
        members.member(.type, &type)
    }
}
