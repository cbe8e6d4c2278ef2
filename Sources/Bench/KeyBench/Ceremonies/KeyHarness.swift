internal import Foundation
package import Harness
internal import Scenarios
internal import Synchronization
internal import Transports
package import WebAuthn

/// A relying party of the bench's own to which keys are registered and with which they sign in: real HTTP on a free
/// port of loopback, and a database that outlives the command.
package struct KeyHarness: Sendable {
    private static let api = "/api/v1/auth"
    /// The database is the person's own, and the accounts are for trying keys out.
    private static let password = "touchstone keys"
    private static let userAgent = "touchstone keys"

    /// What came of a ceremony.
    package struct Outcome: Sendable {
        /// The relying party's verdict; nil when it saw no response.
        package let verdict: HarnessEvent?
        /// The HTTP status of its last answer.
        package let status: Int
        /// Why it refused: code and sentence.
        package let problem: String?

        package var isAccepted: Bool { problem == nil }
    }

    private let harness: RunningHarness
    private let http: HarnessClient
    private let verdicts: Verdicts

    /// Works with the relying party whose database is at `path`.
    package static func with<Result: Sendable>(
        databasePath path: String, userVerification demand: UserVerificationRequirement = .preferred,
        _ use: (KeyHarness) async throws -> Result
    ) async throws -> Result {
        let verdicts = Verdicts()
        var configuration = HarnessConfiguration()
        configuration.databasePath = path
        configuration.attestation = .direct
        configuration.userVerification = UserVerificationDemands(
            registration: demand, signIn: demand, reauthentication: demand)
        configuration.residentKey = .preferred
        configuration.onVerdict = verdicts.append
        let harness: RunningHarness
        do {
            harness = try await Harness.start(configuration)
        } catch {
            try Task.checkCancellation()
            throw KeyBenchError.badInput("the relying party cannot use its database \(path): \(error)")
        }
        let client = KeyHarness(
            harness: harness, http: HarnessClient(baseURL: harness.baseURL, origin: harness.baseURL),
            verdicts: verdicts)
        return try await closing(harness.stop) { try await use(client) }
    }

    /// Registers a key for an account, which is made when it is new.
    package func register(account: String, with client: KeyClient) async throws -> Outcome {
        let made = try await http.send(
            "POST", Self.api + "/accounts",
            body: ["username": account, "displayName": account, "password": Self.password], userAgent: Self.userAgent)
        if !made.isSuccess {
            let signedIn = try await http.send(
                "POST", Self.api + "/password/sign-in", body: ["username": account, "password": Self.password],
                userAgent: Self.userAgent)
            guard signedIn.isSuccess else { return outcome(signedIn) }
        }
        let begun = try await http.send(
            "POST", Self.api + "/passkeys/register/begin", body: [String: String](), userAgent: Self.userAgent)
        guard begun.isSuccess else { return outcome(begun) }
        let response = try await client.create(try begun.decode(CreationOptions.self), origin: harness.baseURL)
        return outcome(
            try await http.send(
                "POST", Self.api + "/passkeys/register/complete", body: response, userAgent: Self.userAgent))
    }

    /// Signs in with a key.
    ///
    /// - Parameter account: whose credentials are named; nil asks for a discoverable one.
    package func signIn(account: String?, with client: KeyClient) async throws -> Outcome {
        var wishes: [String: String] = [:]
        wishes["username"] = account
        let begun = try await http.send(
            "POST", Self.api + "/passkeys/authenticate/begin", body: wishes, userAgent: Self.userAgent)
        guard begun.isSuccess else { return outcome(begun) }
        let response = try await client.get(try begun.decode(RequestOptions.self), origin: harness.baseURL)
        return outcome(
            try await http.send(
                "POST", Self.api + "/passkeys/authenticate/complete", body: response, userAgent: Self.userAgent))
    }

    private func outcome(_ answer: HarnessClient.Answer) -> Outcome {
        Outcome(
            verdict: verdicts.take(), status: answer.status,
            problem: answer.problem.map { "\($0.code): \($0.message)" })
    }
}

/// What the server thought of the last response.
private final class Verdicts: Sendable {
    private let events = Mutex<[HarnessEvent]>([])

    @Sendable func append(_ event: HarnessEvent) { events.withLock { $0.append(event) } }

    func take() -> HarnessEvent? {
        events.withLock { events in
            defer { events = [] }
            return events.last
        }
    }
}
