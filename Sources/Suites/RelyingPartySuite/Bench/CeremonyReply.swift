internal import RelyingPartyServer

/// The answer of a relying party to a response.
struct CeremonyReply: Sendable {
    let isAccepted: Bool
    let status: Int
    /// The request, the status and the beginning of the answer's body.
    let line: String

    init(_ exchange: RelyingPartyExchange) {
        isAccepted = exchange.isSuccess
        status = exchange.status
        line = "\(exchange.request) → \(exchange.status)\(TrafficWords.hint(exchange.body))"
    }

    /// Whether the relying party failed instead of deciding (RFC 9110 §15.6).
    var isInternalError: Bool { status >= 500 }
}

/// The right answer of a relying party to a response.
package enum CeremonyOutcome: Hashable, Sendable {
    case accepted, refused

    var word: String { self == .accepted ? "accepted" : "refused" }

    var noun: String { self == .accepted ? "an acceptance" : "a refusal" }
}

/// The two ceremonies (WebAuthn L3 §7.1, §7.2).
package enum TestedCeremony: String, CaseIterable, Sendable {
    case registration, assertion

    /// The ceremony's noun with its article, for the beginning of a sentence.
    var noun: String { self == .registration ? "A registration" : "An assertion" }

    /// The type in its client data (WebAuthn L3 §5.8.1).
    var clientDataType: String { self == .registration ? "webauthn.create" : "webauthn.get" }

    var section: String { self == .registration ? "7.1" : "7.2" }

    var other: TestedCeremony { self == .registration ? .assertion : .registration }
}
