internal import Synchronization

/// An authorization request that a user decides on, and the code that follows.
struct OpenIDGrant: Sendable {
    let redirectURI: String
    let state: String
    let nonce: String?
    var codeChallenge: String
    let scopes: [String]
    var resident: Resident
    /// The time of the decision; nil before it.
    var decidedAt: Duration?
    /// The access token; nil before the code was exchanged.
    var accessToken: String?
    var accessTokenExpiry = Duration.zero

    static let codeLifetime = Duration.seconds(60)
}

/// A provider's pending requests, codes and access tokens.
final class OpenIDGrants: Sendable {
    private struct State {
        var requests: [String: OpenIDGrant] = [:]
        var codes: [String: OpenIDGrant] = [:]
    }

    private let state = Mutex(State())
    /// The most entries of each kind; a client that fills them starts over.
    private static let limit = 10_000

    /// Keeps a request until its user decides.
    func keep(_ request: OpenIDGrant, as identifier: String) {
        state.withLock { state in
            if state.requests.count >= Self.limit { state.requests = [:] }
            state.requests[identifier] = request
        }
    }

    /// Takes the request that its user decides on; a second decision finds none.
    func take(_ identifier: String) -> OpenIDGrant? { state.withLock { $0.requests.removeValue(forKey: identifier) } }

    func issue(_ grant: OpenIDGrant, as code: String) {
        state.withLock { state in
            if state.codes.count >= Self.limit { state.codes = [:] }
            state.codes[code] = grant
        }
    }

    func withGrant<Result: Sendable>(
        of code: String, _ edit: (inout OpenIDGrant?) throws(OAuthError) -> sending Result
    ) throws(OAuthError) -> Result {
        try state.withLock { state throws(OAuthError) in try edit(&state.codes[code]) }
    }

    func grant(ofAccessToken token: String, at now: Duration) -> OpenIDGrant? {
        state.withLock { state in
            state.codes.values.first { $0.accessToken == token && $0.accessTokenExpiry > now }
        }
    }
}
