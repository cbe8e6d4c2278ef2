internal import Documents
internal import LoopbackHTTP

/// A request of a description, and the answer that means success.
package struct PartyRequest: Sendable {
    package enum Method: String, CaseIterable, Sendable {
        case get = "GET", post = "POST", put = "PUT", patch = "PATCH", delete = "DELETE"
    }

    /// Where it is written.
    var source: SourcePlace?
    private var writtenMethod: Method?
    var path = PartyTemplate("/")
    var headers: [String: PartyTemplate] = [:]
    /// The JSON body; nil for none.
    var body: PartyTemplate?
    /// The fields of a form; nil for none.
    var form: PartyTemplate?
    /// The statuses of success; empty for all from 200 to 299.
    var statuses: [Int] = []
    /// The members of the answer that mean success, by JSON Pointer.
    var members: [String: JSONValue] = [:]
    /// The beginnings of paths to which the relying party redirects when it refuses.
    var refusalLocations: [String] = []
    /// The texts of the answer that later requests use, by name.
    var kept: [String: KeptText] = [:]

    var method: Method { writtenMethod ?? (body == nil && form == nil ? .get : .post) }

    var mentions: [PartyTemplate.Mention] {
        ([path] + headers.values + [body, form].compactMap(\.self)).flatMap(\.mentions)
    }

    func mentions(_ placeholder: PartyPlaceholder) -> Bool { mentions.contains { $0.name == placeholder.rawValue } }

    /// The reason why an answer does not mean success; nil where it does.
    ///
    /// - Parameters:
    ///   - json: the answer's body; nil where it is not JSON.
    ///   - location: the path to which the answer redirects.
    func shortcoming(ofStatus status: Int, _ json: JSONValue?, location: String) -> String? {
        let allowed = statuses.isEmpty ? "200 to 299" : statuses.map(String.init).joined(separator: " or ")
        guard statuses.isEmpty ? (200..<300).contains(status) : statuses.contains(status) else {
            return "the status is \(status), the description expects \(allowed)"
        }
        for (pointer, expected) in members.sorted(by: { $0.key < $1.key }) where json?.value(at: pointer) != expected {
            let seen = json?.value(at: pointer).map(Self.words)
            return "\(pointer) is \(seen ?? "missing"), the description expects \(Self.words(expected))"
        }
        guard !refusalLocations.contains(where: { location.hasPrefix($0) }) else {
            return "the answer redirects to \(location), as a refusal does"
        }
        return nil
    }

    /// A value as JSON, so that the text "true" differs from the flag.
    private static func words(_ value: JSONValue) -> String {
        (try? value.bytes()).map { String(decoding: $0, as: UTF8.self) } ?? "\(value)"
    }

    static let section = DocumentSection<PartyRequest> {
        DocumentKey("path", \.path, PartyTemplate.path, "The path below url, with the query.", .required)
        DocumentKey("method", \.writtenMethod, .choice, "The method; default: GET, with a body or a form POST.")
        DocumentKey("headers", \.headers, HeaderFields.form, "Further header fields.")
        DocumentKey("body", \.body, PartyTemplate.json, "The JSON body.")
        DocumentKey("form", \.form, PartyTemplate.fields, "The fields of a form, in place of a body.")
        DocumentKey("status", \.statuses, .statuses, "The status of success, or a list of them; default: 200 to 299.")
        DocumentKey(
            "success", \.members, .members, "The members of the answer that mean success, by JSON Pointer (RFC 6901).")
        DocumentKey(
            "unless-location", \.refusalLocations, .locations,
            "The path, or the beginning of it, to which a refusal redirects; or a list of them.")
        DocumentKey(
            "keep", \.kept, .table(of: .kept),
            "Texts of the answer for later requests: a name, and a JSON Pointer (RFC 6901).")
    } check: { request, fields in
        request.source = fields.owner.source
        try fields.needContent("headers", "status", "success", "unless-location", "keep")
        for (name, kept) in request.kept where PartyPlaceholder(rawValue: name) != nil {
            throw kept.source.error("{\(name)} is the name of a built-in placeholder; choose another name")
        }
        if let form = fields["form"], request.body != nil {
            throw form.error("a request has a body or a form; remove one")
        }
    }

    static let shape = Form.mapping(section, from: PartyRequest(), named: "Request")
}

/// A text of an answer.
struct KeptText: Sendable {
    /// Its JSON Pointer.
    let pointer: String
    let source: SourcePlace
}

extension Form<KeptText> {
    fileprivate static var kept: Form {
        let pointer = Form<String>.pointer
        return Form(pointer.schema, words: pointer.words) { value in
            KeptText(pointer: try pointer.read(value), source: value.source)
        }
    }
}

extension Form where Value == String {
    static var pointer: Form {
        Form(.pattern("/.*"), words: "a JSON Pointer") { value in
            let pointer = try value.string()
            guard pointer.hasPrefix("/") else {
                throw value.error("expected a JSON Pointer such as /publicKey, found \"\(pointer)\"")
            }
            return pointer
        }
    }
}

extension Form<[String]> {
    fileprivate static var locations: Form {
        let path = Form<String>(.pattern("/.*"), words: "a path that begins with /") { value in
            let path = try value.string()
            guard path.hasPrefix("/") else {
                throw value.error("expected a path that begins with /, found \"\(path)\"")
            }
            return path
        }
        return Form(.anyOf([path.schema, .array(path.schema)]), words: "a path that begins with /, or a list") {
            value in
            try value.itemsOrSelf().map(path.read)
        }
    }
}

extension Form<[Int]> {
    fileprivate static var statuses: Form {
        let status = Form<Int>.number(100...599)
        return Form(.anyOf([status.schema, .array(status.schema)]), words: "100 to 599, or a list") { value in
            try value.itemsOrSelf().map(status.read)
        }
    }
}

extension Form<[String: JSONValue]> {
    static var members: Form {
        Form(.map(.scalar), words: "mapping of JSON Pointers to values") { value in
            var members: [String: JSONValue] = [:]
            guard case .map(let entries) = value.content else { throw value.error("expected a mapping") }
            for entry in entries {
                guard entry.key.hasPrefix("/") else {
                    throw entry.source.error("expected a JSON Pointer such as /status, found \"\(entry.key)\"")
                }
                members[entry.key] = JSONValue(entry.value)
            }
            return members
        }
    }
}
