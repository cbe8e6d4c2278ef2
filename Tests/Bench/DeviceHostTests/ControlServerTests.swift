import Foundation
import NIOCore
import Synchronization
import Testing

@testable import DeviceHost

/// The control socket of a running device.
@Suite struct ControlServerTests {
    private static let status = "{\"command\":\"status\"}\n"

    @Test("A command may come in pieces, and several in one; each gets its line")
    func linesAreFoundInWhatComes() async throws {
        try await ControlSocket.run { socket in
            let heard = Mutex<[ControlRequest.Command]>([])
            try await socket.served({ request in
                heard.withLock { $0.append(request.command) }
                return ControlResponse(refusal: request.command.rawValue)
            }) { _ in
                let answers = try await socket.connect { chunks, outbound in
                    try await outbound.write(ByteBuffer(string: "{\"command\":"))
                    try await outbound.write(ByteBuffer(string: "\"tap\"}\n" + Self.status + "{\"comm"))
                    let first = await chunks.lines(2)
                    try await outbound.write(ByteBuffer(string: "and\":\"unplug\"}\n"))
                    return first + (await chunks.lines(1))
                }
                #expect(answers == ["tap", "status", "unplug"].map { "{\"refusal\":\"\($0)\"}" })
                #expect(heard.withLock { $0 } == [.tap, .status, .unplug])
            }
        }
    }

    @Test(
        "A line that is no command is said to be none",
        arguments: ["", "{}", "hello", "{\"command\":\"fly\"}", "\u{1}\u{2}"])
    func whatIsNoCommandIsRefused(line: String) async throws {
        try await ControlSocket.run { socket in
            try await socket.served { _ in
                let answers = try await socket.connect { chunks, outbound in
                    try await outbound.write(ByteBuffer(string: line + "\n" + Self.status))
                    return await chunks.lines(2)
                }
                #expect(answers == ["{\"error\":\"the command is not understood\"}", "{}"])
            }
        }
    }

    @Test(
        "A line of 64 KiB is read, and a longer one ends the connection without an answer",
        arguments: [(0, true, 1), (1, true, 0), (1, false, 0)])
    func linesHaveALimit(beyond: Int, isWhole: Bool, answers: Int) async throws {
        try await ControlSocket.run { socket in
            try await socket.served { _ in
                let line = String(repeating: "x", count: 64 * 1024 + beyond) + (isWhole ? "\n" : "")
                let lines = try await socket.connect { chunks, outbound in
                    // The server may hang up on the way.
                    try? await outbound.write(ByteBuffer(string: line))
                    return await chunks.lines(max(1, answers))
                }
                #expect(lines.count == answers)
            }
        }
    }

    @Test("A server that stops hangs up on whoever is connected, and takes its socket away")
    func stoppingEndsConnections() async throws {
        try await ControlSocket.run { socket in
            try await socket.served { run in
                let rest = try await socket.connect { chunks, outbound in
                    try await outbound.write(ByteBuffer(string: Self.status))
                    let answer = await chunks.lines(1)
                    run.cancel()
                    return answer + (await chunks.lines())
                }
                #expect(rest == ["{}"])
                await run.value
                #expect(!FileManager.default.fileExists(atPath: socket.path))
            }
        }
    }

    @Test("Connections that come in while a server stops are closed, and end nothing else")
    func connectionsNobodyServesAreClosed() async throws {
        try await ControlSocket.run { socket in
            for _ in 1...20 {
                // Nobody serves what is accepted before `run`.
                let server = try await ControlServer.listen(as: "device", in: socket.directory)
                await withTaskGroup { group in
                    for _ in 1...10 {
                        // Who comes after the end finds no socket.
                        group.addTask { (try? await socket.connect { chunks, _ in await chunks.lines().count }) ?? 0 }
                    }
                    let run = Task { await server.run { _ in ControlResponse() } }
                    run.cancel()
                    await run.value
                    for await lines in group { #expect(lines == 0) }
                }
            }
        }
    }

    @Test("A device that hangs up does not wait for a terminal that reads nothing")
    func stoppingDoesNotWaitForReaders() async throws {
        try await ControlSocket.run { socket in
            let long = ControlResponse(error: String(repeating: "x", count: 4 << 20))
            let (asked, ask) = AsyncStream.makeStream(of: Void.self)
            try await socket.served({ _ in
                ask.yield()
                return long
            }) { run in
                try await socket.connect { _, outbound in
                    try await outbound.write(ByteBuffer(string: Self.status))
                    for await _ in asked { break }
                    run.cancel()
                    await run.value
                }
            }
        }
    }

    @Test("What lies in the socket's place and is no socket stays there")
    func otherFilesStay() async throws {
        try await ControlSocket.run { socket in
            try socket.directory.prepare()
            try Data("mine".utf8).write(to: URL(filePath: socket.path))
            await #expect(throws: DeviceHostError.self) {
                _ = try await ControlServer.listen(as: "device", in: socket.directory)
            }
            #expect(FileManager.default.contents(atPath: socket.path) == Data("mine".utf8))
        }
    }
}
