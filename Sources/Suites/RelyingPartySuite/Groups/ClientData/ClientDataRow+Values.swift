internal import Conformance
internal import WebAuthn

extension ClientDataRow {
    static let types: [ClientDataRow] = [
        .init("type.other", "client data of the other ceremony", .type) { data, ceremony in
            data.set("type", ceremony.other.clientDataType)
        },
        .init("type.case", "client data whose type is in capitals", .type) { data, ceremony in
            data.set("type", ceremony.clientDataType.uppercased())
        },
        .init("type.space", "client data whose type ends with a space", .type) { data, ceremony in
            data.set("type", ceremony.clientDataType + " ")
        },
        .init("type.prefix", "client data whose type is only begun", .type) { data, ceremony in
            data.set("type", String(ceremony.clientDataType.dropLast()))
        },
        .init("type.surplus", "client data whose type goes on", .type) { data, ceremony in
            data.set("type", ceremony.clientDataType + ".more")
        },
        .init("type.u2f", "client data of U2F", .type) { data, ceremony in
            data.set(
                "type",
                ceremony == .registration ? "navigator.id.finishEnrollment" : "navigator.id.getAssertion")
        },
        .init("type.payment", "client data of a payment", .type) { $0.set("type", "payment.get") },
    ]

    static let challenges: [ClientDataRow] = [
        .init("challenge.other", "client data with another challenge", .challenge) {
            $0.set("challenge", Base64URL.encode([UInt8](repeating: 0x5A, count: 32)))
        },
        .init("challenge.bit", "client data whose challenge differs in one bit", .challenge) { data in
            change(&data) { $0[0] ^= 1 }
        },
        .init("challenge.truncated", "client data whose challenge lacks the last byte", .challenge) { data in
            change(&data) { $0.removeLast() }
        },
        .init("challenge.longer", "client data whose challenge has one more byte", .challenge) { data in
            change(&data) { $0.append(0) }
        },
        .init("challenge.prefix", "client data whose challenge is the first 16 bytes only", .challenge) { data in
            change(&data) { $0 = $0.count > 16 ? Array($0.prefix(16)) : Array($0.dropLast()) }
        },
        .init("challenge.twice", "client data whose challenge is written twice", .challenge) { data in
            change(&data) { $0 += $0 }
        },
        .init("challenge.encodedTwice", "client data whose challenge is encoded twice", .challenge) {
            $0.set("challenge", Base64URL.encode(Array($0.text("challenge").utf8)))
        },
        .init("challenge.hex", "client data whose challenge is hexadecimal", .challenge) {
            $0.set("challenge", Hex.encode(Base64URL.decode($0.text("challenge")) ?? []))
        },
        .init("challenge.case", "client data whose challenge has its letters in the other case", .challenge) {
            $0.set("challenge", String($0.text("challenge").map(otherCase)))
        },
        // Clients encode without padding (WebAuthn L3 §3); a lenient reader sees the same bytes.
        .init("challenge.padded", "client data whose challenge is padded", .challenge, level: .should) {
            let text = $0.text("challenge")
            $0.set("challenge", text + String(repeating: "=", count: 4 - text.count % 4))
        },
        .init("challenge.newline", "client data whose challenge ends with a line feed", .challenge, level: .should) {
            $0.set("challenge", $0.text("challenge") + "\n")
        },
    ]

    /// A relying party may expect more origins than one within the scope of its ID (WebAuthn L3 §13.4.9).
    static let origins: [ClientDataRow] = [
        .init("origin.other", "client data of another origin", .origin) { $0.set("origin", "https://other.example") },
        .init("origin.scheme", "client data whose origin has another scheme", .origin, level: .should) {
            let origin = $0.text("origin")
            let isSecure = origin.hasPrefix("https:")
            $0.set(
                "origin",
                isSecure
                    ? origin.replacing("https:", with: "http:", maxReplacements: 1)
                    : origin.replacing("http:", with: "https:", maxReplacements: 1))
        },
        .init("origin.port", "client data whose origin has another port", .origin, level: .should) {
            $0.set("origin", bare($0.text("origin")) + ":1")
        },
        .init("origin.subdomain", "client data whose origin is a subdomain", .origin, level: .should) {
            $0.set("origin", $0.text("origin").replacing("://", with: "://other."))
        },
        .init("origin.suffix", "client data whose origin ends like the relying party's", .origin) {
            $0.set("origin", $0.text("origin").replacing("://", with: "://not"))
        },
        .init("origin.prefix", "client data whose origin begins like the relying party's", .origin) {
            $0.set("origin", $0.text("origin") + ".other.example")
        },
        .init("origin.userInfo", "client data whose origin has the relying party's as user information", .origin) {
            $0.set("origin", $0.text("origin") + "@other.example")
        },
        .init("origin.slash", "client data whose origin ends with a slash", .origin, level: .should) {
            $0.set("origin", $0.text("origin") + "/")
        },
        .init("origin.path", "client data whose origin has a path", .origin, level: .should) {
            $0.set("origin", $0.text("origin") + "/login")
        },
        .init("origin.case", "client data whose origin is in capitals", .origin, level: .should) {
            $0.set("origin", $0.text("origin").uppercased())
        },
        .init("origin.dot", "client data whose origin's host ends with a dot", .origin, level: .should) {
            let origin = $0.text("origin")
            $0.set("origin", origin.replacing(bare(origin), with: bare(origin) + "."))
        },
        .init("origin.host", "client data whose origin is the host only", .origin) {
            $0.set("origin", String(bare($0.text("origin")).split(separator: "/").last ?? ""))
        },
        .init("origin.opaque", "client data of an opaque origin", .origin) { $0.set("origin", "null") },
        .init("origin.app", "client data of an Android app that was not announced", .origin) {
            $0.set("origin", "android:apk-key-hash:" + Base64URL.encode([UInt8](repeating: 7, count: 32)))
        },
        .init("origin.extension", "client data of a browser extension", .origin) {
            $0.set("origin", "chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")
        },
    ]

    /// Only the relying party's policy says whether it expects a frame.
    static let frames: [ClientDataRow] = [
        .init("crossOrigin.missing", "client data without crossOrigin", .crossOrigin, .accepted) {
            $0["crossOrigin"] = nil
        },
        .init("crossOrigin.true", "client data of a cross-origin frame", .crossOrigin, level: .should) {
            $0["crossOrigin"] = "true"
        },
        .init("crossOrigin.text", "client data whose crossOrigin is a text", .crossOrigin, level: .may) {
            $0["crossOrigin"] = "\"true\""
        },
        .init("topOrigin", "client data of a frame in an unknown page", .topOrigin, level: .should) {
            $0["crossOrigin"] = "true"
            $0.set("topOrigin", "https://framing.example")
        },
        .init("topOrigin.alone", "client data with topOrigin, without a cross-origin frame", .topOrigin, level: .should)
        {
            $0.set("topOrigin", "https://framing.example")
        },
        .init("topOrigin.number", "client data whose topOrigin is a number", .topOrigin, level: .may) {
            $0["topOrigin"] = "1"
        },
    ]

    private static func change(_ data: inout ForgedClientData, _ change: (inout [UInt8]) -> Void) {
        var bytes = Base64URL.decode(data.text("challenge")) ?? [0]
        change(&bytes)
        data.set("challenge", Base64URL.encode(bytes))
    }

    private static func otherCase(_ letter: Character) -> Character {
        (letter.isLowercase ? letter.uppercased() : letter.lowercased()).first ?? letter
    }

    /// An origin without its port.
    private static func bare(_ origin: String) -> String {
        guard let colon = origin.lastIndex(of: ":"), origin[colon...].dropFirst().allSatisfy(\.isNumber) else {
            return origin
        }
        return String(origin[..<colon])
    }
}
