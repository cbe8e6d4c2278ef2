public import CBOR
public import COSE

/// A credential's descriptor in requests and answers: `{"id": bytes, "type": "public-key"}` (WebAuthn L3 §5.8.3).
public struct PublicKeyCredentialDescriptor: Hashable, Sendable {
    /// The credential type.
    public var type: String
    /// The credential's ID.
    public var id: [UInt8]
    /// The transports, when the platform states them.
    public var transports: [String]?

    /// A credential by its ID.
    public init(id: [UInt8], type: String = "public-key", transports: [String]? = nil) {
        self.id = id
        self.type = type
        self.transports = transports
    }

    init(cbor: CBOR.Value, path: @autoclosure () -> String) throws(CBOR.AccessError) {
        let map = try cbor.asMap(path())
        type = try map.required("type", "\(path()).type").asText("\(path()).type")
        id = try map.required("id", "\(path()).id").asBytes("\(path()).id")
        transports = try map["transports"]?.asTexts("\(path()).transports")
    }

    /// The CBOR form.
    public var cbor: CBOR.Value {
        var map: CBOR.Map = ["id": .bytes(id), "type": .text(type)]
        if let transports { map["transports"] = .array(transports.map { .text($0) }) }
        return .map(map)
    }

    static func list(
        _ value: CBOR.Value, path: @autoclosure () -> String
    ) throws(CBOR.AccessError) -> [PublicKeyCredentialDescriptor] {
        var list: [PublicKeyCredentialDescriptor] = []
        for (index, item) in try value.asArray(path()).enumerated() {
            list.append(try PublicKeyCredentialDescriptor(cbor: item, path: "\(path())[\(index)]"))
        }
        return list
    }
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

    init(cbor: CBOR.Value) throws(CBOR.AccessError) {
        let map = try cbor.asMap("rp")
        id = try map.required("id", "rp.id").asText("rp.id")
        name = try map["name"]?.asText("rp.name")
        // Removed from the specification but still sent: its type is checked, its value is ignored.
        _ = try map["icon"]?.asText("rp.icon")
    }

    /// The CBOR form.
    public var cbor: CBOR.Value {
        var map: CBOR.Map = ["id": .text(id)]
        if let name { map["name"] = .text(name) }
        return .map(map)
    }
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
    public init(cbor: CBOR.Value) throws(CBOR.AccessError) {
        let map = try cbor.asMap("user")
        id = try map.required("id", "user.id").asBytes("user.id")
        name = try map["name"]?.asText("user.name")
        displayName = try map["displayName"]?.asText("user.displayName")
        _ = try map["icon"]?.asText("user.icon")
    }

    /// The CBOR form.
    public var cbor: CBOR.Value {
        var map: CBOR.Map = ["id": .bytes(id)]
        if let name { map["name"] = .text(name) }
        if let displayName { map["displayName"] = .text(displayName) }
        return .map(map)
    }
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

    init(cbor: CBOR.Value, path: @autoclosure () -> String) throws(CBOR.AccessError) {
        let map = try cbor.asMap(path())
        type = try map.required("type", "\(path()).type").asText("\(path()).type")
        let identifier = try map.required("alg", "\(path()).alg").asInteger("\(path()).alg")
        algorithm = COSE.Algorithm(rawValue: identifier)
    }

    /// The CBOR form.
    public var cbor: CBOR.Value {
        ["alg": .integer(algorithm.rawValue), "type": .text(type)]
    }

    static func list(
        _ value: CBOR.Value, path: @autoclosure () -> String
    ) throws(CBOR.AccessError) -> [PublicKeyCredentialParameters] {
        var list: [PublicKeyCredentialParameters] = []
        for (index, item) in try value.asArray(path()).enumerated() {
            list.append(try PublicKeyCredentialParameters(cbor: item, path: "\(path())[\(index)]"))
        }
        return list
    }
}
