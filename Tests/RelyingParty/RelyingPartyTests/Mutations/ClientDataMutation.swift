import RelyingParty
import WebAuthn

/// A named change to valid client data.
///
/// Both ceremonies apply it: registration names the step, authentication has one step for all.
struct ClientDataMutation: Sendable {
    let name: String
    /// The registration's steps that must fail; empty when the client data stays valid.
    let caughtBy: [VerificationStep: ReasonLabel]
    /// The registration's steps that must be flagged.
    let flaggedBy: [VerificationStep: ReasonLabel]
    let apply: @Sendable (inout CollectedClientData, inout [UInt8]?, inout CeremonyExpectation) -> Void

    /// A change to the members.
    init(
        _ name: String, caughtBy: [VerificationStep: ReasonLabel] = [:],
        flaggedBy: [VerificationStep: ReasonLabel] = [:],
        members apply: @escaping @Sendable (inout CollectedClientData, inout CeremonyExpectation) -> Void
    ) {
        self.name = name
        (self.caughtBy, self.flaggedBy) = (caughtBy, flaggedBy)
        self.apply = { clientData, _, expectation in apply(&clientData, &expectation) }
    }

    /// A change to the bytes.
    init(
        _ name: String, caughtBy: [VerificationStep: ReasonLabel],
        bytes apply: @escaping @Sendable (_ good: [UInt8]) -> [UInt8]
    ) {
        self.name = name
        (self.caughtBy, flaggedBy) = (caughtBy, [:])
        self.apply = { clientData, raw, _ in raw = apply(clientData.encoded) }
    }

    private static func origin(_ name: String, _ origin: String) -> ClientDataMutation {
        ClientDataMutation("origin: \(name)", caughtBy: [.origin: .originUnexpected]) { clientData, _ in
            clientData.origin = origin
        }
    }

    private static func state(_ state: ChallengeState, _ label: ReasonLabel) -> ClientDataMutation {
        ClientDataMutation("challenge: \(state.rawValue)", caughtBy: [.challenge: label]) { _, expectation in
            expectation.challengeState = state
        }
    }

    private static func edited(_ good: [UInt8], _ edit: (inout String) -> Void) -> [UInt8] {
        var text = String(decoding: good, as: UTF8.self)
        edit(&text)
        return Array(text.utf8)
    }

    static let all = syntax + members + challenges + origins + frames

    private static let syntax: [ClientDataMutation] = [
        .init("a byte-order mark, which is stripped", caughtBy: [:]) { [0xEF, 0xBB, 0xBF] + $0 },
        .init("white space around the members", caughtBy: [:]) { good in
            edited(good) { $0 = " " + $0.replacing(",\"", with: ",\n \"") + "\n" }
        },
        .init("members from the future", caughtBy: [:]) { good in
            edited(good) { $0 = $0.dropLast() + ",\"other\":{\"type\":1,\"deep\":[{\"type\":2}]}}" }
        },
        .init("two byte-order marks", caughtBy: [.clientDataJSON: .clientDataNotJSON]) {
            [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF] + $0
        },
        .init("UTF-16", caughtBy: [.clientDataJSON: .clientDataNotJSON]) { good in good.flatMap { [$0, 0] } },
        .init("invalid UTF-8", caughtBy: [.clientDataJSON: .clientDataNotUTF8]) {
            $0.dropLast(2) + [0xFF, 0x22, 0x7D]
        },
        .init("an overlong UTF-8 form", caughtBy: [.clientDataJSON: .clientDataNotUTF8]) {
            [0x7B, 0x22, 0xC1, 0x81, 0x22, 0x3A, 0x31, 0x2C] + $0.dropFirst()
        },
        .init("no bytes", caughtBy: [.clientDataJSON: .clientDataNotJSON]) { _ in [] },
        .init("a JSON array", caughtBy: [.clientDataJSON: .clientDataNotJSON]) { [0x5B] + $0 + [0x5D] },
        .init("truncated JSON", caughtBy: [.clientDataJSON: .clientDataNotJSON]) { $0.dropLast() },
        .init("a second object after the first", caughtBy: [.clientDataJSON: .clientDataNotJSON]) {
            $0 + [0x7B, 0x7D]
        },
        .init("a trailing comma", caughtBy: [.clientDataJSON: .clientDataNotJSON]) { $0.dropLast() + [0x2C, 0x7D] },
        .init("a comment", caughtBy: [.clientDataJSON: .clientDataNotJSON]) { $0 + Array("/* */".utf8) },
        .init("single quotation marks", caughtBy: [.clientDataJSON: .clientDataNotJSON]) { good in
            edited(good) { $0.replace("\"type\"", with: "'type'") }
        },
        .init("a bare control character", caughtBy: [.clientDataJSON: .clientDataNotJSON]) { good in
            edited(good) { $0.replace("https:", with: "https:\u{1}") }
        },
        .init("members nested out of sight", caughtBy: [.clientDataJSON: .clientDataNotJSON]) { good in
            edited(good) {
                let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
                $0 = $0.dropLast() + ",\"other\":\(deep)}"
            }
        },
        .init("numbers, escapes and words in members from the future", caughtBy: [:]) { good in
            edited(good) {
                $0 = $0.dropLast() + ",\"a\":[0,-1.5e+3,2E-1,true,null,\"\\u00e9\\n\\/\"],\"b\":{},\"c\":[]}"
            }
        },
        .init("a number with a leading zero", caughtBy: [.clientDataJSON: .clientDataNotJSON]) { good in
            edited(good) { $0 = $0.dropLast() + ",\"a\":01}" }
        },
        .init("the challenge stated twice", caughtBy: [.clientDataJSON: .clientDataDuplicateMember]) { good in
            edited(good) { $0 = $0.dropLast() + ",\"challenge\":\"AAAA\"}" }
        },
        .init("an escaped second type", caughtBy: [.clientDataJSON: .clientDataDuplicateMember]) { good in
            edited(good) { text in
                let type = text.dropFirst(8).prefix { $0 != "," }
                text = text.dropLast() + ",\"\\u0074ype\":\(type)}"
            }
        },
    ]

    private static let members: [ClientDataMutation] = [
        .init("no type", caughtBy: [.clientDataJSON: .clientDataInvalidMember]) { good in
            edited(good) { $0.replace("\"type\"", with: "\"kind\"") }
        },
        .init("no challenge", caughtBy: [.clientDataJSON: .clientDataInvalidMember]) { good in
            edited(good) { $0.replace("\"challenge\"", with: "\"Challenge\"") }
        },
        .init("no origin", caughtBy: [.clientDataJSON: .clientDataInvalidMember]) { good in
            edited(good) { $0.replace("\"origin\"", with: "\"androidPackageName\"") }
        },
        .init("crossOrigin as text", caughtBy: [.clientDataJSON: .clientDataInvalidMember]) { good in
            edited(good) { text in
                text.replace("\"crossOrigin\":true", with: "\"crossOrigin\":\"false\"")
                text.replace("\"crossOrigin\":false", with: "\"crossOrigin\":\"false\"")
            }
        },
        .init("the other ceremony's type", caughtBy: [.clientDataType: .clientDataTypeMismatch]) { clientData, _ in
            let isGet = clientData.type == CollectedClientData.getType
            clientData.type = isGet ? CollectedClientData.createType : CollectedClientData.getType
        },
        .init("the type in capitals", caughtBy: [.clientDataType: .clientDataTypeMismatch]) { clientData, _ in
            clientData.type = clientData.type.uppercased()
        },
    ]

    private static let challenges: [ClientDataMutation] = [
        .init("another challenge", caughtBy: [.challenge: .challengeMismatch]) { clientData, _ in
            clientData.challenge = Base64URL.encode([UInt8](repeating: 7, count: 32))
        },
        .init("an empty challenge", caughtBy: [.challenge: .challengeMismatch]) { clientData, _ in
            clientData.challenge = ""
        },
        .init("a padded challenge", caughtBy: [.challenge: .challengeMismatch]) { clientData, _ in
            clientData.challenge += "="
        },
        .init("a shortened challenge", caughtBy: [.challenge: .challengeMismatch]) { clientData, _ in
            clientData.challenge = String(clientData.challenge.dropLast(4))
        },
        .init("a challenge of two bytes, issued as such", flaggedBy: [.challenge: .challengeTooShort]) {
            clientData, expectation in
            expectation.challenge = [1, 2]
            clientData.challenge = Base64URL.encode([1, 2])
        },
        state(.unknown, .challengeUnknown), state(.used, .challengeUsed), state(.expired, .challengeExpired),
        state(.otherSession, .challengeOtherSession), state(.otherUser, .challengeOtherUser),
    ]

    private static let origins: [ClientDataMutation] = [
        origin("other scheme", "http://example.org"), origin("other port", "https://example.org:8443"),
        origin("default port spelled out", "https://example.org:443"), origin("trailing slash", "https://example.org/"),
        origin("subdomain", "https://login.example.org"), origin("suffix look-alike", "https://example.org.evil.test"),
        origin("prefix look-alike", "https://notexample.org"), origin("user information", "https://a@example.org"),
        origin("capitals", "https://EXAMPLE.org"), origin("app facet", "android:apk-key-hash:AAAA"),
        origin("homograph", "https://ex\u{0430}mple.org"), origin("host alone", "example.org"), origin("empty", ""),
        ClientDataMutation("origin: another spelling of one character", caughtBy: [.origin: .originUnexpected]) {
            clientData, expectation in
            expectation.origins = ["https://caf\u{E9}.example"]
            clientData.origin = "https://cafe\u{301}.example"
        },
        ClientDataMutation("origin: another allowed one", caughtBy: [:]) { clientData, expectation in
            expectation.origins.append("https://login.example.org")
            clientData.origin = "https://login.example.org"
        },
    ]

    private static let frames: [ClientDataMutation] = [
        .init("an unexpected frame", caughtBy: [.crossOrigin: .crossOriginUnexpected]) { clientData, expectation in
            expectation.allowsCrossOrigin = false
            clientData.crossOrigin = true
            clientData.topOrigin = nil
        },
        .init(
            "an unexpected framed page",
            caughtBy: [.crossOrigin: .crossOriginUnexpected, .topOrigin: .topOriginUnexpected]
        ) {
            clientData, expectation in
            expectation.allowsCrossOrigin = false
            clientData.crossOrigin = true
            clientData.topOrigin = Example.topOrigin
        },
        .init("a top origin without crossOrigin", caughtBy: [.topOrigin: .topOriginUnexpected]) {
            clientData, expectation in
            expectation.allowsCrossOrigin = false
            clientData.crossOrigin = false
            clientData.topOrigin = Example.topOrigin
        },
        .init("a top origin that may not frame", caughtBy: [.topOrigin: .topOriginNotAllowed]) {
            clientData, expectation in
            expectation.allowsCrossOrigin = true
            clientData.crossOrigin = true
            clientData.topOrigin = "https://evil.test"
        },
        .init("a top origin that may frame", caughtBy: [:]) { clientData, expectation in
            expectation.allowsCrossOrigin = true
            clientData.crossOrigin = true
            clientData.topOrigin = Example.topOrigin
        },
    ]
}

extension RegistrationMutation {
    static let clientDataRules = ClientDataMutation.all.map { mutation in
        RegistrationMutation(
            "client data: \(mutation.name)", caughtBy: mutation.caughtBy, flaggedBy: mutation.flaggedBy
        ) {
            mutation.apply(&$0.clientData, &$0.rawClientData, &$0.expectation.ceremony)
        }
    }
}
