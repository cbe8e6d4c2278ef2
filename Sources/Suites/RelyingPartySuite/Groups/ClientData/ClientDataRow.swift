internal import Conformance

/// A change of client data, and the right answer of a relying party in both ceremonies.
struct ClientDataRow: Sendable {
    let name: String
    /// The change, as a noun phrase after "with".
    let what: String
    let step: SharedStep
    let outcome: CeremonyOutcome
    let level: Level
    let change: @Sendable (inout ForgedClientData, TestedCeremony) -> Void

    init(
        _ name: String, _ what: String, _ step: SharedStep, _ outcome: CeremonyOutcome = .refused,
        level: Level = .must, _ change: @escaping @Sendable (inout ForgedClientData, TestedCeremony) -> Void
    ) {
        (self.name, self.what, self.step, self.outcome, self.level) = (name, what, step, outcome, level)
        self.change = change
    }

    /// A change that is the same in both ceremonies.
    init(
        _ name: String, _ what: String, _ step: SharedStep, _ outcome: CeremonyOutcome = .refused,
        level: Level = .must, _ change: @escaping @Sendable (inout ForgedClientData) -> Void
    ) {
        self.init(name, what, step, outcome, level: level) { data, _ in change(&data) }
    }

    func conformanceCase(_ ceremony: TestedCeremony) -> Case {
        let id = "clientData.\(name)"
        let clause = step.clause(ceremony)
        return switch ceremony {
        case .registration:
            .registration(id, with: what, is: outcome, clause, level: level) { [change] in
                change(&$0.clientData, ceremony)
            }
        case .assertion:
            .assertion(id, with: what, is: outcome, clause, level: level) { [change] in
                change(&$0.clientData, ceremony)
            }
        }
    }

    static let all = encodings + members + types + challenges + origins + frames

    private static let encodings: [ClientDataRow] = [
        .init("byteOrderMark", "client data that begins with a byte order mark", .decoding, .accepted) {
            $0.write = { [0xEF, 0xBB, 0xBF] + Array($0.utf8) }
        },
        .init("twoByteOrderMarks", "client data that begins with two byte order marks", .parsing) {
            $0.write = { [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF] + Array($0.utf8) }
        },
        .init("utf16", "client data in UTF-16", .decoding) {
            $0.write = { $0.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] } }
        },
        .init("utf16.mark", "client data in UTF-16 with a byte order mark", .decoding) {
            $0.write = { text in
                [0xFF, 0xFE]
                    + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
            }
        },
        .init("invalidUTF8", "an invalid UTF-8 byte in the origin of client data", .origin) { data in
            data.write = { Array($0.replacing("://", with: ":/\u{1}/").utf8).map { $0 == 1 ? 0xFF : $0 } }
        },
        .init("whitespace", "white space between the members of client data", .parsing, .accepted) { data in
            data.write = { Array($0.replacing(",\"", with: " ,\r\n\t\"").utf8) }
        },
        .init("whitespace.around", "white space around client data", .parsing, .accepted) {
            $0.write = { Array((" \n" + $0 + "\n ").utf8) }
        },
        .init("escapes", "client data whose type is written with escapes", .parsing, .accepted) { data, ceremony in
            data["type"] = ForgedClientData.quoted(ceremony.clientDataType).replacing("w", with: "\\u0077")
        },
        .init("escapes.names", "client data whose names are written with escapes", .parsing, .accepted) { data in
            data.write = { Array($0.replacing("\"type\":", with: "\"\\u0074ype\":").utf8) }
        },
        .init("empty", "empty client data", .parsing) { $0.write = { _ in [] } },
        .init("null", "client data that is null", .parsing) { $0.write = { _ in Array("null".utf8) } },
        .init("array", "client data that is an array", .parsing) { $0.write = { Array("[\($0)]".utf8) } },
        .init("text", "client data that is a text", .parsing) {
            $0.write = { Array(ForgedClientData.quoted($0).utf8) }
        },
        .init("number", "client data that is a number", .parsing) { $0.write = { _ in Array("0".utf8) } },
        .init("truncated", "client data without its last brace", .parsing) {
            $0.write = { Array($0.utf8.dropLast()) }
        },
        .init("surplus", "client data with a brace after its end", .parsing) { $0.write = { Array("\($0)}".utf8) } },
        .init("surplus.object", "client data with an object after its end", .parsing) {
            $0.write = { Array("\($0){}".utf8) }
        },
        .init("surplus.nul", "client data with a NUL after its end", .parsing) { $0.write = { Array($0.utf8) + [0] } },
        .init("trailingComma", "client data with a comma after the last member", .parsing) {
            $0.write = { Array(($0.dropLast() + ",}").utf8) }
        },
        .init("comment", "client data with a comment", .parsing) { $0.write = { Array("/* */\($0)".utf8) } },
        .init("singleQuotes", "client data with single quotes", .parsing) {
            $0.write = { Array($0.replacing("\"", with: "'").utf8) }
        },
        .init("cbor", "client data in CBOR", .parsing) { $0.write = { _ in [0xA0] } },
    ]

    /// Rows of unknown, reordered and repeated members.
    private static let members: [ClientDataRow] =
        [
            .init("unknownMember", "client data with an unknown member", .parsing, .accepted) {
                $0["new_member"] = "\"added by a later version\""
            },
            .init("unknownMember.object", "client data with an unknown object", .parsing, .accepted) {
                $0["new_member"] = #"{"type":"webauthn.other","nested":[1,2.5,null,true]}"#
            },
            .init("unknownMember.unicode", "client data with an unknown member beyond ASCII", .parsing, .accepted) {
                $0["ny_medlem"] = "\"Blåbærsyltetøy 🫐\""
            },
            .init("order", "client data whose members are in another order", .parsing, .accepted) {
                $0.members.reverse()
            },
            .init("duplicate.type", "client data with a second, wrong type", .parsing, level: .should) {
                $0.members.insert(.init(name: "type", json: "\"webauthn.other\""), at: 0)
            },
            .init("duplicate.challenge", "client data with a second, wrong challenge", .parsing, level: .should) {
                $0.members.insert(.init(name: "challenge", json: "\"AAAAAAAAAAAAAAAAAAAAAA\""), at: 0)
            },
            .init("duplicate.origin", "client data with a second, wrong origin", .parsing, level: .should) {
                $0.members.insert(.init(name: "origin", json: "\"https://other.example\""), at: 0)
            },
            .init("tokenBinding.supported", "client data that states token binding as supported", .parsing, .accepted) {
                $0["tokenBinding"] = #"{"status":"supported"}"#
            },
        ] + ["type", "challenge", "origin"].flatMap(required)

    private static func required(_ name: String) -> [ClientDataRow] {
        let step: SharedStep = name == "type" ? .type : name == "challenge" ? .challenge : .origin
        let values: [(String, String, String)] = [
            ("null", "null", "is null"), ("number", "0", "is a number"), ("boolean", "true", "is true"),
            ("array", "[]", "is an array"), ("object", "{}", "is an object"), ("empty", "\"\"", "is empty"),
        ]
        return [
            ClientDataRow("\(name).missing", "client data without \(name)", step) { $0[name] = nil },
            ClientDataRow("\(name).inArray", "client data whose \(name) is in an array", step) {
                $0[name] = "[\($0[name] ?? "")]"
            },
        ]
            + values.map { suffix, json, words in
                ClientDataRow("\(name).\(suffix)", "client data whose \(name) \(words)", step) { $0[name] = json }
            }
    }
}
