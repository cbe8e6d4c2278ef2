internal import CBOR
internal import COSE
internal import WebAuthn

/// Decodes CBOR into fields by the tables of this folder; every item gives a field.
enum FieldDecoder {
    /// The members of a map, in the order of the wire.
    static func fields(_ map: CBOR.Map, as members: [MapMember]) -> [TraceField] {
        map.map { key, value in
            let member = members.first { $0.key == key }
            return named(field(value, as: member?.shape ?? .unknown, beside: map), value, key, member?.name)
        }
    }

    /// One item; a member of the map it is in, `siblings`, may determine its shape.
    static func field(_ value: CBOR.Value, as shape: Shape, beside siblings: CBOR.Map? = nil) -> TraceField {
        switch (shape, value) {
        case (.secret, _): return secret(value, .declared)
        case (.selected(let selector, let shapes), _):
            return field(value, as: decided(selector, shapes, value, siblings), beside: siblings)
        case (.integer(let names), .unsigned), (.integer(let names), .negative):
            return plain(value, meaning: integer(value).flatMap { names[$0] })
        case (.bits(let names), .unsigned(let bits)): return plain(value, meaning: words(bits, names))
        case (.algorithm, .unsigned), (.algorithm, .negative):
            return plain(value, meaning: integer(value).flatMap { COSE.Algorithm(rawValue: $0).name })
        case (.text, .text), (.bytes, .bytes), (.anything, .text), (.anything, .bytes): return plain(value)
        case (.textInBytes, .bytes(let bytes)): return plain(value, meaning: String(validating: bytes, as: UTF8.self))
        case (.aaguid, .bytes(let bytes)):
            guard let aaguid = AAGUID(bytes: bytes) else { return secret(value, .possible) }
            return plain(value, meaning: aaguid.description)
        case (.authenticatorData(let outputs), .bytes(let bytes)):
            var whole = plain(value)
            whole.items = AuthenticatorDataDecoder.fields(bytes, outputs: outputs)
            return whole
        case (.members(let members), .map(let map)): return TraceField(type: .map, items: fields(map, as: members))
        case (.dictionary(let shape), .map(let map)):
            return TraceField(type: .map, items: map.map { named(field($1, as: shape), $1, $0, nil) })
        case (.list(let shape), .array(let items)):
            return TraceField(type: .array, items: items.map { field($0, as: shape) })
        case (_, .bytes), (_, .text): return secret(value, .possible)
        case (_, .array(let items)): return TraceField(type: .array, items: items.map { field($0, as: shape.inside) })
        case (_, .map(let map)):
            return TraceField(type: .map, items: map.map { named(field($1, as: shape.inside), $1, $0, nil) })
        case (_, .tagged(let tag, let item)):
            return TraceField(type: .tag, value: "\(tag)", items: [field(item, as: shape.inside)])
        default: return plain(value)
        }
    }

    /// A secret, with its value, which masking removes.
    static func secret(_ value: CBOR.Value, _ secrecy: TraceField.Secrecy) -> TraceField {
        var field = plain(value)
        field.secret = secrecy
        if field.length == nil { field.length = CBOR.encode(value, ordering: .asGiven).count }
        return field
    }

    /// A value without parts.
    static func plain(_ value: CBOR.Value, meaning: String? = nil) -> TraceField {
        var field = TraceField(type: kind(of: value), value: value.description, meaning: meaning)
        switch value {
        case .bytes(let bytes):
            field.value = Hex.encode(bytes)
            field.length = bytes.count
        case .text(let text):
            field.value = text
            field.length = text.utf8.count
        default: break
        }
        return field
    }

    private static func decided(
        _ selector: Shape.Selector, _ shapes: [Int: Shape], _ value: CBOR.Value, _ siblings: CBOR.Map?
    ) -> Shape {
        let number: CBOR.Value? =
            switch (selector, value) {
            case (.sibling(let key), _): siblings?[key]
            case (.member(let key), .map(let map)): map[key]
            default: nil
            }
        return number.flatMap(integer).flatMap { shapes[$0] } ?? .unknown
    }

    private static func named(
        _ field: TraceField, _ value: CBOR.Value, _ key: CBOR.Value, _ name: String?
    ) -> TraceField {
        var field = field
        switch key {
        case .unsigned, .negative:
            field.key = key.description
            field.name = name
        case .text(let text) where name != nil || isIdentifier(text): field.name = text
        default:
            // A key that is not an identifier may be secret data, which the message's raw bytes contain too.
            field = secret(value, field.secret ?? .possible)
            field.key = "(\(key.kind.rawValue))"
        }
        return field
    }

    private static func isIdentifier(_ text: String) -> Bool {
        // Extension identifiers have at most 32 octets (WebAuthn L3 §9.1).
        text.utf8.count <= 32
            && text.unicodeScalars.allSatisfy {
                $0.isASCII
                    && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || "-_.:".unicodeScalars.contains($0))
            }
    }

    private static func words(_ bits: UInt64, _ names: [String]) -> String? {
        let words = (0..<64).filter { bits >> UInt64($0) & 1 == 1 }
            .map { $0 < names.count ? names[$0] : "bit \($0)" }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    static func integer(_ value: CBOR.Value) -> Int? { try? value.asInteger("") }

    private static func kind(of value: CBOR.Value) -> TraceField.Kind {
        switch value {
        case .unsigned, .negative: .integer
        case .bytes: .bytes
        case .text: .text
        case .array: .array
        case .map: .map
        case .tagged: .tag
        case .bool: .bool
        case .null: .null
        case .undefined: .undefined
        case .simple: .simple
        case .float16, .float32, .float64: .float
        }
    }
}

extension Shape {
    /// The shape of the parts of an item that does not have the expected shape.
    fileprivate var inside: Shape { if case .anything = self { .anything } else { .unknown } }
}
