import CTAP
import Testing
import WebAuthn
import WebAuthnClient

/// Time-outs and aborts, without real waiting.
struct InterruptionTests {
    /// Signals that the device waits for its user.
    private func waitingSignal() -> (AsyncStream<Void>, @Sendable (KeepaliveStatus) -> Void) {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        return (stream, { if $0 == .userPresenceNeeded { continuation.yield() } })
    }

    @Test func theAlarmStopsAWaitingDevice() async throws {
        let device = FakeAuthenticator([:])
        await device.configure { $0.touchNeverComes = true }
        var environment = environment()
        let (waiting, signal) = waitingSignal()
        environment.onKeepalive = signal
        environment.alarm = { timeout in
            guard timeout == .seconds(20) else { return }
            for await _ in waiting { return }
        }
        let client = client(device, environment)
        let origin = try Origin.test()
        let error = await failure { () async throws(WebAuthnClientError) in
            try await client.create(.test(timeout: 20_000), origin: origin)
        }
        #expect(error?.domException == .notAllowedError)
        #expect(error?.reason == .clientTimeout)
        #expect(await device.wasCancelled)
    }

    @Test func anUnusedAlarmHasNoEffect() async throws {
        let device = FakeAuthenticator([:])
        var environment = environment()
        environment.alarm = { _ in
            let (never, _) = AsyncStream<Void>.makeStream()
            for await _ in never {}
        }
        _ = try await client(device, environment).create(.test(), origin: .test())
        #expect(await device.story == ["make"])
    }

    @Test(arguments: [(19_999, nil), (20_000, "client.timeout"), (60_000, "client.timeout")] as [(Int, String?)])
    func anAnswerAfterTheDeadlineIsATimeout(_ row: (milliseconds: Int, reason: String?)) async throws {
        let device = FakeAuthenticator(UserVerificationTests.pin, pin: "1234")
        let clock = Clock()
        var environment = environment(clock: clock)
        environment.enterPIN = { _ in
            clock.advance(by: .milliseconds(row.milliseconds))
            return .pin("1234")
        }
        let client = client(device, environment)
        let origin = try Origin.test()
        let error = await failure { () async throws(WebAuthnClientError) in
            try await client.create(.test(timeout: 20_000), origin: origin)
        }
        #expect(error?.reason.label == row.reason)
        // Nothing is sent once the time is up.
        #expect(await device.story.count == (row.reason == nil ? 2 : 0))
    }

    @Test func theEnvironmentsTimeoutIsTheDefault() async throws {
        let device = FakeAuthenticator(UserVerificationTests.pin, pin: "1234")
        let clock = Clock()
        var environment = environment(clock: clock)
        environment.defaultTimeout = .seconds(5)
        environment.enterPIN = { _ in
            clock.advance(by: .seconds(6))
            return .pin("1234")
        }
        let client = client(device, environment)
        let origin = try Origin.test()
        let error = await failure { () async throws(WebAuthnClientError) in
            try await client.get(.test(userVerification: .required), origin: origin)
        }
        #expect(error?.reason == .clientTimeout)
    }

    @Test(arguments: [false, true])
    func cancellingTheTaskCancelsTheDeviceAndIsAnAbort(_ withAlarm: Bool) async throws {
        let device = FakeAuthenticator([:])
        await device.configure { $0.touchNeverComes = true }
        var environment = environment()
        let (waiting, signal) = waitingSignal()
        environment.onKeepalive = signal
        if withAlarm {
            environment.alarm = { _ in
                let (never, _) = AsyncStream<Void>.makeStream()
                for await _ in never {}
            }
        }
        let client = client(device, environment)
        let origin = try Origin.test()
        let call = Task {
            await failure { () async throws(WebAuthnClientError) in try await client.create(.test(), origin: origin) }
        }
        for await _ in waiting { break }
        call.cancel()
        let error = await call.value
        #expect(error?.domException == .abortError)
        #expect(error?.reason == .clientAborted)
        #expect(await device.wasCancelled)
    }

    @Test func aCallAbortedBeforeItBeganSendsNothing() async throws {
        let device = FakeAuthenticator([:])
        let client = client(device)
        let origin = try Origin.test()
        let call = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await failure { () async throws(WebAuthnClientError) in
                try await client.create(.test(), origin: origin)
            }
        }
        #expect(await call.value?.domException == .abortError)
        #expect(await device.log.isEmpty)
    }

    @Test func aCancelledPINIsNotAllowed() async throws {
        let device = FakeAuthenticator(UserVerificationTests.pin, pin: "1234")
        let client = client(device)
        let origin = try Origin.test()
        let error = await failure { () async throws(WebAuthnClientError) in
            try await client.create(.test(), origin: origin)
        }
        #expect(error?.domException == .notAllowedError)
        #expect(error?.reason == .pinCancelled)
        #expect(await device.story.isEmpty)
    }
}
