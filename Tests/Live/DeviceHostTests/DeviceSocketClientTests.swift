import Testing

@testable import DeviceHost

/// The errors of a client without an answer.
@Suite struct DeviceSocketClientTests {
    @Test("A device that was not started is not running")
    func unstartedDeviceIsNotRunning() async throws {
        try await TestSocket.run { socket in
            let error = await #expect(throws: DeviceHostError.self) {
                _ = try await DeviceSocketClient(directory: socket.directory).send(.status, to: "device")
            }
            #expect(error?.description.hasPrefix("no device named device is running") == true)
        }
    }

    @Test("A request that is too long is refused, and the device keeps running")
    func longRequestIsRefused() async throws {
        try await TestSocket.run { socket in
            try await socket.served({ _ in DeviceSocketResponse(refusal: "heard") }) { _ in
                let client = DeviceSocketClient(directory: socket.directory)
                let long = DeviceRequest.snapshot(path: "/" + String(repeating: "y", count: 100_000))
                await #expect(
                    throws: DeviceHostError.impossible(
                        "the command is longer than 65536 bytes; shorten its arguments")
                ) {
                    _ = try await client.send(long, to: "device")
                }
                await #expect(throws: DeviceHostError.refused("heard")) {
                    _ = try await client.send(.status, to: "device")
                }
            }
        }
    }

    @Test("A device that stops before its answer is reported as stopped")
    func deviceMayStopBeforeItsAnswer() async throws {
        try await TestSocket.run { socket in
            let (asked, ask) = AsyncStream.makeStream(of: Void.self)
            let (released, release) = AsyncStream.makeStream(of: Void.self)
            // Cancellation does not end it, so the connection closes before the answer.
            let answer = Task { for await _ in released { break } }
            try await socket.served({ _ in
                ask.yield()
                await answer.value
                return DeviceSocketResponse()
            }) { run in
                let client = DeviceSocketClient(directory: socket.directory)
                let sent = Task { try await client.send(.status, to: "device") }
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
