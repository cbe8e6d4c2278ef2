internal import Documents

/// The header fields of a description's requests (RFC 9110 §5).
enum HeaderFields {
    /// The fields of the connection and of the body's length, which the client writes (RFC 9110 §7.2, §7.6.1, §8.6).
    private static let own: Set = [
        "connection", "content-length", "expect", "host", "keep-alive", "proxy-connection", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]

    /// The characters of a name, besides letters and digits (RFC 9110 §5.6.2).
    private static let marks = Set("!#$%&'*+-.^_`|~")

    static let form = Form<[String: PartyTemplate]>(.map(.scalar), words: "mapping of field names to: text") { value in
        guard case .map(let entries) = value.content else { throw value.error("expected a mapping") }
        var fields: [String: PartyTemplate] = [:]
        for entry in entries {
            if let problem = problem(ofName: entry.key) { throw entry.source.error(problem) }
            if isBroken(try entry.value.string()) {
                throw entry.value.error(
                    "the value of the field \(entry.key) has a line break or a control character; "
                        + "write it on one line")
            }
            fields[entry.key] = try PartyTemplate.text.read(entry.value)
        }
        return fields
    }

    static let name = Form<String>(.string(1...Int.max), words: "a field's name") { value in
        let name = try value.singleLine()
        if let problem = problem(ofName: name) { throw value.error(problem) }
        return name
    }

    /// Whether a value has a character that would end the field, or that servers refuse (RFC 9110 §5.5).
    static func isBroken(_ value: String) -> Bool {
        value.unicodeScalars.contains { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F }
    }

    private static func problem(ofName name: String) -> String? {
        let isName = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || marks.contains($0) }
        guard isName, !name.isEmpty else {
            return "\"\(name)\" is not the name of a header field; write letters, digits and hyphens"
        }
        guard !own.contains(name.lowercased()) else {
            return "the client writes the field \(name) itself; remove it"
        }
        return nil
    }
}
