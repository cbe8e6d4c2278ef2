internal import Foundation
internal import LoopbackHTTP
internal import WebAuthn
internal import WebAuthnClient

/// Sign-ins over HTTP at a relying party in another process, with its database on a disk.
enum SignInBenchmark {
    private static let connectionCount = 64

    static func run(executable: String, rounds: Int) async throws -> [BenchmarkRow] {
        try await withServer(executable) { server, users in
            let repetitions = max(2, rounds / 6)
            // The caches of both processes are filled first.
            _ = try await Load.run(users, .repetitions(2)) { try await $0.signIn() }
            let before = try server.processorTime()
            let rate = try await Load.run(users, .repetitions(repetitions)) { try await $0.signIn() }.rate
            let used = try server.processorTime() - before
            let raw = try await RawVerification().spread(rounds: rounds)
            let each = used / Double(users.count * repetitions)
            return [
                BenchmarkRow(
                    "sign-in over HTTP, processor time of the relying party", over: RawVerification.name,
                    each / raw.median, "x", limit: .atMost(10), baselineSpread: raw),
                BenchmarkRow(
                    "sign-ins over \(connectionCount) connections, database on a disk", rate, "/s",
                    limit: .atLeast(2500)),
            ]
        }
    }

    /// The growth of the relying party's memory during sign-ins, after the first fifth of them.
    ///
    /// - Parameter seconds: the time that the sign-ins take; nil for `rounds` of them.
    static func memory(executable: String, rounds: Int, seconds: Int?) async throws -> [BenchmarkRow] {
        try await withServer(executable) { server, users in
            let amount = seconds.map { Load.Amount.time(.seconds($0)) } ?? .repetitions(rounds / users.count)
            _ = try await Load.run(users, amount.scaled(by: 0.2)) { try await $0.signIn() }
            let before = try server.residentBytes()
            let load = try await Load.run(users, amount.scaled(by: 0.8)) { try await $0.signIn() }
            let growth = try server.residentBytes() - before
            return [
                BenchmarkRow(
                    "growth of the relying party's memory in \(load.repetitions) sign-ins",
                    Double(growth) / 1_048_576, "MiB", limit: .atMost(16)),
                BenchmarkRow("sign-ins meanwhile", load.rate, "/s"),
            ]
        }
    }

    private static func withServer(
        _ executable: String, _ measure: (ChildProcess, [SignInUser]) async throws -> [BenchmarkRow]
    ) async throws -> [BenchmarkRow] {
        try await BenchmarkFolder.with { folder in
            let process = try ChildProcess(
                executable, ["serve", "--port", "0", "--database", folder.file("auth.sqlite")])
            defer { process.stop() }
            let port = try process.port(/listening on http:..localhost:([0-9]+)/)
            var users: [SignInUser] = []
            for number in 0..<connectionCount {
                users.append(try await SignInUser(number, port: port))
            }
            return try await measure(process, users)
        }
    }
}

/// A user with an account, a passkey and a connection.
private struct SignInUser: Sendable {
    private let http: LoopbackClient
    private let client: WebAuthnClient
    private let origin: Origin

    /// Creates the account and registers the passkey.
    init(_ number: Int, port: Int) async throws {
        http = LoopbackClient(port: port)
        client = BenchmarkDevice.browser(BenchmarkDevice(attestation: []).authenticator)
        origin = try Origin(parsing: "http://localhost:\(port)")
        let name = "user\(number)"
        let cookie = try await post(
            "/accounts", Array(try JSONEncoder().encode(["username": name, "displayName": name])), nil
        ).cookie
        let begun = try await post("/passkeys/register/begin", [], cookie)
        let made = try await client.create(json: begun.body, origin: origin)
        _ = try await post("/passkeys/register/complete", made, cookie)
    }

    func signIn() async throws {
        let begun = try await post("/passkeys/authenticate/begin", [], nil)
        let used = try await client.get(json: begun.body, origin: origin)
        _ = try await post("/passkeys/authenticate/complete", used, begun.cookie)
    }

    private func post(
        _ path: String, _ body: [UInt8], _ cookie: String?
    ) async throws -> (body: [UInt8], cookie: String?) {
        var fields = [("Origin", origin.description), ("Content-Type", "application/json")]
        if let cookie { fields.append(("Cookie", cookie)) }
        let answer = try await http.send("POST", "/api/v1/auth" + path, fields: fields, body: body)
        return (try answer.checked(), answer.values(of: "set-cookie").first.map { String($0.prefix { $0 != ";" }) })
    }
}
