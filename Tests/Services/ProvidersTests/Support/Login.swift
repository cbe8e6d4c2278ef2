import Foundation
import Providers
import Testing

/// A login with an OpenID provider as an app does it: an in-app browser and a proof key.
struct Login: Sendable {
    let provider: OpenIDProviderName
    let client: HTTPClient
    var verifier = String(repeating: "v", count: 64)
    var state = "state-0123456789"
    var nonce: String? = "nonce-0123456789"
    var clientID = "touchstone-app"
    var redirectURI = "https://app.touchstone.example/callback"
    var scope: String
    var changes: [String: String?] = [:]

    init(_ provider: OpenIDProviderName, _ client: HTTPClient) {
        self.provider = provider
        self.client = client
        scope = provider == .bankid ? "openid profile nnin_altsub" : "openid name phoneNumber email nin"
    }

    /// The path of the provider's metadata.
    var discovery: String {
        switch provider {
        case .bankid: "/bankid/.well-known/openid-configuration"
        case .vipps: "/vipps/access-management-1.0/access/.well-known/openid-configuration"
        }
    }

    /// A URL of the metadata.
    func endpoint(_ name: String) async throws -> String { try #require(try await client.get(discovery)[name]) }

    /// Opens the authorization page.
    func open() async throws -> Answer {
        var query = [
            "response_type": "code", "client_id": clientID, "redirect_uri": redirectURI, "scope": scope,
            "state": state, "code_challenge": CodeVerifier.challenge(of: verifier), "code_challenge_method": "S256",
        ]
        query["nonce"] = nonce
        for (name, value) in changes { query[name] = value }
        return try await client.get(try await endpoint("authorization_endpoint"), query)
    }

    /// Opens the page, and decides on its form.
    func decide(_ decision: String = "approve", as resident: String? = nil) async throws -> Answer {
        let page = try await open().text
        let request = try #require(page.firstMatch(of: /name="request" value="([^"]+)"/)?.1)
        var form = ["request": String(request), "decision": decision]
        form["resident"] = resident
        return try await client.post(form: form, to: try await endpoint("authorization_endpoint") + "/decision")
    }

    /// Exchanges a code.
    func exchange(_ code: String, _ changes: [String: String] = [:]) async throws -> Answer {
        let form = [
            "grant_type": "authorization_code", "client_id": clientID, "code": code, "redirect_uri": redirectURI,
            "code_verifier": verifier,
        ].merging(changes) { $1 }
        return try await client.post(form: form, to: try await endpoint("token_endpoint"))
    }

    /// The code of an approved login.
    func code() async throws -> String { try #require(try await decide().redirected["code"]) }

    /// The tokens of an approved login.
    func tokens() async throws -> Answer { try await exchange(try await code()) }
}

/// A token's header and claims, unverified.
struct Token {
    let header: [String: String]
    let claims: [String: String]

    init(_ text: String?) throws {
        let parts = (text ?? "").split(separator: ".", omittingEmptySubsequences: false)
        try #require(parts.count == 3)
        header = try Self.members(parts[0])
        claims = try Self.members(parts[1])
    }

    private static func members(_ part: Substring) throws -> [String: String] {
        var base64 = String(part.replacing("-", with: "+").replacing("_", with: "/"))
        while base64.count % 4 != 0 { base64 += "=" }
        let data = try #require(Data(base64Encoded: base64))
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        return object.mapValues { value in "\(value)" }
    }
}
