internal import Foundation
internal import LoopbackHTTP
internal import WebAuthn
internal import WebAuthnClient

/// Sign-ins over HTTP at a relying party in another process, with its database on a disk, over the same number of
/// requests to the bare server.
enum SignInBenchmark: Benchmark {
    static let rows = [
        BenchmarkRow(
            "sign-in over HTTP, processor time of the relying party",
            over: "two exchanges, processor time of the bare server", limit: 8.8),
        BenchmarkRow(
            "sign-in over HTTP, \(Load.connectionCount) connections, database on a disk",
            over: "two exchanges with the bare server, as many connections", limit: 8),
    ]

    static func measure(_ order: BenchmarkOrder) async throws -> [Measurement?] {
        try await SignInUser.with(order.executable) { server, users in
            try await BareServer.with(order.executable, connections: users.count) { bareServer, connections in
                var (processorTime, time) = (Measurement(), Measurement())
                for round in 0...min(order.rounds, 9) {
                    // Enough of both for a processor time that the system counts in hundredths of a second.
                    let subject = try await Load.run(at: server, users, .repetitions(8)) { try await $0.signIn() }
                    let baseline = try await Load.run(at: bareServer, connections, .repetitions(48)) {
                        try await $0.exchange()
                        try await $0.exchange()
                    }
                    // The first round fills the caches of both processes.
                    guard round > 0 else { continue }
                    processorTime.add(subject.processorTime, over: baseline.processorTime)
                    time.add(subject.time, over: baseline.time)
                }
                return [processorTime, time]
            }
        }
    }
}

/// The memory of the relying party after many sign-ins, and their time, over the same after the first fifth of them.
enum SignInMemoryBenchmark: Benchmark {
    static let rows = [
        BenchmarkRow(
            "memory of the relying party after all sign-ins", over: "after a fifth of them", limit: 1.2,
            unit: .kibibytes),
        BenchmarkRow("sign-in after all others", over: "after a fifth of them"),
    ]

    static func measure(_ order: BenchmarkOrder) async throws -> [Measurement?] {
        try await SignInUser.with(order.executable) { server, users in
            let amount =
                order.seconds.map { Load.Amount.time(.seconds($0)) } ?? .repetitions(order.rounds / users.count)
            /// Ten readings within a fiftieth of the sign-ins.
            func readings() async throws -> [(memory: Double, time: Double)] {
                var readings: [(memory: Double, time: Double)] = []
                for _ in 0..<10 {
                    let time = try await Load.run(users, amount.scaled(by: 0.002)) { try await $0.signIn() }.time
                    readings.append((Double(try server.residentBytes()) / 1024, time))
                }
                return readings
            }
            try await Load.run(users, amount.scaled(by: 0.2)) { try await $0.signIn() }
            let early = try await readings()
            try await Load.run(users, amount.scaled(by: 0.76)) { try await $0.signIn() }
            var (memory, time) = (Measurement(), Measurement())
            for (late, early) in zip(try await readings(), early) {
                memory.add(late.memory, over: early.memory)
                time.add(late.time, over: early.time)
            }
            return [memory, time]
        }
    }
}

/// A user with an account, a passkey and a connection.
private struct SignInUser: Sendable {
    private let http: LoopbackClient
    private let client: WebAuthnClient
    private let origin: Origin

    /// Starts a relying party, and users who sign in there.
    static func with(
        _ executable: String, _ measure: (ChildProcess, [SignInUser]) async throws -> [Measurement?]
    ) async throws -> [Measurement?] {
        try await BenchmarkFolder.with { folder in
            let process = try ChildProcess(
                executable, ["serve", "--port", "0", "--database", folder.file("auth.sqlite")])
            defer { process.stop() }
            let port = try process.port(/listening on http:..localhost:([0-9]+)/)
            var users: [SignInUser] = []
            for number in 0..<Load.connectionCount {
                users.append(try await SignInUser(number, port: port))
            }
            return try await measure(process, users)
        }
    }

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
