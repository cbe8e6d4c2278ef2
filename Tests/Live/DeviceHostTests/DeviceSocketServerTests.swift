import Foundation
import NIOCore
import Synchronization
import Testing

@testable import DeviceHost

/// The socket of a running device.
@Suite struct DeviceSocketServerTests {
    private static let status = "{\"status\":{}}\n"

    @Test("Requests may arrive in pieces or together; each gets its line")
    func requestsMayArriveInPieces() async throws {
        try await TestSocket.run { socket in
            let heard = Mutex<[DeviceRequest]>([])
            try await socket.served({ request in
                heard.withLock { $0.append(request) }
                return DeviceSocketResponse(refusal: "\(request)")
            }) { _ in
                let answers = try await socket.connect { chunks, outbound in
                    try await outbound.write(ByteBuffer(string: "{\"placeOnReader\":"))
                    try await outbound.write(ByteBuffer(string: "{}}\n" + Self.status + "{\"unp"))
                    let first = await chunks.lines(2)
                    try await outbound.write(ByteBuffer(string: "lug\":{}}\n"))
                    return first + (await chunks.lines(1))
                }
                #expect(answers == ["placeOnReader", "status", "unplug"].map { "{\"refusal\":\"\($0)\"}" })
                #expect(heard.withLock { $0 } == [.placeOnReader, .status, .unplug])
            }
        }
    }

    @Test(
        "An invalid line gets an error",
        arguments: ["", "{}", "hello", "{\"fly\":{}}", "\u{1}\u{2}"])
    func invalidLineGetsError(line: String) async throws {
        try await TestSocket.run { socket in
            try await socket.served { _ in
                let answers = try await socket.connect { chunks, outbound in
                    try await outbound.write(ByteBuffer(string: line + "\n" + Self.status))
                    return await chunks.lines(2)
                }
                #expect(
                    answers == [
                        "{\"error\":\"the command is unknown; use the same version of touchstone for both processes\"}",
                        "{}",
                    ])
            }
        }
    }

    @Test(
        "A line of 64 KiB is read, and a longer one ends the connection without an answer",
        arguments: [(0, true, 1), (1, true, 0), (1, false, 0)])
    func longLineEndsConnection(beyond: Int, isWhole: Bool, answers: Int) async throws {
        try await TestSocket.run { socket in
            try await socket.served { _ in
                let line = String(repeating: "x", count: 64 * 1024 + beyond) + (isWhole ? "\n" : "")
                let lines = try await socket.connect { chunks, outbound in
                    // The server may close the connection in between.
                    try? await outbound.write(ByteBuffer(string: line))
                    return await chunks.lines(max(1, answers))
                }
                #expect(lines.count == answers)
            }
        }
    }

    @Test("A server that stops closes its connections and removes its socket")
    func stoppingClosesConnections() async throws {
        try await TestSocket.run { socket in
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

    @Test("Connections that arrive while a server stops are closed without further effects")
    func unservedConnectionsAreClosed() async throws {
        try await TestSocket.run { socket in
            for _ in 1...20 {
                // Connections accepted before `run` are not served.
                let server = try await DeviceSocketServer.listen(as: "device", in: socket.directory)
                await withTaskGroup { group in
                    for _ in 1...10 {
                        // Later clients find no socket.
                        group.addTask { (try? await socket.connect { chunks, _ in await chunks.lines().count }) ?? 0 }
                    }
                    let run = Task { await server.run { _ in DeviceSocketResponse() } }
                    run.cancel()
                    await run.value
                    for await lines in group { #expect(lines == 0) }
                }
            }
        }
    }

    @Test("A stopping device does not wait for a client that does not read")
    func stoppingDoesNotWaitForSlowClients() async throws {
        try await TestSocket.run { socket in
            let long = DeviceSocketResponse(error: String(repeating: "x", count: 4 << 20))
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

    @Test("A file in the socket's place that is not a socket stays")
    func otherFileInPlaceOfSocketStays() async throws {
        try await TestSocket.run { socket in
            try socket.directory.prepare()
            try Data("mine".utf8).write(to: URL(filePath: socket.path))
            await #expect(throws: DeviceHostError.self) {
                _ = try await DeviceSocketServer.listen(as: "device", in: socket.directory)
            }
            #expect(FileManager.default.contents(atPath: socket.path) == Data("mine".utf8))
        }
    }
}
