import Biometrics
import CBOR
import CTAP
import TestSupport
import Testing
import VirtualAuthenticator
import WebAuthn

/// Laying a device on a reader is the gesture (CTAP 2.3 §5, "evidence of user interaction").
@Suite("Presence over NFC") struct ContactlessPresenceTests {
    private static func send(_ message: [UInt8], over transport: AuthenticatorTransport, _ bench: Bench) async -> Told {
        let start = bench.log.all.count
        let bytes = await bench.device.transceive(message, over: transport, onKeepalive: bench.log.hear)
        return Told(CTAPStatus(rawValue: bytes.first ?? 0xFF), bench.log.lastReason(from: start))
    }

    private static func make(
        _ bench: Bench, over transport: AuthenticatorTransport = .nfc,
        _ change: (inout MakeCredentialRequest) -> Void = { _ in }
    ) async -> Told {
        await send(
            [CTAPCommand.makeCredential.rawValue] + CBOR.encode(Bench.makeRequest(change).cbor), over: transport, bench)
    }

    private static func get(_ bench: Bench, up: Bool = true) async -> Told {
        let request = Bench.getRequest { if !up { $0.options["up"] = false } }
        return await send([CTAPCommand.getAssertion.rawValue] + CBOR.encode(request.cbor), over: .nfc, bench)
    }

    private static let tapMissing = Told(.upRequired, "getAssertion.tapMissing")

    @Test(arguments: [AuthenticatorTransport.nfc, .smartCard])
    func aTapIsPresenceWithoutAPrompt(transport: AuthenticatorTransport) async {
        let bench = Bench()
        #expect(await Self.make(bench, over: transport) == .ok)
        #expect(bench.person.presencePrompts == 0)
        #expect(bench.log.keepalives.isEmpty)
    }

    @Test func aTapCountsOnce() async {
        let bench = Bench()
        #expect(await Self.make(bench) { $0.options["rk"] = true } == .ok)
        #expect(await Self.get(bench) == Self.tapMissing)
        await bench.device.powerCycle()
        #expect(await Self.get(bench) == .ok)
        #expect(await Self.get(bench) == Self.tapMissing)
    }

    @Test func aSilentLookUpDoesNotSpendTheTap() async {
        let bench = Bench()
        #expect(await Self.make(bench) { $0.options["rk"] = true } == .ok)
        await bench.device.powerCycle()
        #expect(await Self.get(bench, up: false) == .ok)
        #expect(await Self.get(bench) == .ok)
    }

    @Test(arguments: [(120, true), (121, false)])
    func aTapCountsForTwoMinutes(seconds: Int, counts: Bool) async {
        let bench = Bench()
        bench.clock.advance(by: .seconds(seconds))
        #expect(await Self.make(bench) == (counts ? .ok : Told(.upRequired, "makeCredential.tapMissing")))
    }

    @Test func aDeviceMayHaveAShorterTapLimit() async {
        let bench = Bench { $0.contactlessPresenceLimit = .seconds(12) }
        bench.clock.advance(by: .seconds(13))
        #expect(await Self.make(bench) == Told(.upRequired, "makeCredential.tapMissing"))
    }

    @Test func aDeviceMayRequireItsButtonOverNFC() async {
        let bench = Bench { $0.contactlessPresence = .touch }
        #expect(await Self.make(bench) == .ok)
        #expect(await Self.make(bench) == .ok)
        #expect(bench.person.presencePrompts == 2)
    }

    @Test func theDeviceAsksTheUserOverOtherTransports() async {
        let bench = Bench()
        for transport in [AuthenticatorTransport.usb, .ble, .internal] {
            #expect(await Self.make(bench, over: transport) == .ok)
        }
        #expect(bench.person.presencePrompts == 3)
    }

    @Test func aResetUsesTheTap() async {
        let bench = Bench()
        #expect(await Self.send([CTAPCommand.reset.rawValue], over: .nfc, bench) == .ok)
        let again = await Self.send([CTAPCommand.reset.rawValue], over: .nfc, bench)
        // The reset restores the initial state; the tap stays used up.
        #expect(again == Told(.upRequired, "reset.tapMissing"))
    }

    /// A user who lifts the device and taps again before each request.
    private struct Tapper: User {
        func confirm(_ prompt: PresencePrompt) async -> PresenceAnswer { .noAnswer }
        func verify(_ prompt: VerificationPrompt) async -> GateAct { .noAnswer }
        func enrol(_ prompt: EnrolmentPrompt) async -> EnrollSampleStatus { .noUserActivity }
        func choose(_ prompt: AccountPrompt) async -> Int? { nil }
        func tapsAgain() async -> Bool { true }
    }

    @Test func aUserWhoTapsAgainIsPresentForEachRequest() async {
        let bench = Bench(person: Tapper())
        #expect(await Self.make(bench) { $0.options["rk"] = true } == .ok)
        for _ in 1...3 { #expect(await Self.get(bench) == .ok) }
        bench.clock.advance(by: .seconds(121))
        #expect(await Self.get(bench) == .ok)
    }

    @Test func aUserWhoTapsAgainOpensTheResetWindow() async {
        let bench = Bench(person: Tapper())
        bench.clock.advance(by: .seconds(60))
        #expect(await Self.send([CTAPCommand.reset.rawValue], over: .nfc, bench) == .ok)
        bench.clock.advance(by: .seconds(60))
        #expect(
            await Self.send([CTAPCommand.reset.rawValue], over: .usb, bench)
                == Told(.notAllowed, "reset.tooLateAfterPowerUp"))
    }

    @Test func u2fUsesTheTap() async throws {
        let bench = Bench { $0.supportsU2F = true }
        let register = U2FRequest(instruction: .register, data: [UInt8](repeating: 1, count: 64)).encoded
        func send(_ apdu: [UInt8]) async throws -> StatusWord {
            try #require(ResponseAPDU(parsing: await bench.device.answerU2F(apdu, over: .nfc))).status
        }
        #expect(try await send(register) == .noError)
        #expect(try await send(register) == .conditionsNotSatisfied)
        await bench.device.powerCycle()
        #expect(try await send(register) == .noError)
        #expect(bench.person.presencePrompts == 0)
    }
}
