internal import Documents
internal import RelyingPartyServer

/// A request to the relying party's API that a scenario writes out itself.
package struct SiteRequest: Hashable, Sendable {
    enum Method: String, CaseIterable, Sendable {
        case get = "GET", post = "POST", put = "PUT", patch = "PATCH", delete = "DELETE"
    }

    enum Root: String, CaseIterable, Sendable {
        /// The relying party's API.
        case api
        /// The server, which also has the services and the pages.
        case server

        var path: String {
            switch self {
            case .api: RelyingPartyServer.api
            case .server: ""
            }
        }
    }

    let method: Method
    let root: Root
    /// The path below the root; a name in braces stands for a kept text.
    let path: String
    /// Further header fields; a name in braces stands for a kept text.
    let headers: [String: String]
    let body: JSONValue?
    /// The texts of the answer that later requests use: a name, and the JSON Pointer of the text.
    let kept: [String: String]
}

extension SiteRequest {
    static let verb = StepVerb(
        "request", at: .site,
        .required("path", path, "The path below /api/v1/auth, or the server's root; {NAME} stands for a kept text."),
        .optional("method", .choice, "The method; default: GET, with a body POST."),
        .optional("body", body, "The JSON body; {NAME} stands for a kept text."),
        .optional(
            "at", Form<Root>.choice, "The root of the path: api, or server for services and pages; default: api."),
        .optional(
            "headers", Form.table(of: .scalar).nonEmpty, "Further header fields; {NAME} stands for a kept text."),
        .optional("bearer", .scalar, "The access token of the request; {NAME} stands for a kept text."),
        .optional("keep", kept, "Texts of the answer for later requests: a name, and a JSON Pointer (RFC 6901).")
    ) { path, method, body, root, headers, bearer, kept in
        var headers = headers ?? [:]
        if let bearer { headers["Authorization"] = "Bearer \(bearer)" }
        return .site(
            .request(
                SiteRequest(
                    method: method ?? (body == nil ? .get : .post), root: root ?? .api, path: path, headers: headers,
                    body: body, kept: kept ?? [:])))
    }

    private static let path = Form(.pattern("/.*"), words: "a path that begins with /") { value in
        let path = try value.string()
        guard path.hasPrefix("/") else { throw value.error("expected a path that begins with /, found \"\(path)\"") }
        return path
    }

    private static let body = Form(.any, words: "JSON") { JSONValue($0) }

    private static let kept = Form.table(of: Form<String>.jsonPointer).nonEmpty

    /// Whether it has a place for a kept text.
    func uses(_ name: String) -> Bool {
        let body = body.flatMap { try? $0.bytes() }.map { String(decoding: $0, as: UTF8.self) }
        return ([path, body].compactMap(\.self) + headers.values).contains { $0.contains("{\(name)}") }
    }

    var title: String { "sends \(method.rawValue) \(path)" }

    func perform(at site: Site) async throws {
        let path = try site.filled(path)
        let body = try body.map { body throws(PlaybackError) in try site.filled(body) }
        let headers = try headers.mapValues { text throws(PlaybackError) in try site.filled(text) }
        let exchange = try await site.send(method.rawValue, path, below: root.path, body, headers: headers)
        guard let exchange, !kept.isEmpty else { return }
        let answer = try exchange.decode(JSONValue.self)
        var texts: [String: String] = [:]
        for (name, pointer) in kept {
            guard let text = answer.value(at: pointer)?.text else {
                throw PlaybackError("the answer has no text at \(pointer)")
            }
            texts[name] = text
        }
        site.keep(texts)
    }
}

extension Site {
    /// A body in which each name in braces is replaced by the text kept under it.
    fileprivate nonisolated func filled(_ value: JSONValue) throws(PlaybackError) -> JSONValue {
        switch value {
        case .text(let text): return .text(try filled(text))
        case .array(let items): return .array(try items.map { item throws(PlaybackError) in try filled(item) })
        case .object(let members):
            var result: [String: JSONValue] = [:]
            for (name, member) in members { result[name] = try filled(member) }
            return .object(result)
        case .null, .bool, .integer, .number: return value
        }
    }
}

extension Form where Value == String {
    /// A JSON Pointer (RFC 6901).
    static var jsonPointer: Form {
        Form(.pattern("/.*"), words: "a JSON Pointer") { value in
            let pointer = try value.string()
            guard pointer.hasPrefix("/") else {
                throw value.error("expected a JSON Pointer such as /passkeys/0, found \"\(pointer)\"")
            }
            return pointer
        }
    }
}
