import Biometrics
import CTAP
import DeviceProfiles
import PlatformErrors
import SimulatedDevice
import Synchronization
import TestSupport
import Testing
import VirtualAuthenticator

@testable import Trace

@Suite("A traced device")
struct TracedDeviceTests {
    @Test func aRunIsRecordedWithRequestsEventsAndReasons() async throws {
        let bench = try TracedBench("security-key-pin")
        try await bench.pin.setPIN("1234")
        await #expect(throws: AuthenticatorClient.Failure.self) {
            try await bench.pin.token(pin: "0000", permissions: .makeCredential, relyingPartyID: "example.com")
        }
        _ = try await bench.pin.token(pin: "1234", permissions: .makeCredential, relyingPartyID: "example.com")

        let asked = bench.recording.requests.map(\.sentenceParts)
        #expect(
            asked == [
                ["ClientPIN", "getKeyAgreement"], ["ClientPIN", "setPIN"], ["ClientPIN", "getKeyAgreement"],
                ["ClientPIN", "getPinUvAuthTokenUsingPinWithPermissions"], ["ClientPIN", "getKeyAgreement"],
                ["ClientPIN", "getPinUvAuthTokenUsingPinWithPermissions"],
            ])
        let wrong = bench.recording.responses[3]
        #expect(wrong.status == .pinInvalid)
        // The trace has the device's log.
        let refusals = bench.simulated.log.all.compactMap { event -> Refusal? in
            if case .answer(_, _, let refusal?) = event.kind { refusal } else { nil }
        }
        #expect(refusals.map(\.reason.label) == [wrong.reason])
        #expect(refusals.map(\.reason.clause) == [wrong.clause])
        #expect(bench.recording.responses.filter { $0.reason != nil }.count == 1)

        let ofWrong = bench.recording.records.filter { $0.exchange == 4 }.map(\.content)
        #expect(ofWrong.count == 3)
        #expect(ofWrong[1] == .event(TraceEvent(kind: "pin", text: "PIN does not match, 7 retries left")))
        // The trace contains the PIN in no form.
        let text = try Recording.everything(bench.recording.records)
        #expect(text.contains("<32 secret bytes>") && text.contains("<80 secret bytes>"))
        #expect(!text.contains("1234\""))
    }

    @Test func theWaitForTheUserIsPartOfTheExchange() async throws {
        let bench = try TracedBench("security-key-pin")
        await bench.controlled.tell(.gate(.noAnswer))
        await #expect(throws: AuthenticatorClient.Failure.self) { try await bench.client.selection() }
        let contents = bench.recording.records.filter { $0.exchange == 1 }.map(\.content)
        #expect(contents.contains(.keepalive(.userPresenceNeeded)))
        #expect(contents.contains(.event(TraceEvent(kind: "presence", text: "asks for a touch"))))
        #expect(contents.contains(.event(TraceEvent(kind: "presence", text: "touch: noAnswer"))))
        let answer = try #require(bench.recording.responses.first)
        #expect(answer.status == .userActionTimeout)
        #expect(answer.duration == bench.simulated.profile.authenticator.userActionTimeout)
        let times = bench.recording.records.map(\.at)
        #expect(times == times.sorted())
    }

    @Test func gateTransitionsAreRecordedInOrder() async throws {
        let bench = try TracedBench("iphone-face-id")
        await bench.controlled.tell(.gate(.nonMatch))
        await bench.controlled.tell(.gate(.match()))
        _ = try await bench.pin.tokenUsingUV(permissions: .getAssertion, relyingPartyID: "example.com")
        let texts = bench.recording.records.compactMap { record in
            if case .event(let event) = record.content, event.kind == "gate" { event.text } else { nil }
        }
        #expect(
            texts == [
                "prompt for the face",
                "user: shows a face that does not match, and is asked again; failure 1 in a row",
                "user: shows the enrolled face → verified; the count of failures is reset",
            ])
        let exchanges = bench.recording.records.filter { if case .event = $0.content { true } else { false } }
        #expect(Set(exchanges.map(\.exchange)) == [2])
    }

    @Test func anOutcomeCarriesItsCauseAndItsPlatformErrors() async throws {
        let bench = try TracedBench("iphone-face-id")
        await bench.controlled.tell(.gate(.cancelByUser))
        await #expect(throws: AuthenticatorClient.Failure.self) {
            try await bench.pin.tokenUsingUV(permissions: .getAssertion, relyingPartyID: "example.com")
        }
        let lines = try bench.recording.records.map { record in
            try TraceLine.decode(TraceLine.encode(record))
        }
        #expect(lines == bench.recording.records)
        let event = try #require(
            lines.lazy.compactMap { if case .event(let event) = $0.content, event.cause != nil { event } else { nil } }
                .first)
        #expect(event.cause == "userCancelled")
        #expect(event.platformErrors?.contains { $0.text == "LAError -2 userCancel" } == true)
        let answer = try #require(bench.recording.responses.last)
        #expect(answer.cause == "userCancelled")
        #expect(answer.platformErrors?.first { $0.interface == "ctap" }?.code == 0x27)
        #expect(Conversation().text(lines).contains("an app gets LAError -2 userCancel; ASAuthorizationError 1001"))
    }

    @Test func eventsBetweenExchangesHaveNoNumber() async throws {
        let bench = try TracedBench("iphone-face-id")
        try await bench.simulated.enrol("second")
        await bench.simulated.authenticator.powerCycle()
        let powered = try #require(bench.device as? any PowerCyclable)
        await powered.powerCycle()
        // The enrolment, and for each power cycle the requirement of the passcode and the cycle itself.
        #expect(bench.recording.records.allSatisfy { $0.exchange == nil })
        #expect(
            bench.recording.records.count { record in
                if case .event(let event) = record.content { event.kind == "gate" } else { false }
            } == 3)
        // Once for each power cycle, by the user or by the transport.
        #expect(bench.recording.contents.filter { $0 == .powerCycle }.count == 2)
    }

    @Test func aPowerCycleIsRecordedForADeviceWithoutEvents() async throws {
        struct Key: CTAPDevice, PowerCyclable {
            func transceive(
                _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
            ) async -> [UInt8] { [0] }
            func powerCycle() async {}
        }
        let recording = Recording()
        let trace = recording.recorder().device("key", now: { .zero })
        await (trace.traced(Key()) as? any PowerCyclable)?.powerCycle()
        #expect(recording.contents.last == .powerCycle)
        // Tracing does not add a plug to a device without one.
        #expect(!(trace.traced(Puppet { _, _ in [0] }) is any PowerCyclable))
    }

    @Test("An exchange that the loss of power ends was not cancelled by the client", arguments: [true, false])
    func lossOfPower(losesPower: Bool) async throws {
        struct Waiting: CTAPDevice, PowerCyclable {
            func transceive(
                _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
            ) async -> [UInt8] {
                while !Task.isCancelled { await Task.yield() }
                return [CTAPStatus.keepaliveCancel.rawValue]
            }
            func powerCycle() async {}
        }
        let recording = Recording()
        let device = recording.recorder().device("key", now: { .zero }).traced(Waiting())
        let request = Task { try await device.transceive([1]) { _ in } }
        while !recording.contents.contains(where: { if case .request = $0 { true } else { false } }) {
            await Task.yield()
        }
        if losesPower { await (device as? any PowerCyclable)?.powerCycle() }
        request.cancel()
        _ = try await request.value
        #expect(recording.contents.contains(.cancel) == !losesPower)
        guard case .failure(let failure)? = recording.contents.last else { return #expect(!losesPower) }
        #expect(losesPower && failure.error == "disconnected")
    }

    @Test func repeatedKeepalivesAreRecordedOnceAndAllReachTheClient() async throws {
        let recording = Recording()
        let heard = Mutex(0)
        let device = recording.recorder().device("key", now: { .zero }).traced(
            Puppet { _, keepalive in
                for status in [.processing, .processing, .userPresenceNeeded, .userPresenceNeeded, .processing]
                    as [KeepaliveStatus]
                {
                    keepalive(status)
                }
                return [0]
            })
        _ = try await device.transceive([4]) { _ in heard.withLock { $0 += 1 } }
        #expect(heard.withLock { $0 } == 5)
        let changes = recording.contents.compactMap { if case .keepalive(let status) = $0 { status } else { nil } }
        #expect(changes == [.processing, .userPresenceNeeded, .processing])
    }

    @Test func aCancelledRequestIsRecordedWithItsAnswer() async throws {
        // When the device asks for a touch, the user's act cancels the client's task.
        let bench = try TracedBench(
            "security-key-pin",
            person: ScriptedTouch {
                withUnsafeCurrentTask { $0?.cancel() }
                return .confirmed
            })
        let device = bench.device
        let answer = try await Task { try await device.transceive([0x0B]) }.value
        #expect(answer == [CTAPStatus.keepaliveCancel.rawValue])
        let contents = bench.recording.records.filter { $0.exchange == 1 }.map(\.content)
        let cancelled = try #require(contents.firstIndex(of: .cancel))
        #expect(contents[..<cancelled].contains(.keepalive(.userPresenceNeeded)))
        #expect(cancelled < contents.count - 1)
        #expect(bench.recording.responses.map(\.reason) == ["person.cancelledByPlatform"])
    }

    @Test(
        arguments: [
            (.disconnected("gone"), "disconnected"), (.timedOut("silent"), "timedOut"),
            (.protocolViolation("odd"), "protocolViolation"), (.busy, "busy"),
        ] as [(CTAPDeviceError, String)])
    func aDeviceWithoutAnAnswerIsAFailure(error: CTAPDeviceError, label: String) async throws {
        let recording = Recording()
        let now = Mutex(Duration.seconds(10))
        let device = recording.recorder().device("key", now: { now.withLock { $0 } }).traced(
            Puppet { _, _ throws(CTAPDeviceError) in
                now.withLock { $0 += .milliseconds(1500) }
                throw error
            })
        await #expect(throws: error) { try await device.transceive([4]) }
        let failure = TraceFailure(error: label, text: error.description, duration: .milliseconds(1500))
        #expect(recording.contents.last == .failure(failure))
    }

    @Test func aClockThatGoesBackGivesNoNegativeDuration() async throws {
        let recording = Recording()
        let now = Mutex(Duration.seconds(10))
        let device = recording.recorder().device("key", now: { now.withLock { $0 } }).traced(
            Puppet { _, _ in
                now.withLock { $0 -= .seconds(5) }
                return [0]
            })
        _ = try await device.transceive([4])
        #expect(recording.responses.map(\.duration) == [.zero])
    }

    @Test func reasonsBelongToTheirExchangeWithSeveralClients() async throws {
        // While the device waits for the first client's touch, a second client sends a request and is refused.
        let device = Mutex<(any CTAPDevice)?>(nil)
        let bench = try TracedBench(
            "security-key-pin",
            person: ScriptedTouch {
                let device = device.withLock { $0 }
                _ = await Task.detached { try? await device?.transceive([0x04]) }.value
                return .declined
            })
        device.withLock { $0 = bench.device }
        _ = try await bench.device.transceive([0x0B])
        let answers = bench.recording.records.compactMap { record -> (Int?, CTAPStatus?, String?)? in
            guard case .response(let response) = record.content else { return nil }
            return (record.exchange, response.status, response.reason)
        }
        try #require(answers.count == 2)
        #expect(answers[0] == (2, .channelBusy, nil))
        #expect(answers[1] == (1, .operationDenied, "selection.userDeclined"))
        let events = bench.recording.records.filter { if case .event = $0.content { true } else { false } }
        #expect(events.map(\.exchange) == [1, 1])
    }
}

extension TraceRequest {
    fileprivate var sentenceParts: [String] { [command, subcommand].compactMap(\.self) }
}
