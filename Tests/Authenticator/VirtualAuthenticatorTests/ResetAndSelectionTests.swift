import Biometrics
import CTAP
import Testing
import VirtualAuthenticator

@Suite("Reset and Selection")
struct ResetAndSelectionTests {
    @Test func aResetIsAcceptedForTenSecondsAfterPowerUp() async {
        let bench = Bench()
        bench.clock.advance(by: .seconds(10))
        #expect(await bench.send(.reset).told == .ok)
        bench.clock.advance(by: .milliseconds(1))
        let late = Told(.notAllowed, "reset.tooLateAfterPowerUp")
        #expect(await bench.send(.reset).told == late)
        #expect(bench.person.presencePrompts == 1)
        bench.clock.advance(by: .seconds(3600))
        #expect(await bench.send(.reset).told == late)
        await bench.device.powerCycle()
        #expect(await bench.send(.reset).told == .ok)
    }

    @Test func aTouchAfterTheWindowConfirmsARequestWithinIt() async {
        let bench = Bench()
        bench.clock.advance(by: .seconds(9))
        bench.person.willAnswer([.noAnswer])
        #expect(await bench.send(.reset).told == Told(.userActionTimeout, "reset.userActionTimeout"))
    }

    @Test func aResetThatIsDeclinedErasesNothing() async throws {
        let bench = Bench()
        await bench.make { $0.options["rk"] = true }
        try await bench.setPIN()
        bench.person.willAnswer([.declined])
        #expect(await bench.send(.reset).told == Told(.operationDenied, "reset.userDeclined"))
        #expect(await bench.get().told == .ok)
        #expect(await bench.option("clientPin") == true)
    }

    @Test func resetErasesCredentialsPINRetriesAndTokens() async throws {
        let bench = Bench()
        let kept = try await bench.make { $0.options["rk"] = true }.made()
        let sealed = try await bench.make().made()
        try await bench.setPIN()
        let token = try await bench.token()
        for _ in 0..<3 { _ = try await bench.wrongPIN() }
        #expect(await bench.send(.reset).told == .ok)
        #expect(await bench.option("clientPin") == false)
        #expect(try await bench.pins().pinRetries() == (8, false))
        #expect(await bench.device.snapshot().credentials.isEmpty)
        for made in [kept, sealed] {
            #expect(try await bench.get { $0.allowList = [try made.descriptor()] }.told.status == .noCredentials)
        }
        #expect(await bench.make { $0.authenticate(token) }.told.status == .pinAuthInvalid)
        #expect(await bench.info().remainingDiscoverableCredentials == 50)
        #expect(bench.log.all.map(\.kind).contains(.wasReset))
        try await bench.setPIN()
        #expect(try await bench.told { _ = try await bench.token() } == .ok)
    }

    @Test func onlyAResetUnblocksThePIN() async throws {
        let bench = Bench { $0.maxPINRetries = 2 }
        try await bench.setPIN()
        _ = try await bench.wrongPIN()
        #expect(try await bench.wrongPIN() == Told(.pinBlocked, "clientPIN.pinBlocked"))
        await bench.device.powerCycle()
        #expect(try await bench.told { _ = try await bench.token() } == Told(.pinBlocked, "clientPIN.pinBlocked"))
        #expect(await bench.send(.reset).told == .ok)
        try await bench.setPIN()
        #expect(try await bench.told { _ = try await bench.token() } == .ok)
    }

    @Test func aResetErasesTheFingersOfAKeyAndKeepsTheFaceOfAPhone() async throws {
        let key = Bench(gate: try Gates.key())
        #expect(await key.option("uv") == true)
        #expect(await key.send(.reset).told == .ok)
        #expect(await key.option("uv") == false)
        #expect(await key.device.snapshot().gate?.sensor?.templates.isEmpty == true)
        let phone = Bench(gate: Gates.phone) { $0.isPlatform = true }
        #expect(await phone.send(.reset).told == .ok)
        #expect(await phone.option("uv") == true)
    }

    @Test func aResetRestoresTheVerificationRetries() async throws {
        let bench = Bench(gate: try Gates.key())
        bench.person.willDo([.nonMatch, .nonMatch, .nonMatch])
        for _ in 0..<3 { _ = await bench.get { $0.options["uv"] = true } }
        #expect(await bench.device.snapshot().uvRetries == 0)
        #expect(await bench.send(.reset).told == .ok)
        #expect(await bench.device.snapshot().uvRetries == 3)
    }

    @Test func selectionAsksOnlyForATouch() async {
        let bench = Bench()
        bench.person.willAnswer([.confirmed, .declined, .noAnswer])
        #expect(await bench.send(.selection).told == .ok)
        #expect(await bench.send(.selection).told == Told(.operationDenied, "selection.userDeclined"))
        #expect(await bench.send(.selection).told == Told(.userActionTimeout, "selection.userActionTimeout"))
        #expect(await bench.send(.selection).bytes == [0])
    }
}
