import Biometrics
import CTAP
import Testing
import VirtualAuthenticator
import WebAuthn

@Suite("Built-in user verification")
struct BuiltInUVTests {
    /// A key with an enrolled finger and a credential, and a PIN on request.
    static func bench(pin: Bool, tries: Int = 3, each: Int = 1) async throws -> Bench {
        let bench = Bench(gate: try Gates.key(tries: tries, each: each))
        if pin { try await bench.setPIN() }
        await bench.make { $0.options = ["rk": true, "uv": true] }
        return bench
    }

    static func byToken(_ bench: Bench) async throws -> Told {
        try await bench.told {
            _ = try await bench.pins().tokenUsingUV(permissions: .getAssertion, relyingPartyID: Bench.rpID)
        }
    }

    static func byOption(_ bench: Bench) async -> Told {
        await bench.get { $0.options["uv"] = true }.told
    }

    // MARK: Success

    @Test func aMatchVerifiesTheUserAndReplacesATouch() async throws {
        let bench = Bench(gate: try Gates.key())
        let made = try await bench.make { $0.options["uv"] = true }.made()
        #expect(try made.flags() == [.userPresent, .userVerified, .attestedCredentialData])
        #expect(bench.person.verificationPrompts == 1)
        #expect(bench.person.presencePrompts == 0)
    }

    @Test func aMatchSetsUPEvenIfNoTouchIsRequested() async throws {
        let bench = try await Self.bench(pin: false)
        // CTAP 2.3 §6.2.2 step 8.
        #expect(
            try await bench.get { $0.options = ["up": false, "uv": true] }.got().flags() == [
                .userPresent, .userVerified,
            ])
    }

    @Test(arguments: PINUVAuthProtocol.allCases)
    func aTokenFromAMatchReplacesATouchForThirtySeconds(pinProtocol: PINUVAuthProtocol) async throws {
        let bench = try await Self.bench(pin: false)
        func token() async throws -> PINClient.Token {
            try await bench.pins(pinProtocol).tokenUsingUV(permissions: .getAssertion, relyingPartyID: Bench.rpID)
        }
        let fresh = try await token()
        bench.clock.advance(by: .seconds(30))
        #expect(try await bench.get { $0.authenticate(fresh) }.got().flags() == [.userPresent, .userVerified])
        #expect(bench.person.presencePrompts == 0)
        let stale = try await token()
        #expect(
            await bench.get {
                $0.authenticate(stale)
                $0.options["up"] = false
            }.told == .ok)
        bench.clock.advance(by: .milliseconds(30_001))
        #expect(await bench.get { $0.authenticate(stale) }.told == .ok)
        #expect(bench.person.presencePrompts == 1)
    }

    @Test func aSilentLookUpWithATokenFromAMatchDoesNotSetUP() async throws {
        let bench = try await Self.bench(pin: false)
        let token = try await bench.pins().tokenUsingUV(permissions: .getAssertion, relyingPartyID: Bench.rpID)
        let got = try await bench.get {
            $0.authenticate(token)
            $0.options["up"] = false
        }.got()
        #expect(try got.flags() == [.userVerified])
    }

    @Test func verificationAtTheSensorKeepsTokens() async throws {
        let bench = try await Self.bench(pin: true)
        let token = try await bench.token()
        #expect(await Self.byOption(bench) == .ok)
        #expect(await bench.get { $0.authenticate(token) }.told == .ok)
    }

    // MARK: Not set up

    @Test func aDeviceWithoutTemplatesRefusesTheOptionAndTheToken() async throws {
        let bench = Bench(gate: try Gates.key(enrolled: false))
        #expect(await bench.option("uv") == false)
        #expect(await Self.byOption(bench) == Told(.invalidOption, "getAssertion.uvNotConfigured"))
        #expect(
            await bench.make { $0.options["uv"] = true }.told == Told(.invalidOption, "makeCredential.uvNotConfigured"))
        #expect(try await Self.byToken(bench) == Told(.notAllowed, "clientPIN.uvNotConfigured"))
        #expect(bench.person.verificationPrompts == 0)
    }

    // MARK: Failure

    /// The ladder of §6.4: each failure has its status on the token's path, and on the option's with and without a PIN.
    struct Rung: Sendable, CustomTestStringConvertible {
        let act: GateAct
        let cause: String
        let byToken: CTAPStatus
        let byOption: CTAPStatus
        let byOptionWithPIN: CTAPStatus

        var testDescription: String { cause }
    }

    @Test(arguments: [
        Rung(
            act: .nonMatch, cause: "attemptsExhausted", byToken: .uvInvalid, byOption: .operationDenied,
            byOptionWithPIN: .puatRequired),
        Rung(
            act: .spoof, cause: "attemptsExhausted", byToken: .uvInvalid, byOption: .operationDenied,
            byOptionWithPIN: .puatRequired),
        Rung(
            act: .noAnswer, cause: "timedOut", byToken: .userActionTimeout, byOption: .userActionTimeout,
            byOptionWithPIN: .userActionTimeout),
        Rung(
            act: .cancelByUser, cause: "userCancelled", byToken: .operationDenied, byOption: .operationDenied,
            byOptionWithPIN: .puatRequired),
        Rung(
            act: .cancelBySystem, cause: "systemCancelled", byToken: .operationDenied, byOption: .operationDenied,
            byOptionWithPIN: .puatRequired),
    ])
    func theOptionAndTheTokenCommandHaveTheirOwnStatuses(rung: Rung) async throws {
        let bench = try await Self.bench(pin: false)
        bench.person.willDo([rung.act, rung.act])
        #expect(try await Self.byToken(bench) == Told(rung.byToken, "clientPIN.builtInUV.\(rung.cause)"))
        #expect(await Self.byOption(bench) == Told(rung.byOption, "getAssertion.builtInUV.\(rung.cause)"))
        let secured = try await Self.bench(pin: true)
        secured.person.willDo([rung.act, rung.act])
        #expect(await Self.byOption(secured) == Told(rung.byOptionWithPIN, "getAssertion.builtInUV.\(rung.cause)"))
        #expect(
            await secured.make { $0.options["uv"] = true }.told
                == Told(rung.byOptionWithPIN, "makeCredential.builtInUV.\(rung.cause)"))
    }

    @Test func theLastAttemptAndAllLaterOnesAreBlocked() async throws {
        let blocked = "builtInUV.lockedOut.permanent"
        let bench = try await Self.bench(pin: false)
        bench.person.willDo([.nonMatch, .nonMatch, .nonMatch])
        for left in [2, 1] {
            #expect(try await Self.byToken(bench).status == .uvInvalid)
            #expect(try await bench.pins().uvRetries() == left)
        }
        #expect(try await Self.byToken(bench) == Told(.uvBlocked, "clientPIN.\(blocked)"))
        #expect(try await bench.pins().uvRetries() == 0)
        let prompts = bench.person.verificationPrompts
        #expect(try await Self.byToken(bench) == Told(.uvBlocked, "clientPIN.\(blocked)"))
        #expect(await Self.byOption(bench) == Told(.pinBlocked, "getAssertion.\(blocked)"))
        #expect(bench.person.verificationPrompts == prompts)
        // Neither time nor a power cycle restores the retries.
        bench.clock.advance(by: .seconds(86_400))
        await bench.device.powerCycle()
        #expect(try await Self.byToken(bench).status == .uvBlocked)
        #expect(await bench.option("uv") == true)
    }

    @Test func theLastAttemptOfTheOptionIsPinBlockedOrPuatRequired() async throws {
        for pin in [false, true] {
            let bench = try await Self.bench(pin: pin)
            bench.person.willDo([.nonMatch, .nonMatch, .nonMatch])
            for status: CTAPStatus in pin
                ? [.puatRequired, .puatRequired, .puatRequired] : [.operationDenied, .operationDenied, .pinBlocked]
            {
                #expect(await Self.byOption(bench).status == status)
            }
        }
    }

    @Test func aMatchRestoresTheRetries() async throws {
        let bench = try await Self.bench(pin: false)
        bench.person.willDo([.nonMatch, .nonMatch, .match()])
        for _ in 0..<2 { _ = try await Self.byToken(bench) }
        #expect(try await Self.byToken(bench) == .ok)
        #expect(try await bench.pins().uvRetries() == 3)
    }

    @Test func aCorrectPINRestoresTheRetriesAndAWrongPINDoesNot() async throws {
        let bench = try await Self.bench(pin: true)
        bench.person.willDo([.nonMatch, .nonMatch, .nonMatch])
        for _ in 0..<3 { _ = try await Self.byToken(bench) }
        _ = try await bench.wrongPIN()
        #expect(try await bench.pins().uvRetries() == 0)
        _ = try await bench.token()
        #expect(try await bench.pins().uvRetries() == 3)
        #expect(try await Self.byToken(bench) == .ok)
    }

    @Test func aTimeoutCostsARetryOnAKey() async throws {
        let bench = try await Self.bench(pin: false)
        bench.person.willDo([.noAnswer, .cancelByUser, .badCapture(.partial), .match()])
        _ = try await Self.byToken(bench)
        #expect(try await bench.pins().uvRetries() == 2)
        // Neither a dismissal nor a bad capture costs a retry.
        _ = try await Self.byToken(bench)
        #expect(try await bench.pins().uvRetries() == 2)
        #expect(try await Self.byToken(bench) == .ok)
    }

    @Test func aKeyWithInternalRetriesSensesAgainWithinOneCommand() async throws {
        let bench = try await Self.bench(pin: false, tries: 5, each: 2)
        bench.person.willDo([.nonMatch, .match(), .nonMatch, .nonMatch])
        #expect(try await Self.byToken(bench) == .ok)
        #expect(try await Self.byToken(bench) == Told(.uvInvalid, "clientPIN.builtInUV.attemptsExhausted"))
        #expect(try await bench.pins().uvRetries() == 3)
    }

    @Test func aPermanentlyBlockedPINBlocksTheSensor() async throws {
        let bench = try await Self.bench(pin: true)
        for number in 1...8 {
            _ = try await bench.wrongPIN()
            if number % 3 == 0 { await bench.device.powerCycle() }
        }
        #expect(try await bench.pins().uvRetries() == 0)
        #expect(try await Self.byToken(bench) == Told(.uvBlocked, "clientPIN.builtInUV.lockedOut.permanent"))
        #expect(await Self.byOption(bench) == Told(.puatRequired, "getAssertion.builtInUV.lockedOut.permanent"))
        #expect(await bench.device.snapshot().lockout == .exhausted)
        await bench.device.powerCycle()
        #expect(await bench.send(.reset).told == .ok)
        #expect(try await bench.pins().uvRetries() == 3)
    }

    @Test func aUserCountsAsAbsentAfterTooManyIgnoredActs() async throws {
        let bench = try await Self.bench(pin: false)
        bench.person.willDo([GateAct](repeating: .passcode(correct: true), count: 200))
        #expect(try await Self.byToken(bench) == Told(.userActionTimeout, "clientPIN.builtInUV.timedOut"))
    }

    @Test func theReasonNamesTheSensorsProblem() async throws {
        let troubles: [(SensorAvailability, String)] = [(.busy, "sensorBusy"), (.failed, "sensorFailed")]
        for (availability, cause) in troubles {
            let bench = try await Self.bench(pin: false)
            try await bench.device.changeGate { gate, now in gate.setAvailability(availability, at: now) }
            #expect(try await Self.byToken(bench) == Told(.uvInvalid, "clientPIN.builtInUV.\(cause)"))
            #expect(await Self.byOption(bench) == Told(.operationDenied, "getAssertion.builtInUV.\(cause)"))
        }
        // A disabled or absent sensor is no longer set up.
        for availability: SensorAvailability in [.disabledByPolicy, .absent] {
            let bench = try await Self.bench(pin: true)
            try await bench.device.changeGate { gate, now in gate.setAvailability(availability, at: now) }
            #expect(await Self.byOption(bench) == Told(.invalidOption, "getAssertion.uvNotConfigured"))
        }
    }
}
