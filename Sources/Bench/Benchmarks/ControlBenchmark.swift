internal import Foundation
internal import LoopbackHTTP

/// Ceremonies over the control API of another process, each connection with a device of its own.
enum ControlBenchmark {
    private static let connectionCount = 64
    private static let token = "benchmark-of-touchstone"

    static func run(executable: String, rounds: Int) async throws -> [BenchmarkRow] {
        let devices = (1...connectionCount).flatMap { ["--device", "security-key-pin:bench-\($0)"] }
        return try await BenchmarkFolder.with(onDisk: false) { folder in
            let process = try ChildProcess(
                executable, ["control", "--port", "0"] + devices,
                environment: ["TOUCHSTONE_TOKEN": token, "TOUCHSTONE_RUNTIME": folder.path])
            defer { process.stop() }
            let port = try process.port(/control API on http:..127.0.0.1:([0-9]+)/)
            var callers: [Caller] = []
            for number in 1...connectionCount {
                callers.append(try await Caller(device: "bench-\(number)", LoopbackClient(port: port)))
            }
            let first = callers[0]
            var times: [Double] = []
            for _ in 0..<rounds { times.append(try await Measurement.time { try await first.get() }) }
            let one = Spread(times)
            let rate = try await Load.run(callers, .repetitions(max(2, rounds / 3))) { try await $0.get() }.rate
            return [
                BenchmarkRow(
                    "ceremony over the control API", one.median / 1000, "ms", limit: .atMost(0.8), spread: one),
                BenchmarkRow(
                    "ceremonies over \(connectionCount) connections of the control API", rate, "/s",
                    limit: .atLeast(3000)),
            ]
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
