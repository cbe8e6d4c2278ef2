import Foundation
import Providers
import Testing

/// A session of the gateway, as its client gets it.
struct Session: Decodable, Sendable {
    struct User: Decodable, Sendable {
        let id: String
        let name: String
        let role: String
        let identityVerified: Bool
        let nationalId: String?
    }

    struct Policy: Decodable, Sendable {
        let biometrics: String
    }

    let accessToken: String
    let tokenType: String
    let expiresIn: Int
    let refreshToken: String
    let sessionExpiresAt: Int
    let user: User
    let firstLogin: Bool
    let policy: Policy

    init(_ answer: Answer) throws {
        try #require(answer.status == 200, "\(answer.text)")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        self = try decoder.decode(Self.self, from: answer.body)
    }
}

extension Login {
    /// Approves a login, and gives the code to the gateway.
    func gateway(_ changes: [String: String] = [:], fields: [String: String] = [:]) async throws -> Answer {
        let body = try await body.merging(changes) { $1 }
        return try await client.post("/gateway/v1/login/\(provider.rawValue)", body, fields: fields)
    }

    /// Approves a login, and adds it to the user of an access token.
    func link(_ accessToken: String) async throws -> Answer {
        try await client.post("/gateway/v1/identities/\(provider.rawValue)", try await body, bearer: accessToken)
    }

    private var body: [String: String] {
        get async throws {
            [
                "code": try await code(), "code_verifier": verifier, "redirect_uri": redirectURI, "nonce": nonce ?? "",
            ]
        }
    }

    /// The session of an approved login.
    func session(_ fields: [String: String] = [:]) async throws -> Session {
        try Session(try await gateway(fields: fields))
    }
}
