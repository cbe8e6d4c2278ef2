internal import Documents
internal import Providers
internal import RelyingPartyServer
internal import VirtualAuthenticator
internal import WebAuthn

extension Expectation.Subject {
    static let wire: [Self] = ListBuilder<Self>.list {
        members("body", "Members of the relying party's last answer, by JSON Pointer; none for a missing one.") {
            $0.observation.exchanges.last?.body
        }
        members("sent", "Members of the last request to the relying party, by JSON Pointer; none for a missing one.") {
            $0.observation.exchanges.last?.requestBody
        }
        Self(
            "contains", .part, .everywhere,
            "A part of the last answer's text, such as a page's; each item of a list must be there."
        ) { $0.lastText }
        Self(
            "lacks", .missingPart, .everywhere,
            "A text that the last answer does not have; no item of a list may be there."
        ) { $0.lastText }
        Self(
            "content-type", .text, .everywhere, "The media type of the relying party's last answer."
        ) { checker in [checker.observation.exchanges.last?.contentType].compactMap { $0 } }
        Self(
            "page-problems", .text, .everywhere,
            "The requirements of WCAG 2.2 AA that the last answer, a page or a style sheet, misses in its text; none for nothing."
        ) { checker in
            guard let answer = checker.observation.exchanges.last else { return ["no answer"] }
            let text = String(decoding: answer.body, as: UTF8.self)
            return switch answer.contentType {
            case "text/html": PageAudit.problems(of: text)
            case "text/css": StyleAudit.problems(of: text)
            default: ["no page"]
            }
        }
        Self(
            "private-keys-sent", .number, .simulatedDevice(),
            "The number of the device's private keys that occur in the requests to the relying party."
        ) { checker in
            ["\(checker.privateKeysSent)"]
        }
    }

    static let table = Self(
        "table", .counted(LoopbackServices.tables), .everywhere,
        "A table of the relying party's database, and the number of its rows."
    ) { $0.observation.tables.map { "\($0.name) \($0.rows)" } }

    private static func members(
        _ name: String, _ meaning: String, _ body: @escaping @Sendable (ExpectationChecker) -> [UInt8]?
    ) -> Self {
        var subject = Self(name, .members, .everywhere, meaning) { checker in
            body(checker).map { [String(decoding: $0, as: UTF8.self)] } ?? []
        }
        subject.document = { checker in body(checker).flatMap { try? JSONValue(parsing: $0) } }
        return subject
    }
}

extension Expectation.Check {
    /// - Parameter documents: the documents that were read for other checks of the step, by subject.
    func observed(_ checker: ExpectationChecker, _ documents: inout [String: JSONValue]) -> [String] {
        guard let member else { return subject.observe(checker) }
        let document = documents[subject.name] ?? subject.document?(checker) ?? .null
        documents[subject.name] = document
        return document.value(at: member).flatMap(\.observation).map { [$0] } ?? []
    }
}

extension JSONValue {
    /// The value as an expectation writes it; nil for null.
    fileprivate var observation: String? {
        switch self {
        case .null: nil
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .text(let value): value
        case .array, .object: (try? bytes()).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}

extension ExpectationChecker {
    fileprivate var lastText: [String] {
        observation.exchanges.last.map { [String(decoding: $0.body, as: UTF8.self)] } ?? []
    }

    /// The number of the device's private keys that a request contains, as bytes, base64url or hexadecimal digits.
    fileprivate var privateKeysSent: Int {
        let bodies = observation.exchanges.map(\.requestBody)
        return (snapshot?.credentials ?? []).count { credential in
            let key = credential.privateKeyBytes
            let forms = [key, Array(Base64URL.encode(key).utf8), Array(Hex.encode(key).utf8)]
            return bodies.contains { body in forms.contains { body.contains($0) } }
        }
    }
}
