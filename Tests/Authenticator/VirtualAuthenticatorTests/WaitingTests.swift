import Biometrics
import CTAP
import Synchronization
import Testing
import VirtualAuthenticator
import WebAuthn

@Suite("A device that waits for the user")
struct WaitingTests {
    let person = WaitingUser()

    @Test func keepalivesReportThatTheUserIsNeeded() async throws {
        let bench = Bench(gate: try Gates.key())
        #expect(bench.log.keepalives.isEmpty)
        await bench.make { $0.options = ["rk": true, "uv": true] }
        #expect(bench.log.keepalives == [.userPresenceNeeded, .processing])
        _ = await bench.get()
        #expect(bench.log.keepalives == [.userPresenceNeeded, .processing, .userPresenceNeeded, .processing])
        _ = await bench.send(.getInfo)
        _ = await bench.get { $0.options["up"] = false }
        #expect(bench.log.keepalives.count == 4)
    }

    @Test func aSecondRequestFindsTheChannelBusy() async throws {
        let bench = Bench(person: person)
        var prompts = person.prompts.makeAsyncIterator()
        async let answer = bench.make()
        let prompt = try #require(await prompts.next())
        #expect(await bench.send(.getInfo).bytes == [CTAPStatus.channelBusy.rawValue])
        #expect(await bench.send(.selection).bytes == [CTAPStatus.channelBusy.rawValue])
        prompt.yield(.match())
        #expect(await answer.told == .ok)
        #expect(await bench.send(.getInfo).told == .ok)
    }

    enum Wait: CaseIterable, Sendable {
        case touch
        case sensor
        case token
        case account
        case reset
        case selection
    }

    /// A device with two accounts, and the request that waits.
    private func waiting(_ wait: Wait) async throws -> (bench: Bench, request: @Sendable () async -> Told) {
        var prompts = person.prompts.makeAsyncIterator()
        let bench = Bench(gate: try Gates.key(), person: person) {
            $0.makeCredUvNotRequired = true
            $0.hasDisplay = wait == .account
        }
        for number: UInt8 in 1...2 {
            async let made = bench.make {
                $0.options = ["rk": true, "uv": true]
                $0.user.id = [number]
            }
            try #require(await prompts.next()).yield(.match())
            try #require(await made.told == .ok)
        }
        switch wait {
        case .touch: return (bench, { await bench.make().told })
        case .sensor: return (bench, { await bench.make { $0.options["uv"] = true }.told })
        case .token:
            return (
                bench,
                {
                    let told = try? await bench.told {
                        _ = try await bench.pins().tokenUsingUV(permissions: .getAssertion, relyingPartyID: Bench.rpID)
                    }
                    return told ?? Told(.other, "no refusal")
                }
            )
        case .account:
            return (
                bench,
                {
                    // The touch first, then the list.
                    await bench.get { $0.options["uv"] = true }.told
                }
            )
        case .reset: return (bench, { await bench.send(.reset).told })
        case .selection: return (bench, { await bench.send(.selection).told })
        }
    }

    /// Answers the prompts before the tested one.
    private func reach(_ wait: Wait, _ prompts: inout AsyncStream<WaitingUser.Prompt>.Iterator) async throws {
        if wait == .account { try #require(await prompts.next()).yield(.match()) }
        try #require(await prompts.next() != nil)
    }

    @Test(arguments: Wait.allCases)
    func aCancelledTaskCancelsTheCommandAndTheDeviceServesTheNext(wait: Wait) async throws {
        let (bench, request) = try await waiting(wait)
        var prompts = person.prompts.makeAsyncIterator()
        let task = Task { await request() }
        try await reach(wait, &prompts)
        task.cancel()
        #expect(await task.value == Told(.keepaliveCancel, "person.cancelledByPlatform"))
        async let again = request()
        try await answerAll(wait, &prompts)
        #expect(await again == .ok)
        #expect(await bench.device.snapshot().uvRetries == 3)
    }

    @Test(arguments: Wait.allCases)
    func aPowerCycleEndsTheCommandAndTheDeviceServesTheNext(wait: Wait) async throws {
        let (bench, request) = try await waiting(wait)
        var prompts = person.prompts.makeAsyncIterator()
        async let lost = request()
        if wait == .account { try #require(await prompts.next()).yield(.match()) }
        let old = try #require(await prompts.next())
        await bench.device.powerCycle()
        // The device serves the next request before the old prompt is answered.
        #expect(try await bench.device.transceive([4]).first == 0)
        async let again = request()
        if wait == .account { try #require(await prompts.next()).yield(.match()) }
        let new = try #require(await prompts.next())
        // The late answer to the old prompt does not affect the new one.
        old.yield(.cancelByUser)
        let ended = await lost
        #expect(ended.status == .keepaliveCancel)
        new.yield(.match())
        #expect(await again == .ok)
    }

    private func answerAll(_ wait: Wait, _ prompts: inout AsyncStream<WaitingUser.Prompt>.Iterator) async throws {
        for _ in 0..<(wait == .account ? 2 : 1) { try #require(await prompts.next()).yield(.match()) }
    }

    @Test func aCancelledTaskThatDoesNotWaitForTheUserIsAnswered() async {
        let bench = Bench()
        let task = Task {
            await withTaskCancellationHandler {
                await bench.send(.getInfo).told
            } onCancel: {
            }
        }
        task.cancel()
        #expect(await task.value == .ok)
    }

    @Test func anAppsPromptUsesTheSameGate() async throws {
        let bench = Bench(gate: Gates.phone)
        bench.person.willDo([.match(), .nonMatch, .nonMatch, .giveUp, .cancelByUser])
        let biometric = PromptOptions(allowsDeviceCredential: false)
        #expect(await bench.device.verifyUser(biometric) == .verified(.biometric(.face, templateID: [1])))
        #expect(await bench.device.verifyUser(biometric) == .failed(.attemptsExhausted))
        #expect(await bench.device.verifyUser(biometric) == .failed(.userCancelled))
        #expect(await Bench().device.verifyUser(biometric) == .refused(.sensorAbsent))
    }

    @Test func aCancelledPromptOfAnAppHasNoResult() async throws {
        let bench = Bench(gate: Gates.phone, person: person)
        var prompts = person.prompts.makeAsyncIterator()
        let task = Task { await bench.device.verifyUser(PromptOptions(allowsDeviceCredential: true)) }
        try #require(await prompts.next() != nil)
        task.cancel()
        #expect(await task.value == nil)
        #expect(await bench.device.snapshot().gate?.stage == .idle)
    }
}
