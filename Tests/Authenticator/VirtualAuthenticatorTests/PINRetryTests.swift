import CTAP
import Testing
import VirtualAuthenticator

@Suite("PIN retries")
struct PINRetryTests {
    static let mismatch = Told(.pinInvalid, "clientPIN.pinMismatch")
    static let softBlocked = Told(.pinAuthBlocked, "clientPIN.pinBlockedUntilPowerCycle")
    static let blocked = Told(.pinBlocked, "clientPIN.pinBlocked")

    static func bench(_ change: (inout AuthenticatorConfiguration) -> Void = { _ in }) async throws -> Bench {
        let bench = Bench(change)
        try await bench.setPIN()
        return bench
    }

    @Test(arguments: PINUVAuthProtocol.allCases)
    func threeWrongPINsInARowBlockUntilThePowerIsCycled(pinProtocol: PINUVAuthProtocol) async throws {
        let bench = try await Self.bench()
        #expect(try await bench.wrongPIN(pinProtocol) == Self.mismatch)
        #expect(try await bench.wrongPIN(pinProtocol) == Self.mismatch)
        #expect(try await bench.pins().pinRetries() == (6, false))
        #expect(try await bench.wrongPIN(pinProtocol) == Self.softBlocked)
        #expect(try await bench.pins().pinRetries() == (5, true))
        // Neither the correct PIN nor time helps, and the PIN costs no retry.
        bench.clock.advance(by: .seconds(86_400))
        #expect(try await bench.told { _ = try await bench.token(pinProtocol) } == Self.softBlocked)
        #expect(
            try await bench.told { try await bench.pins().changePIN(from: Bench.pin, to: "99999") } == Self.softBlocked)
        #expect(try await bench.pins().pinRetries() == (5, true))
        await bench.device.powerCycle()
        #expect(try await bench.pins().pinRetries() == (5, false))
        #expect(try await bench.told { _ = try await bench.token(pinProtocol) } == .ok)
        #expect(try await bench.pins().pinRetries() == (8, false))
    }

    @Test func aCorrectPINRestartsTheCountOfThree() async throws {
        let bench = try await Self.bench()
        for _ in 0..<5 {
            #expect(try await bench.wrongPIN() == Self.mismatch)
            #expect(try await bench.wrongPIN() == Self.mismatch)
            _ = try await bench.token()
        }
        #expect(try await bench.pins().pinRetries() == (8, false))
    }

    @Test func eightWrongPINsBlockUntilAReset() async throws {
        let bench = try await Self.bench()
        for number in 1...8 {
            let told = try await bench.wrongPIN()
            // The last one is PIN_BLOCKED although it is the second in a row.
            #expect(told == (number == 8 ? Self.blocked : number % 3 == 0 ? Self.softBlocked : Self.mismatch))
            if number % 3 == 0 { await bench.device.powerCycle() }
        }
        for _ in 0..<2 {
            #expect(try await bench.told { _ = try await bench.token() } == Self.blocked)
            #expect(try await bench.told { _ = try await bench.token(permissions: nil) } == Self.blocked)
            #expect(
                try await bench.told { try await bench.pins().changePIN(from: Bench.pin, to: "99999") } == Self.blocked)
            #expect(try await bench.pins().pinRetries().retries == 0)
            await bench.device.powerCycle()
        }
    }

    @Test(arguments: [1, 2, 3])
    func pinBlockedPrecedesPinAuthBlocked(retries: Int) async throws {
        let bench = try await Self.bench { $0.maxPINRetries = retries }
        for _ in 1..<retries { #expect(try await bench.wrongPIN() == Self.mismatch) }
        #expect(try await bench.wrongPIN() == Self.blocked)
        #expect(try await bench.wrongPIN() == Self.blocked)
    }

    @Test func aWrongPINInAChangeCostsARetry() async throws {
        let bench = try await Self.bench()
        for expected in [Self.mismatch, Self.mismatch, Self.softBlocked] {
            #expect(
                try await bench.told { try await bench.pins().changePIN(from: "000000", to: "99999") } == expected)
        }
    }

    @Test func aWrongPinUvAuthParamCostsNoRetry() async throws {
        let bench = try await Self.bench()
        let answer = try await bench.clientPIN(.changePIN) { request, _ in
            request.newPinEnc = [UInt8](repeating: 1, count: 80)
            request.pinHashEnc = [UInt8](repeating: 1, count: 32)
            request.pinUvAuthParam = [UInt8](repeating: 1, count: 32)
        }
        #expect(answer.told == Told(.pinAuthInvalid, "clientPIN.pinUvAuthParamInvalid"))
        #expect(try await bench.pins().pinRetries() == (8, false))
    }

    @Test(arguments: PINUVAuthProtocol.allCases, [0, 15, 16, 17, 48])
    func aPINHashOfTheWrongLengthIsAMismatch(pinProtocol: PINUVAuthProtocol, length: Int) async throws {
        let bench = try await Self.bench()
        let answer = try await bench.clientPIN(.getPinToken, pinProtocol) { request, _ in
            request.pinHashEnc = [UInt8](repeating: 1, count: length)
        }
        #expect(answer.told == Self.mismatch)
        #expect(try await bench.pins().pinRetries().retries == 7)
    }

    @Test func aWrongPINEndsTheKeyAgreementOfItsProtocol() async throws {
        let bench = try await Self.bench()
        func key(_ pinProtocol: Int) async throws -> ClientPINResponse {
            let request = ClientPINRequest(subCommand: .getKeyAgreement, pinUvAuthProtocol: pinProtocol)
            return try await ClientPINResponse(cbor: bench.send(.clientPIN, request.cbor).value())
        }
        let before = (try await key(1), try await key(2))
        _ = try await bench.wrongPIN(.two)
        #expect(try await key(1) == before.0)
        #expect(try await key(2) != before.1)
    }

    /// CTAP 2.3 §6.5.5.2 answers the retries without a PIN; a fault answers as YubiKeys with firmware 5.7 do.
    @Test func pinRetriesWithoutAPINAreAnsweredUnlessAFaultRefusesThem() async throws {
        let bench = Bench()
        #expect(try await bench.pins().pinRetries().retries == 8)
        await bench.device.arm(try #require(AuthenticatorFault.named("pin-retries-without-pin")))
        #expect(
            try await bench.told { _ = try await bench.pins().pinRetries() }
                == Told(.pinNotSet, "fault.pin-retries-without-pin"))
        try await bench.setPIN()
        #expect(try await bench.pins().pinRetries().retries == 8)
    }

    @Test func theLogHasEveryComparison() async throws {
        let bench = try await Self.bench()
        _ = try await bench.wrongPIN()
        _ = try await bench.token()
        let checks = bench.log.all.map(\.kind).filter { if case .pinChecked = $0 { true } else { false } }
        #expect(checks == [.pinChecked(matched: false, retriesLeft: 7), .pinChecked(matched: true, retriesLeft: 8)])
    }
}
