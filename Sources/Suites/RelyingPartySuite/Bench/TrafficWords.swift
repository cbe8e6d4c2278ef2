internal import CBOR
internal import Conformance
internal import Documents
internal import RelyingPartyServer
internal import WebAuthn

/// The words of requests and answers in a case's evidence.
enum TrafficWords {
    /// The longest text of one member or body.
    private static let limit = 2000

    /// The exchange in words, with the decoded response in place of a ceremony's body.
    static func exchange(_ exchange: RelyingPartyExchange, response: JSONValue? = nil) -> CaseExchange {
        var sent = [exchange.request]
        if let response { sent += lines(of: response) }
        return CaseExchange(sent: sent, received: ["\(exchange.status)"] + body(exchange.body))
    }

    /// The beginning of a body other than a page; empty for nothing to say.
    static func hint(_ body: [UInt8]) -> String {
        let text = String(decoding: body.prefix(240), as: UTF8.self)
        guard text.first == "{" || text.first == "[" else { return "" }
        return " " + text.prefix { !$0.isNewline }
    }

    private static func body(_ bytes: [UInt8]) -> [String] {
        guard let json = try? JSONValue(parsing: bytes), let text = try? json.indented() else {
            return bytes.isEmpty ? [] : [shortened(String(decoding: bytes.prefix(limit), as: UTF8.self))]
        }
        return [shortened(text)]
    }

    private static func lines(of response: JSONValue) -> [String] {
        var lines = [shortened((try? response.indented()) ?? "")]
        if let bytes = bytes("clientDataJSON", response) {
            lines.append("clientDataJSON: " + shortened(String(decoding: bytes, as: UTF8.self)))
        }
        if let bytes = bytes("attestationObject", response) { lines += object(bytes) }
        if let bytes = bytes("authenticatorData", response), response["response"]?["attestationObject"] == nil {
            lines.append(authenticatorData(bytes))
        }
        return lines
    }

    private static func bytes(_ name: String, _ response: JSONValue) -> [UInt8]? {
        response["response"]?[name]?.text.flatMap(Base64URL.decode)
    }

    private static func object(_ bytes: [UInt8]) -> [String] {
        guard let value = try? CBOR.decode(bytes, options: .attestation) else {
            return ["attestationObject: \(shortened(Hex.encode(bytes)))"]
        }
        var lines = ["attestationObject: \(shortened("\(value)"))"]
        if case .map(let map) = value, case .bytes(let data)? = map["authData"] {
            lines.append(authenticatorData(data))
        }
        return lines
    }

    private static func authenticatorData(_ bytes: [UInt8]) -> String {
        guard bytes.count >= 37 else { return "authenticator data: \(Hex.encode(bytes))" }
        let flags = AuthenticatorDataFlags(rawValue: bytes[32])
        let counter = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        return "authenticator data: RP ID hash \(Hex.encode(bytes[..<32])), flags 0x\(Hex.encode([bytes[32]])) "
            + "\(flags.abbreviations), counter \(counter), then \(bytes.count - 37) bytes"
    }

    private static func shortened(_ text: String) -> String {
        text.count <= limit ? text : "\(text.prefix(limit))… (\(text.count) characters)"
    }
}
