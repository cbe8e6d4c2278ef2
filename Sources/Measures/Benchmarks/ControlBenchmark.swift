internal import Foundation
internal import LoopbackHTTP
internal import Machine

/// Ceremonies over the control API of another process, each connection with a device of its own, over exchanges with
/// the bare server.
enum ControlBenchmark: Benchmark {
    static let rows = [
        BenchmarkRow("ceremony over the control API", over: "an exchange with the bare server", limit: 5.4),
        BenchmarkRow(
            "ceremony over the control API, \(Load.connectionCount) connections",
            over: "an exchange with the bare server, as many connections", limit: 10),
    ]

    private static let token = "benchmark-of-touchstone"

    static func measure(_ order: BenchmarkOrder) async throws -> [Measurement?] {
        let devices = (1...Load.connectionCount).flatMap { ["--device", "security-key-pin:bench-\($0)"] }
        return try await BenchmarkFolder.with(onDisk: false) { folder in
            let process = try ChildProcess(
                order.executable, ["control", "--port", "0"] + devices,
                environment: [
                    EnvironmentVariable.token.rawValue: token, EnvironmentVariable.runtime.rawValue: folder.path,
                ])
            defer { process.stop() }
            let port = try process.port(/control API on http:..127.0.0.1:([0-9]+)/)
            var callers: [Caller] = []
            for number in 1...Load.connectionCount {
                callers.append(try await Caller(device: "bench-\(number)", LoopbackClient(port: port)))
            }
            let all = callers
            return try await BareServer.with(order.executable, connections: all.count) { _, bare in
                [
                    try await .pair(rounds: order.rounds) {
                        try await all[0].get()
                    } baseline: {
                        try await bare[0].exchange()
                    },
                    try await .rounds(min(order.rounds, 9)) {
                        (
                            try await Load.run(all, .repetitions(8)) { try await $0.get() }.time,
                            try await Load.run(bare, .repetitions(32)) { try await $0.exchange() }.time
                        )
                    },
                ]
            }
        }
    }

    /// A client of one device, with a passkey on it.
    private struct Caller: Sendable {
        private let path: String
        private let http: LoopbackClient

        init(device: String, _ http: LoopbackClient) async throws {
            path = "/v1/devices/\(device)/ceremonies/"
            self.http = http
            try await perform(
                "create",
                """
                {"challenge": "AAECAwQFBgcICQoLDA0ODw", "rp": {"id": "example.org", "name": "Example"},
                "user": {"id": "AQ", "name": "ada", "displayName": "Ada"},
                "pubKeyCredParams": [{"type": "public-key", "alg": -7}],
                "authenticatorSelection": {"residentKey": "required", "userVerification": "discouraged"}}
                """)
        }

        func get() async throws {
            try await perform(
                "get",
                #"{"challenge": "AAECAwQFBgcICQoLDA0ODw", "rpId": "example.org", "userVerification": "discouraged"}"#)
        }

        private func perform(_ ceremony: String, _ options: String) async throws {
            let body = #"{"options": \#(options), "origin": "https://example.org"}"#
            let answer = try await http.send(
                "POST", path + ceremony,
                fields: [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")],
                body: Array(body.utf8)
            ).checked()
            // A page's error is a success of the API.
            guard answer.starts(with: Array(#"{"credential""#.utf8)) else {
                throw BenchmarkFailure(description: "no credential: \(String(decoding: answer, as: UTF8.self))")
            }
        }
    }
}
