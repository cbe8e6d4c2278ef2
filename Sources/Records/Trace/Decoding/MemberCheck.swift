package import CBOR
package import CTAP
internal import MessageValues
internal import Wording

/// The comparison of a message's map with the table of its members.
package struct MemberCheck: Hashable, Sendable {
    /// The required members that the map lacks, such as `user.id`.
    package private(set) var missing: [String] = []
    /// The members that no specification names.
    package private(set) var unknown: [String] = []
    /// The members with a value of another type, each with both types in words.
    package private(set) var mistyped: [String] = []
    /// The number of members that the specification names, in the map itself.
    package private(set) var known = 0

    /// Compares the parameters of a request.
    package init(request map: CBOR.Map, of command: CTAPCommand) {
        self.init(map, CommandDescription.all[command]?.request ?? [])
    }

    /// Compares the members of a response.
    package init(response map: CBOR.Map, to command: CTAPCommand) {
        self.init(map, CommandDescription.all[command]?.response ?? [])
    }

    /// The subcommand of a request, if no specification names it.
    package static func unknownSubcommand(_ map: CBOR.Map, of command: CTAPCommand) -> Int? {
        guard let subcommand = CommandDescription.all[command]?.subcommand,
            let number = map[subcommand.key].flatMap({ try? $0.asUnsigned("") })
        else { return nil }
        return subcommand.names[number] == nil ? number : nil
    }

    private init(_ map: CBOR.Map, _ members: [MapMember]) {
        known = map.keys.filter { key in members.contains { $0.key == key } }.count
        check(map, members, at: "")
    }

    private mutating func check(_ map: CBOR.Map, _ members: [MapMember], at path: String, isOpen: Bool = false) {
        for member in members where member.isRequired && map[member.key] == nil {
            missing.append(path + Self.label(member))
        }
        for (key, value) in map {
            guard let member = members.first(where: { $0.key == key }) else {
                if !isOpen { unknown.append(path + Self.label(key)) }
                continue
            }
            guard member.admits(value) else {
                let found = value.kind.rawValue
                mistyped.append(
                    "\(path)\(Self.label(member)) is \(Wording.article(found)), not \(member.words)")
                continue
            }
            // Extensions of others may be in their maps.
            checkInside(value, member.shape, at: path + member.name, isOpen: member.holdsExtensions)
        }
    }

    private mutating func checkInside(_ value: CBOR.Value, _ shape: Shape, at path: String, isOpen: Bool) {
        switch (shape, value) {
        case (.members(let members), .map(let map)): check(map, members, at: path + ".", isOpen: isOpen)
        case (.list(let shape), .array(let items)):
            for (place, item) in items.enumerated() {
                checkInside(item, shape, at: "\(path)[\(place)]", isOpen: isOpen)
            }
        default: break
        }
    }

    private static func label(_ member: MapMember) -> String {
        guard case .text = member.key else { return "\(member.name) (\(label(member.key)))" }
        return member.name
    }

    private static func label(_ key: CBOR.Value) -> String {
        guard case .unsigned(let number) = key else { return key.description }
        let digits = String(number, radix: 16, uppercase: true)
        return "0x" + (digits.count == 1 ? "0" : "") + digits
    }
}

extension MapMember {
    var holdsExtensions: Bool { name == "extensions" || name == "unsignedExtensionOutputs" }

    /// Whether a value has the member's type.
    func admits(_ value: CBOR.Value) -> Bool { (type?.admits(value) ?? true) && shape.admits(value) }

    /// The member's type in words; a type that admits any item leaves it to the shape.
    var words: String {
        guard let type, !(type.admits(.null) && type.admits(.bool(true))) else { return shape.words }
        return type.words
    }
}

extension Shape {
    fileprivate func admits(_ value: CBOR.Value) -> Bool {
        switch (self, value) {
        case (.integer, .unsigned), (.integer, .negative), (.bits, .unsigned), (.algorithm, .unsigned),
            (.algorithm, .negative), (.bool, .bool), (.text, .text), (.list, .array), (.members, .map),
            (.dictionary, .map), (.bytes, .bytes), (.textInBytes, .bytes), (.aaguid, .bytes),
            (.authenticatorData, .bytes):
            true
        case (.selected(.member, _), _): if case .map = value { true } else { false }
        case (.secret, _), (.selected, _), (.anything, _), (.unknown, _): true
        default: false
        }
    }

    fileprivate var words: String {
        switch self {
        case .integer, .bits, .algorithm: "an integer"
        case .bool: "a boolean"
        case .text: "a text string"
        case .bytes, .textInBytes, .aaguid, .authenticatorData: "a byte string"
        case .list: "an array"
        case .members, .dictionary, .selected(.member, _): "a map"
        case .secret, .selected, .anything, .unknown: "any item"
        }
    }
}
