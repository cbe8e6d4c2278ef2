import Testing

@testable import DeviceHost

/// What a terminal hears when there is no answer.
@Suite struct ControlClientTests {
    @Test("A device that nobody started is not running")
    func nobodyListens() async throws {
        try await ControlSocket.run { socket in
            let error = await #expect(throws: DeviceHostError.self) {
                _ = try await ControlClient(directory: socket.directory).send(ControlRequest(.status), to: "device")
            }
            #expect(error?.description.hasPrefix("no device named device is running") == true)
        }
    }

    @Test("A command that is too long is refused as such, and the device lives on")
    func longCommandsAreRefused() async throws {
        try await ControlSocket.run { socket in
            try await socket.served({ _ in ControlResponse(refusal: "heard") }) { _ in
                let client = ControlClient(directory: socket.directory)
                let long = ControlRequest(.present, argument: String(repeating: "y", count: 100_000))
                await #expect(throws: DeviceHostError.refused("a command has at most 65536 bytes")) {
                    _ = try await client.send(long, to: "device")
                }
                await #expect(throws: DeviceHostError.cameToNothing("heard")) {
                    _ = try await client.send(ControlRequest(.status), to: "device")
                }
            }
        }
    }

    @Test("A device that stops while it is asked is said to have stopped")
    func devicesStopMeanwhile() async throws {
        try await ControlSocket.run { socket in
            let (asked, ask) = AsyncStream.makeStream(of: Void.self)
            let (released, release) = AsyncStream.makeStream(of: Void.self)
            // No cancellation ends it, so that the connection is closed before there is an answer.
            let answer = Task { for await _ in released { break } }
            try await socket.served({ _ in
                ask.yield()
                await answer.value
                return ControlResponse()
            }) { run in
                let client = ControlClient(directory: socket.directory)
                let sent = Task { try await client.send(ControlRequest(.status), to: "device") }
                for await _ in asked { break }
                run.cancel()
                await #expect(throws: DeviceHostError.notRunning("device stopped before it answered")) {
                    _ = try await sent.value
                }
                release.yield()
            }
        }
    }
}
