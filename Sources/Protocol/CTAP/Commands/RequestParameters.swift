internal import CBOR

/// Reads the parameter map of a request member by member.
///
/// Unknown members are skipped (CTAP 2.3 §8: receivers ignore what they do not know); a known member of the wrong
/// type is refused with 0x11 and a required one that is absent with 0x14.
struct RequestParameters {
    private let map: CBOR.Map

    init(_ value: CBOR.Value) throws(Refusal) {
        map = try refusing { () throws(CBOR.AccessError) in try value.asMap("the parameters") }
    }

    /// The member under a key, read by `convert`, or nil when it is absent.
    func optional<T>(
        _ key: Int, _ convert: (CBOR.Value) throws(CBOR.AccessError) -> T
    ) throws(Refusal) -> T? {
        guard let value = map[key] else { return nil }
        return try refusing { () throws(CBOR.AccessError) in try convert(value) }
    }

    /// The member under a key, read by `convert`; 0x14 when it is absent.
    func required<T>(
        _ key: Int, _ name: String, _ convert: (CBOR.Value) throws(CBOR.AccessError) -> T
    ) throws(Refusal) -> T {
        guard let value = try optional(key, convert) else {
            throw Refusal(CBOR.AccessError(problem: .missing, path: name))
        }
        return value
    }
}

extension RequestParameters {
    func unsigned(_ key: Int, _ name: String) throws(Refusal) -> Int? {
        try optional(key) { value throws(CBOR.AccessError) in try value.asUnsigned(name) }
    }

    func bytes(_ key: Int, _ name: String) throws(Refusal) -> [UInt8]? {
        try optional(key) { value throws(CBOR.AccessError) in try value.asBytes(name) }
    }

    func bool(_ key: Int, _ name: String) throws(Refusal) -> Bool? {
        try optional(key) { value throws(CBOR.AccessError) in try value.asBool(name) }
    }
}

/// Runs a reader of CBOR items and turns its complaint into the refusal the wire calls for.
func refusing<T>(_ body: () throws(CBOR.AccessError) -> T) throws(Refusal) -> T {
    do {
        return try body()
    } catch {
        throw Refusal(error)
    }
}

/// Reads a map from text to booleans, the form of `options`.
func readOptions(_ value: CBOR.Value) throws(CBOR.AccessError) -> [String: Bool] {
    var options: [String: Bool] = [:]
    for (key, value) in try value.asMap("options") {
        let name = try key.asText("a key of options")
        options[name] = try value.asBool("options.\(name)")
    }
    return options
}

/// Reads the `extensions` map, whose keys are extension identifiers.
func readExtensions(_ value: CBOR.Value) throws(CBOR.AccessError) -> [String: CBOR.Value] {
    var extensions: [String: CBOR.Value] = [:]
    for (key, value) in try value.asMap("extensions") {
        extensions[try key.asText("a key of extensions")] = value
    }
    return extensions
}
