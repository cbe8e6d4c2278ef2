extension TraceField: Codable {
    private enum Keys: String, CodingKey {
        case key, name, type, value, meaning, secret, length, problem, items
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encodeIfPresent(key, forKey: .key)
        try container.encodeIfPresent(name, forKey: .name)
        try container.encode(type.rawValue, forKey: .type)
        try container.encodeIfPresent(value, forKey: .value)
        try container.encodeIfPresent(meaning, forKey: .meaning)
        try container.encodeIfPresent(secret?.rawValue, forKey: .secret)
        try container.encodeIfPresent(length, forKey: .length)
        try container.encodeIfPresent(problem, forKey: .problem)
        if !items.isEmpty { try container.encode(items, forKey: .items) }
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        let type = try container.decode(String.self, forKey: .type)
        guard let kind = Kind(rawValue: type) else { throw TraceFormatError("a field's `type` is \"\(type)\"") }
        let secret = try container.decodeIfPresent(String.self, forKey: .secret).map { label in
            guard let secrecy = Secrecy(rawValue: label) else {
                throw TraceFormatError("a field's `secret` is \"\(label)\"")
            }
            return secrecy
        }
        self.init(
            key: try container.decodeIfPresent(String.self, forKey: .key),
            name: try container.decodeIfPresent(String.self, forKey: .name), type: kind,
            value: try container.decodeIfPresent(String.self, forKey: .value),
            meaning: try container.decodeIfPresent(String.self, forKey: .meaning), secret: secret,
            length: try container.decodeIfPresent(Int.self, forKey: .length),
            problem: try container.decodeIfPresent(String.self, forKey: .problem),
            items: try container.decodeIfPresent([TraceField].self, forKey: .items) ?? [])
    }
}
