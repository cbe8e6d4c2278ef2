import Testing
import WebAuthn

extension Browser {
    func beginRegistration(_ body: [String: String] = [:]) async throws -> CreationOptions {
        let answer = try await post("passkeys/register/begin", body)
        try #require(answer.status == 200)
        return try answer.decode()
    }

    /// Registers a passkey and returns its row.
    @discardableResult
    func register(_ signer: inout TestSigner) async throws -> PasskeyView {
        let response = signer.register(try await beginRegistration())
        let answer = try await post("passkeys/register/complete", response)
        try #require(answer.status == 201)
        return try answer.decode()
    }

    func beginAuthentication(_ body: [String: String] = [:]) async throws -> RequestOptions {
        let answer = try await post("passkeys/authenticate/begin", body)
        try #require(answer.status == 200)
        return try answer.decode()
    }

    /// Signs in; an authenticator with a counter increments it.
    func signIn(
        _ signer: inout TestSigner, _ body: [String: String] = [:],
        forge: (inout AuthenticationForm) throws -> Void = { _ in }
    ) async throws -> Answer {
        let options = try await beginAuthentication(body)
        if signer.signCount > 0 { signer.signCount += 1 }
        return try await post("passkeys/authenticate/complete", try signer.authenticate(options, forge))
    }

    /// Makes the session fresh.
    func reauthenticate(_ signer: inout TestSigner) async throws {
        try #require(try await signIn(&signer, ["purpose": "reauthenticate"]).status == 200)
    }

    func passkeys() async throws -> [PasskeyView] {
        let answer = try await get("passkeys")
        try #require(answer.status == 200)
        return try #require(try answer.decode([String: [PasskeyView]].self)["passkeys"])
    }
}
