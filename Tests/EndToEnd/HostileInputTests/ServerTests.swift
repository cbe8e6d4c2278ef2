import Foundation
import TestSupport
import Testing

extension Hostile {
    /// Servers that strangers send requests to.
    struct ServerTests {
        private func order(_ profile: String, port: Int) throws -> String {
            let body = try JSONEncoder().encode(["profile": ["yaml": profile]])
            return Wire.request(
                "POST", "/v1/devices", port: port, token: Hostile.token, body: String(decoding: body, as: UTF8.self))
        }

        @Test("A profile of nested aliases is refused at once, and the server keeps answering")
        func nestedAliases() async throws {
            try await Hostile.run { touchstone, _ in
                let (server, port) = try await Hostile.server(touchstone, ["control"])
                let bomb = try order(Hostile.text(of: "nested-aliases.yaml"), port: port)
                let answers = try await withThrowingTaskGroup(of: String.self) { group in
                    for _ in 0..<4 { group.addTask { try await Wire.exchange(bomb, port: port) } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                for answer in answers {
                    #expect(Wire.status(answer) == 422)
                    #expect(answer.contains("anchors and aliases are not allowed"))
                }
                let list = Wire.request("GET", "/v1/devices", port: port, token: Hostile.token)
                #expect(try await Wire.status(Wire.exchange(list, port: port)) == 200)
                server.terminate()
                #expect(await server.exitStatus() == 0)
            }
        }

        @Test("A server ends within two seconds of SIGTERM, whatever holds its work", arguments: [SIGTERM, SIGHUP])
        func endsInTime(signal: Int32) async throws {
            try await Hostile.run { touchstone, folder in
                // A pipe that has a writer, and never gets a byte, holds the reader of profiles.
                let pipe = folder.appending(path: "slow.yaml").path
                #expect(mkfifo(pipe, 0o600) == 0)
                let (server, port) = try await Hostile.server(
                    touchstone, ["control"], environment: ["TOUCHSTONE_PROFILES": folder.path])
                let request = Wire.request(
                    "POST", "/v1/devices", port: port, token: Hostile.token, body: #"{"profile": "slow"}"#)
                async let refused: String? = try? Wire.exchange(request, port: port)
                // The pipe opens when the server has opened its other end.
                let writer = await withCheckedContinuation { continuation in
                    DispatchQueue(label: "writer").async { continuation.resume(returning: open(pipe, O_WRONLY)) }
                }
                defer { close(writer) }
                let start = ContinuousClock.now
                kill(server.processID, signal)
                #expect(await server.exitStatus() == 1)
                #expect(start.duration(to: .now) < .seconds(2))
                _ = await refused
            }
        }
    }
}
