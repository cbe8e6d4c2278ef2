internal import COSE
internal import CTAP
internal import Documents

extension ExpectedInfo {
    /// Reads the `get-info` section: members by the specification's names.
    ///
    /// - Throws: ``SourceError`` for an unknown member, a value of a wrong kind, and a fixed value that depends on the
    ///   key's setup.
    init(reading value: YAMLValue) throws(SourceError) {
        members = [:]
        options = [:]
        for (name, value) in try value.entries() {
            guard let member = InfoMember(name: name), member != .aaguid else {
                throw value.error(
                    name == "aaguid"
                        ? "list the AAGUIDs in aaguids" : "getInfo has no member \(name) (CTAP 2.3 §6.4)")
            }
            if member == .options {
                for (identifier, value) in try value.entries() {
                    options[identifier] = try Self.option(identifier, value)
                }
            } else {
                members[member] = try Self.isAny(value) ? .present : Self.value(of: member, value)
            }
        }
        guard members[.versions] != nil else { throw value.error("versions is missing") }
    }

    private static func option(_ identifier: String, _ value: YAMLValue) throws(SourceError) -> Option {
        guard let option = InfoOption(rawValue: identifier) else {
            throw value.error("getInfo has no option \(identifier) (CTAP 2.3 §6.4)")
        }
        if isAny(value) { return .present }
        guard !option.dependsOnSetUp else { throw value.error("the value depends on the key's setup; write any") }
        return .value(try value.bool())
    }

    private static func isAny(_ value: YAMLValue) -> Bool { (try? value.string()) == "any" }

    private static func value(of member: InfoMember, _ value: YAMLValue) throws(SourceError) -> Value {
        switch member.kind {
        case .set: .set(Set(try items(of: member, value)))
        case .preference: .preference(try items(of: member, value))
        case .number: .number(try range(value))
        case .flag: .flag(try value.bool())
        case .address: .text(try value.string())
        case .levels: .levels(try levels(value))
        case .bytes, .options: throw value.error("the value differs in every key; write any")
        }
    }

    private static func items(of member: InfoMember, _ value: YAMLValue) throws(SourceError) -> [String] {
        var items: [String] = []
        for item in try value.items() {
            switch member {
            case .algorithms:
                let name = try item.string()
                guard COSE.Algorithm(name: name) != nil else { throw item.error("unknown algorithm \"\(name)\"") }
                items.append(name)
            case .pinUvAuthProtocols, .vendorPrototypeConfigCommands, .authenticatorConfigCommands:
                items.append(String(try item.int(in: 0...Int.max)))
            default: items.append(try item.string())
            }
        }
        return items
    }

    /// A number, or `{ from: …, to: … }`.
    private static func range(_ value: YAMLValue) throws(SourceError) -> ClosedRange<Int> {
        guard value.isMapping else {
            let number = try value.int()
            return number...number
        }
        let fields = try value.fields(["from", "to"])
        let lower = try fields["from"]?.int() ?? 0
        let upper = try fields["to"]?.int() ?? Int(Int32.max)
        guard lower <= upper else { throw value.error("from is greater than to; swap them") }
        return lower...upper
    }

    private static func levels(_ value: YAMLValue) throws(SourceError) -> [String: Int] {
        var levels: [String: Int] = [:]
        for (name, level) in try value.entries() { levels[name] = try level.int() }
        return levels
    }
}
