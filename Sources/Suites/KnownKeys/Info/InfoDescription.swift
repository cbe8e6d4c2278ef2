package import CBOR
package import CTAP
package import Documents
internal import Tables

/// A getInfo answer, member by member and in words, for a table and for JSON.
package struct InfoDescription: Codable, Hashable, Sendable {
    /// One member of the answer, or a missing member with a default.
    package struct Member: Codable, Hashable, Sendable {
        /// Its number; nil for a key that is not a number.
        package let number: Int?
        /// The specification's name; nil for a member no specification names.
        package let name: String?
        /// Whether the answer has it; if not, the value is the default.
        package let isListed: Bool
        package let value: JSONValue
        /// The value in words; one row for each option.
        package let rows: [Row]
    }

    package struct Row: Codable, Hashable, Sendable {
        /// `maxMsgSize`, `options.clientPin`, `0x20`.
        package let name: String
        package let value: String
        package let meaning: String
    }

    /// The known members by number, then the unknown ones.
    package let members: [Member]

    package var rows: [Row] { members.flatMap(\.rows) }

    /// Describes a whole answer, unknown members included.
    ///
    /// - Parameter answer: the map of the answer, without the status byte.
    /// - Throws: `CBOR.AccessError` for an answer that is not a map. Values of a wrong type are described.
    package init(_ answer: CBOR.Value) throws(CBOR.AccessError) { self.init(map: try answer.asMap("getInfo")) }

    /// Describes a decoded answer, without the members that ``AuthenticatorInfo`` does not know.
    package init(_ info: AuthenticatorInfo) { self.init(map: CBOR.Map(info.cbor)) }

    private init(map: CBOR.Map) {
        var members: [Member] = []
        for member in InfoMember.allCases {
            if let value = map[member.rawValue] {
                members.append(Self.describe(member, value))
            } else if let implied = Self.implied(member) {
                members.append(implied)
            }
        }
        for key in map.unknownKeys { members.append(Self.unknown(key, map[key] ?? .null)) }
        self.members = members
    }

    private static func describe(_ member: InfoMember, _ value: CBOR.Value) -> Member {
        var rows: [Row] = []
        if member == .options, case .map(let options) = value {
            rows = optionRows(options)
        } else {
            rows = [Row(name: member.name, value: InfoWords.value(value, of: member), meaning: member.meaning)]
        }
        return Member(
            number: member.rawValue, name: member.name, isListed: true, value: InfoWords.json(value, of: member),
            rows: rows)
    }

    private static func optionRows(_ options: CBOR.Map) -> [Row] {
        var rows: [Row] = []
        for (key, value) in options {
            let identifier = TerminalText.escaped(InfoWords.identifier(key))
            guard case .bool(let flag) = value else {
                rows.append(Row(name: "options.\(identifier)", value: value.description, meaning: "not true or false"))
                continue
            }
            rows.append(
                Row(
                    name: "options.\(identifier)", value: "\(flag)",
                    meaning: InfoOption(rawValue: identifier)?.meaning(of: flag) ?? "no specification names this option"
                ))
        }
        for option in InfoOption.allCases where options[option.rawValue] == nil {
            guard let flag = option.absentValue else { continue }
            rows.append(
                Row(
                    name: "options.\(option.rawValue)", value: "absent, which means \(flag)",
                    meaning: option.meaning(of: flag)))
        }
        return rows
    }

    /// A missing member with its default, where the specification gives one.
    private static func implied(_ member: InfoMember) -> Member? {
        guard let value = member.absentValue.map(JSONValue.init) else { return nil }
        let words =
            switch value {
            case .integer(let number): InfoWords.amount(number, of: member)
            case .bool(let flag): "\(flag)"
            default: ""
            }
        return Member(
            number: member.rawValue, name: member.name, isListed: false, value: value,
            rows: [Row(name: member.name, value: "absent, which means \(words)", meaning: member.meaning)])
    }

    private static func unknown(_ key: CBOR.Value, _ value: CBOR.Value) -> Member {
        Member(
            number: try? key.asInteger("key"), name: nil, isListed: true, value: JSONValue(value),
            rows: [
                Row(name: InfoWords.name(ofUnknown: key), value: value.description, meaning: InfoWords.unknownMember)
            ])
    }
}
