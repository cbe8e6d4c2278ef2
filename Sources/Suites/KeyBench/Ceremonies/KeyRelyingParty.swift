internal import Machine
package import RelyingPartyServer
package import WebAuthn

/// A relying party for registering keys and signing in with them: real HTTP on a free loopback port, and a persistent
/// database.
package struct KeyRelyingParty: Sendable {
    /// Not a secret: the database belongs to the user, and its accounts exist only for tests of keys.
    private static let password = "touchstone keys"

    private let http: RelyingPartyClient

    /// Runs a relying party with the database at `path`, and stops it afterwards.
    package static func with<Result: Sendable>(
        databasePath path: String, userVerification demand: UserVerificationRequirement = .preferred,
        _ use: (KeyRelyingParty) async throws -> Result
    ) async throws -> Result {
        let verdicts = VerdictLog()
        var configuration = RelyingPartyConfiguration()
        configuration.databasePath = path
        configuration.attestation = .direct
        configuration.userVerification = UserVerificationRequirements(
            registration: demand, signIn: demand, reauthentication: demand)
        configuration.residentKey = .preferred
        // Keys that were reset leave their passkeys behind.
        configuration.maximumPasskeys = .max
        configuration.passwordCost = .ofMadeUpAccounts
        configuration.onVerdict = verdicts.append
        let server: RelyingPartyServer
        do {
            server = try await RelyingPartyServer.start(configuration)
        } catch {
            try Task.checkCancellation()
            throw KeyBenchError.badInput("the relying party cannot use its database \(path): \(error)")
        }
        let client = KeyRelyingParty(http: RelyingPartyClient(of: server, verdicts: verdicts))
        return try await closing(server.stop) { try await use(client) }
    }

    /// Registers a key for an account, which is created if it does not exist.
    ///
    /// - Returns: the last exchange, which may be a refusal.
    package func register(account: String, with client: KeyClient) async throws -> RelyingPartyExchange {
        let credentials = ["username": account, "displayName": account, "password": Self.password]
        var signIn = try await send("/accounts", credentials)
        if signIn.problem?.code == RelyingPartyExchange.Problem.usernameTaken {
            signIn = try await send("/password/sign-in", credentials)
        }
        guard signIn.isSuccess else { return signIn }
        return try await perform("/passkeys/register", [:]) { try await client.create($0, origin: http.origin) }
    }

    /// - Parameter account: the account whose credentials are allowed; nil asks for a discoverable one.
    /// - Returns: the last exchange, which may be a refusal.
    /// - Throws: ``KeyBenchError/badInput(_:)`` for an unknown account, which the relying party itself does not reveal.
    package func signIn(account: String?, with client: KeyClient) async throws -> RelyingPartyExchange {
        if let account {
            guard try await send("/password/sign-in", ["username": account, "password": Self.password]).isSuccess else {
                throw KeyBenchError.badInput(
                    "the relying party has no account \"\(account)\"; `touchstone keys register --account` makes one")
            }
            http.forgetSession()
        }
        return try await perform("/passkeys/authenticate", account.map { ["username": $0] } ?? [:]) {
            try await client.get($0, origin: http.origin)
        }
    }

    private func perform<Options: Decodable>(
        _ ceremony: String, _ requirements: [String: String],
        answer: (Options) async throws -> some Encodable & Sendable
    ) async throws -> RelyingPartyExchange {
        let begun = try await send(ceremony + "/begin", requirements)
        guard begun.isSuccess else { return begun }
        return try await send(ceremony + "/complete", try await answer(try begun.decode()))
    }

    private func send(_ path: String, _ body: some Encodable & Sendable) async throws -> RelyingPartyExchange {
        try await http.send("POST", path, body: body, userAgent: "touchstone/keys")
    }
}
