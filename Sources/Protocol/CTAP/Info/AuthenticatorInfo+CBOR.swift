public import CBOR
internal import WebAuthn

extension AuthenticatorInfo {
    /// Reads an answer; unknown members are skipped.
    ///
    /// - Throws: `CBOR.AccessError` for an answer that is not a map, a missing `versions` or `aaguid`, and a member of
    ///   a wrong type.
    public init(cbor: CBOR.Value) throws(CBOR.AccessError) {
        let map = try cbor.asMap("getInfo")
        self.init(versions: [], aaguid: .zero)
        for member in InfoMember.allCases {
            if let value = map[member.rawValue] {
                try member.field.read(value, member.name, &self)
            } else if member.isRequired {
                throw CBOR.AccessError(problem: .missing, path: member.name)
            }
        }
    }

    /// The response map.
    public var cbor: CBOR.Value {
        var map = CBOR.Map()
        for member in InfoMember.allCases { map[member.rawValue] = member.field.write(self) }
        return .map(map)
    }
}

/// The mapping of a getInfo member between ``AuthenticatorInfo`` and CBOR.
struct InfoField: Sendable {
    let type: InfoMember.ValueType
    let read: @Sendable (CBOR.Value, String, inout AuthenticatorInfo) throws(CBOR.AccessError) -> Void
    let write: @Sendable (AuthenticatorInfo) -> CBOR.Value?

    typealias Path<Value> = any WritableKeyPath<AuthenticatorInfo, Value?> & Sendable

    private init<Value>(
        _ type: InfoMember.ValueType, _ path: Path<Value>,
        _ decode: @escaping @Sendable (CBOR.Value, String) throws(CBOR.AccessError) -> Value,
        _ encode: @escaping @Sendable (Value) -> CBOR.Value
    ) {
        self.type = type
        read = { value, name, info throws(CBOR.AccessError) in info[keyPath: path] = try decode(value, name) }
        write = { $0[keyPath: path].map(encode) }
    }

    static func unsigned(_ path: Path<Int>) -> InfoField {
        InfoField(.unsigned, path, { value, name throws(CBOR.AccessError) in try value.asUnsigned(name) }) {
            .integer($0)
        }
    }

    static func bool(_ path: Path<Bool>) -> InfoField {
        InfoField(.bool, path, { value, name throws(CBOR.AccessError) in try value.asBool(name) }) { .bool($0) }
    }

    static func bytes(
        _ path: Path<[UInt8]>, _ type: InfoMember.ValueType = .bytes
    ) -> InfoField {
        InfoField(type, path, { value, name throws(CBOR.AccessError) in try value.asBytes(name) }) { .bytes($0) }
    }

    static func texts(_ path: Path<[String]>) -> InfoField {
        InfoField(.texts, path, { value, name throws(CBOR.AccessError) in try value.asTexts(name) }) { .texts($0) }
    }

    static func unsigneds(_ path: Path<[Int]>) -> InfoField {
        InfoField(
            .unsigneds, path,
            { value, name throws(CBOR.AccessError) in
                var numbers: [Int] = []
                for item in try value.asArray(name) { numbers.append(try item.asUnsigned(name)) }
                return numbers
            }
        ) { .array($0.map { .integer($0) }) }
    }

    static let versions = texts(\.requiredVersions)

    static let aaguid = InfoField(
        .aaguid, \.requiredAAGUID,
        { value, name throws(CBOR.AccessError) in
            guard let aaguid = AAGUID(bytes: try value.asBytes(name)) else {
                throw CBOR.AccessError(problem: .outOfRange, path: name)
            }
            return aaguid
        }
    ) { .bytes($0.bytes) }

    static let options = InfoField(
        .options, \.options, { value, _ throws(CBOR.AccessError) in try value.asOptions() }
    ) { .options($0) }

    static let algorithms = InfoField(
        .algorithms, \.algorithms,
        { value, name throws(CBOR.AccessError) in try PublicKeyCredentialParameters.list(value, path: name) }
    ) { .array($0.map(\.cbor)) }

    static let certifications = InfoField(
        .levels, \.certifications,
        { value, name throws(CBOR.AccessError) in
            var levels: [String: Int] = [:]
            for (key, level) in try value.asMap(name) { levels[try key.asText(name)] = try level.asUnsigned(name) }
            return levels
        }
    ) { .map(CBOR.Map($0.mapValues { .integer($0) })) }
}

extension AuthenticatorInfo {
    fileprivate var requiredVersions: [String]? {
        get { versions }
        set { versions = newValue ?? [] }
    }

    fileprivate var requiredAAGUID: AAGUID? {
        get { aaguid }
        set { aaguid = newValue ?? .zero }
    }
}
