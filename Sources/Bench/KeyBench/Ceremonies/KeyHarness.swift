internal import Foundation
package import Harness
internal import Scenarios
internal import Synchronization
internal import Transports
package import WebAuthn

/// A relying party for registering keys and signing in with them: real HTTP on a free loopback port, and a persistent
/// database.
package struct KeyHarness: Sendable {
    private static let api = "/api/v1/auth"
    /// Not a secret: the database belongs to the user, and its accounts only try keys out.
    private static let password = "touchstone keys"
    private static let userAgent = "touchstone keys"

    /// The outcome of a ceremony.
    package struct Outcome: Sendable {
        /// The relying party's verdict; nil when it received no response.
        package let verdict: HarnessEvent?
        /// The HTTP status of its last answer.
        package let status: Int
        /// The code and the sentence of a refusal; nil on success.
        package let problem: String?

        package var isAccepted: Bool { problem == nil }
    }

    private let harness: RunningHarness
    private let http: HarnessClient
    private let verdicts: Verdicts

    /// Runs a relying party with the database at `path`, and stops it afterwards.
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

    /// Registers a key for an account, which is created if it does not exist.
    package func register(account: String, with client: KeyClient) async throws -> Outcome {
        let created = try await http.send(
            "POST", Self.api + "/accounts",
            body: ["username": account, "displayName": account, "password": Self.password], userAgent: Self.userAgent)
        if !created.isSuccess {
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
    /// - Parameter account: the account whose credentials are allowed; nil asks for a discoverable one.
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

/// The relying party's verdict on the last response.
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
