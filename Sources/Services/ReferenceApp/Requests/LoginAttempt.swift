internal import Crypto
internal import Foundation

/// A login at a provider that is on its way: its PKCE verifier, state and nonce (RFC 7636, OpenID Connect Core).
struct LoginAttempt: Hashable, Codable, Sendable {
    let provider: Provider
    let verifier: String
    let state: String
    let nonce: String

    /// An attempt with fresh values; 32 bytes are the 43 characters that RFC 7636 recommends.
    init(_ provider: Provider, random: @Sendable (Int) -> [UInt8]) {
        self.provider = provider
        verifier = Self.base64URL(random(32))
        state = Self.base64URL(random(16))
        nonce = Self.base64URL(random(16))
    }

    var pagePath: String {
        let challenge = Self.base64URL(Array(SHA256.hash(data: Data(verifier.utf8))))
        let query = [
            ("client_id", AppRequest.clientID), ("code_challenge", challenge), ("code_challenge_method", "S256"),
            ("nonce", nonce), ("redirect_uri", AppRequest.redirectURI),
            ("response_type", "code"),
            ("scope", provider.scopes), ("state", state),
        ]
        var components = URLComponents()
        components.queryItems = query.map { URLQueryItem(name: $0.0, value: $0.1) }
        return provider.authorizationPath + "?" + (components.percentEncodedQuery ?? "")
    }

    enum Callback: Hashable {
        case code(String)
        case cancelled
        case failed
        /// The callback of another attempt, or a forged one.
        case foreign
    }

    /// Reads a callback; only one with the state of this attempt counts.
    func read(_ link: String) -> Callback {
        let items = URLComponents(string: link)?.queryItems ?? []
        func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
        guard link.hasPrefix(AppRequest.redirectURI), value("state") == state else { return .foreign }
        if value("error") == "access_denied" { return .cancelled }
        return value("code").map { .code($0) } ?? .failed
    }

    /// The text for secure storage.
    var stored: String { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "" }

    init?(stored: String) {
        guard let attempt = try? JSONDecoder().decode(LoginAttempt.self, from: Data(stored.utf8)) else { return nil }
        self = attempt
    }

    static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
}
