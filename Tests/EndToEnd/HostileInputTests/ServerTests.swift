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

        @Test(
            "A server out of connections says so, and serves again when some are closed",
            arguments: ["control", "serve"])
        func manyConnections(command: String) async throws {
            try await Hostile.run { touchstone, folder in
                // The database takes descriptors that the connections must not.
                let options = command == "serve" ? ["--database", folder.appending(path: "accounts.sqlite").path] : []
                let (server, port) = try await Hostile.server(touchstone, [command] + options, limit: "-n 64")
                let kept = try Wire.connect(port: port)
                defer { close(kept) }
                let others = try (0..<100).map { _ in try Wire.connect(port: port) }
                var warning = ""
                for await line in server.errors {
                    warning = line
                    if line.contains("connections") { break }
                }
                #expect(warning.contains("connections are open, the most that this process can afford"))
                // A connection that was there first is served all the while.
                let request = Wire.request("POST", "/api/v1/auth/passkeys/authenticate/begin", port: port, body: "{}")
                let answer = try await Wire.exchange(request, on: kept)
                #expect(Wire.status(answer) == (command == "serve" ? 200 : 401), "\(answer)")
                others.forEach { close($0) }
                #expect(try await Wire.status(Wire.exchange(request, port: port)) == (command == "serve" ? 200 : 401))
                server.terminate()
                #expect(await server.exitStatus() == 0)
            }
        }

        @Test("A request with several Host headers is refused", arguments: ["control", "serve"])
        func severalHosts(command: String) async throws {
            try await Hostile.run { touchstone, _ in
                let (server, port) = try await Hostile.server(touchstone, [command])
                for host in ["evil.example", "127.0.0.1:\(port)"] {
                    let request = Wire.request(
                        "GET", "/v1/devices", port: port, token: Hostile.token, fields: ["hOST: \(host)"])
                    let answer = try await Wire.exchange(request, port: port)
                    #expect(Wire.status(answer) == 400)
                    #expect(answer.contains("host.repeated"))
                }
                server.terminate()
                #expect(await server.exitStatus() == 0)
            }
        }

        @Test("A full disk refuses changes, and answers other requests")
        func fullDisk() async throws {
            try await Hostile.run { touchstone, folder in
                let database = folder.appending(path: "accounts.sqlite").path
                let account = #"{"username": "ada", "displayName": "Ada", "password": "correct horse"}"#
                // The system refuses files of more than 1000 blocks of 512 bytes.
                let (server, port) = try await Hostile.server(
                    touchstone, ["serve", "--database", database], limit: "-f 1000")
                let made = try await Wire.exchange(
                    Wire.request("POST", "/api/v1/auth/accounts", port: port, body: account), port: port)
                #expect(Wire.status(made) == 201, "\(made)")
                let token = try #require(made.firstMatch(of: /touchstone_session=([A-Za-z0-9_-]+)/)).output.1
                let begin = Wire.request("POST", "/api/v1/auth/passkeys/authenticate/begin", port: port, body: "{}")
                var status = 200
                var answers = 0
                while status == 200, answers < 2000 {
                    let answer = try await Wire.exchange(begin, port: port)
                    status = Wire.status(answer)
                    if status != 200 { #expect(answer.contains("\"storage."), "\(answer)") }
                    answers += 1
                }
                #expect(status == 507)
                let session = Wire.request(
                    "GET", "/api/v1/auth/session", port: port, fields: ["Cookie: touchstone_session=\(token)"])
                let look = try await Wire.exchange(session, port: port)
                #expect(Wire.status(look) == 200, "\(look)")
                server.terminate()
                #expect(await server.exitStatus() == 0)
            }
        }

        @Test("A server says on its start that a seed makes its keys predictable")
        func seed() async throws {
            try await Hostile.run { touchstone, _ in
                let server = try touchstone.start(["control", "--port", "0", "--device", "solo-2", "--seed", "1"])
                var words: [String] = []
                for await line in server.errors {
                    words.append(line)
                    if line.contains("control API on") { break }
                }
                #expect(words.first == "--seed makes every key predictable: use it for tests alone")
                server.terminate()
                #expect(await server.exitStatus() == 0)
            }
        }

        @Test("A server ends soon after SIGTERM, whatever holds its work", arguments: [SIGTERM, SIGHUP])
        func endsInTime(number: Int32) async throws {
            // Under nohup the signal is ignored, here and by the server, which inherits it.
            signal(number, SIG_DFL)
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
                kill(server.processID, number)
                #expect(await server.exitStatus() == 1)
                // Work that never ends would hold it for ever; a busy computer takes seconds.
                #expect(start.duration(to: .now) < .seconds(20))
                _ = await refused
            }
        }
    }
}
