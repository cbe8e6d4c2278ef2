import CBOR
import CTAP
import Testing
import VirtualAuthenticator

@Suite("Setting and changing the PIN")
struct ClientPINTests {
    private static func padded(_ pin: [UInt8], to length: Int = 64) -> [UInt8] {
        pin + [UInt8](repeating: 0, count: max(0, length - pin.count))
    }

    /// A setPIN request whose decrypted newPinEnc is these bytes.
    static func set(
        _ plaintext: [UInt8], on bench: Bench, _ pinProtocol: PINUVAuthProtocol,
        _ change: @Sendable (inout ClientPINRequest) -> Void = { _ in }
    ) async throws -> Told {
        try await bench.clientPIN(.setPIN, pinProtocol) { request, secret in
            let vector = [UInt8](repeating: 1, count: 16)
            let encrypted = try #require(pinProtocol.encrypt(plaintext, with: secret, initializationVector: vector))
            request.newPinEnc = encrypted
            request.pinUvAuthParam = pinProtocol.authenticate(encrypted, key: secret.authenticationKey)
            change(&request)
        }.told
    }

    @Test(arguments: PINUVAuthProtocol.allCases)
    func aPINIsSetOnceAndThenGivesTokens(pinProtocol: PINUVAuthProtocol) async throws {
        let bench = Bench()
        #expect(await bench.option("clientPin") == false)
        try await bench.pins(pinProtocol).setPIN(Bench.pin)
        #expect(await bench.option("clientPin") == true)
        #expect(
            try await bench.told { try await bench.pins(pinProtocol).setPIN("other") }
                == Told(.pinAuthInvalid, "clientPIN.pinAlreadySet"))
        #expect(try await bench.told { _ = try await bench.token(pinProtocol) } == .ok)
    }

    @Test(
        arguments: [
            ("123", "clientPIN.pinPolicyViolation"), ("", "clientPIN.pinPolicyViolation"), ("1234", nil),
            (String(repeating: "x", count: 63), nil),
            (String(repeating: "x", count: 64), "clientPIN.pinPolicyViolation"),
            // Four code points that are twelve bytes are enough, three that are twelve bytes are not.
            ("ねこねこ", nil), ("😀😀😀", "clientPIN.pinPolicyViolation"),
        ] as [(String, String?)])
    func aPINHasAMinimumOfCodePointsAndAMaximumOfBytes(pin: String, reason: String?) async throws {
        let told = try await Self.set(Self.padded(Array(pin.utf8)), on: Bench(), .two)
        #expect(told == (reason.map { Told(.pinPolicyViolation, $0) } ?? .ok))
    }

    @Test func aLongerMinimumIsEnforced() async throws {
        let bench = Bench { $0.minPINLength = 6 }
        #expect(await bench.info().minPINLength == 6)
        #expect(try await bench.told { try await bench.pins().setPIN("12345") }.status == .pinPolicyViolation)
        #expect(try await bench.told { try await bench.pins().setPIN("123456") } == .ok)
    }

    @Test func aPINThatIsNotUTF8BreaksThePolicy() async throws {
        let told = try await Self.set(Self.padded([0xFF, 0xFE, 0xFD, 0xFC, 0xFB]), on: Bench(), .one)
        #expect(told == Told(.pinPolicyViolation, "clientPIN.pinPolicyViolation"))
    }

    @Test(arguments: PINUVAuthProtocol.allCases, [0, 16, 48, 80])
    func aPINThatIsNotPaddedToSixtyFourBytesIsAnInvalidParameter(
        pinProtocol: PINUVAuthProtocol, length: Int
    ) async throws {
        let plaintext = Array(Self.padded(Array("1234".utf8), to: length).prefix(length))
        let told = try await Self.set(plaintext, on: Bench(), pinProtocol)
        #expect(told == Told(.invalidParameter, "clientPIN.newPINPadding"))
    }

    @Test(arguments: PINUVAuthProtocol.allCases)
    func aNewPINThatCannotBeDecipheredIsAnInvalidAuthentication(pinProtocol: PINUVAuthProtocol) async throws {
        let answer = try await Bench().clientPIN(.setPIN, pinProtocol) { request, secret in
            let bytes = [UInt8](repeating: 1, count: 63)
            request.newPinEnc = bytes
            request.pinUvAuthParam = pinProtocol.authenticate(bytes, key: secret.authenticationKey)
        }
        #expect(answer.told == Told(.pinAuthInvalid, "clientPIN.newPINUndecipherable"))
    }

    @Test(arguments: PINUVAuthProtocol.allCases)
    func aWrongPinUvAuthParamSetsNoPIN(pinProtocol: PINUVAuthProtocol) async throws {
        let bench = Bench()
        let told = try await Self.set(Self.padded(Array("1234".utf8)), on: bench, pinProtocol) {
            $0.pinUvAuthParam?[0] ^= 1
        }
        #expect(told == Told(.pinAuthInvalid, "clientPIN.pinUvAuthParamInvalid"))
        #expect(await bench.option("clientPin") == false)
    }

    @Test(arguments: PINUVAuthProtocol.allCases)
    func changingThePINRequiresTheOldPINAndEndsItsTokens(pinProtocol: PINUVAuthProtocol) async throws {
        let bench = Bench()
        let pins = bench.pins(pinProtocol)
        try await bench.setPIN()
        let token = try await bench.token(pinProtocol)
        #expect(
            try await bench.told { try await pins.changePIN(from: "wrong", to: "31415") }
                == Told(.pinInvalid, "clientPIN.pinMismatch"))
        #expect(await bench.device.snapshot().pinRetries == 7)
        try await pins.changePIN(from: Bench.pin, to: "31415")
        #expect(await bench.device.snapshot().pinRetries == 8)
        #expect(
            await bench.make { $0.authenticate(token) }.told
                == Told(.pinAuthInvalid, "makeCredential.pinUvAuthParamInvalid"))
        #expect(try await bench.told { _ = try await bench.token(pinProtocol) }.status == .pinInvalid)
        #expect(try await bench.told { _ = try await pins.token(pin: "31415", permissions: nil) } == .ok)
    }

    @Test func anInvalidNewPINKeepsTheOldPIN() async throws {
        let bench = Bench()
        try await bench.setPIN()
        #expect(
            try await bench.told { try await bench.pins().changePIN(from: Bench.pin, to: "1") }
                == Told(.pinPolicyViolation, "clientPIN.pinPolicyViolation"))
        #expect(try await bench.told { _ = try await bench.token() } == .ok)
    }

    @Test func aDeviceWithoutAPINRefusesChangesAndTokens() async throws {
        let bench = Bench()
        let notSet = Told(.pinNotSet, "clientPIN.pinNotSet")
        #expect(try await bench.told { try await bench.pins().changePIN(from: "1234", to: "12345") } == notSet)
        #expect(try await bench.told { _ = try await bench.token() } == notSet)
        #expect(try await bench.told { _ = try await bench.token(permissions: nil) } == notSet)
    }

    // MARK: Parameters

    @Test(arguments: ClientPINSubcommand.allCases)
    func aMissingParameterIsReportedBeforeAnUnsupportedProtocol(
        subcommand: ClientPINSubcommand
    ) async throws {
        let bench = Bench(gate: try Gates.key())
        let needed: [ClientPINSubcommand: Set<CBOR.Value>] = [
            .getKeyAgreement: [1], .setPIN: [1, 3, 4, 5], .changePIN: [1, 3, 4, 5, 6], .getPinToken: [1, 3, 6],
            .getPinUvAuthTokenUsingUvWithPermissions: [1, 3, 9],
            .getPinUvAuthTokenUsingPinWithPermissions: [1, 3, 6, 9],
        ]
        let all: CBOR.Map = [
            1: 2, 2: .integer(subcommand.rawValue), 3: [1: 2], 4: .bytes([1]), 5: .bytes([1]), 6: .bytes([1]), 9: 1,
        ]
        for key in needed[subcommand] ?? [] {
            var parameters = all
            // Only subcommands with permissions need them.
            if subcommand == .getPinToken { parameters[9] = nil }
            parameters[key] = nil
            let told = await bench.send(.clientPIN, .map(parameters)).told
            #expect(told == Told(.missingParameter, "clientPIN.parameterMissing"), "\(key)")
            if key != 1, key != 9 {
                parameters[1] = 3
                #expect(await bench.send(.clientPIN, .map(parameters)).told.status == .missingParameter, "\(key)")
            }
        }
    }

    @Test(arguments: [
        ClientPINSubcommand.getKeyAgreement, .setPIN, .changePIN, .getPinToken,
        .getPinUvAuthTokenUsingUvWithPermissions, .getPinUvAuthTokenUsingPinWithPermissions,
    ])
    func anUnsupportedProtocolIsAnInvalidParameter(subcommand: ClientPINSubcommand) async throws {
        let bench = Bench(gate: try Gates.key()) { $0.pinUvAuthProtocols = [.two] }
        for number in [0, 1, 3] {
            let told = await bench.send(
                .clientPIN,
                [
                    1: .integer(number), 2: .integer(subcommand.rawValue), 3: [1: 2], 4: .bytes([1]), 5: .bytes([1]),
                    6: .bytes([1]), 9: 1,
                ]
            ).told
            #expect(told == Told(.invalidParameter, "clientPIN.protocolUnsupported"))
        }
    }

    @Test func aKeyOffTheCurveIsAnInvalidParameter() async throws {
        let bench = Bench()
        let answer = try await bench.clientPIN(.setPIN) { request, _ in
            let one = CBOR.Value.bytes([UInt8](repeating: 1, count: 32))
            request.keyAgreement = [1: 2, 3: -25, -1: 1, -2: one, -3: one]
            request.newPinEnc = [1]
            request.pinUvAuthParam = [1]
        }
        #expect(answer.told == Told(.invalidParameter, "clientPIN.keyAgreementInvalid"))
    }

    @Test(arguments: [0x00, 0x08, 0x0A, 0x7F, 0xFFFF])
    func anUnknownSubcommandIsAnInvalidSubcommand(number: Int) async throws {
        let told = await Bench(gate: try Gates.key()).send(.clientPIN, [2: .integer(number)]).told
        #expect(told == Told(.invalidSubcommand, "clientPIN.unknownSubcommand"))
    }

    @Test func aSubcommandTheDeviceDoesNotAdvertiseIsAnInvalidSubcommand() async throws {
        let unknown = Told(.invalidSubcommand, "clientPIN.unknownSubcommand")
        // A key without a sensor has no built-in verification.
        for number in [6, 7] { #expect(await Bench().send(.clientPIN, [2: .integer(number)]).told == unknown) }
        // A phone without a client PIN has no PIN subcommands.
        let phone = Bench(gate: Gates.phone) { $0.supportsClientPIN = false }
        for number in [1, 3, 4, 5, 9] { #expect(await phone.send(.clientPIN, [2: .integer(number)]).told == unknown) }
        #expect(await phone.send(.clientPIN, [2: 7]).told == .ok)
        // A device of CTAP 2.0 has no permissions.
        let old = Bench(gate: try Gates.key()) { $0.supportsPinUvAuthToken = false }
        for number in [6, 9] { #expect(await old.send(.clientPIN, [2: .integer(number)]).told == unknown) }
        #expect(await old.option("pinUvAuthToken") == nil)
    }

    @Test func theKeyAgreementKeyLastsUntilAPowerCycle() async throws {
        let bench = Bench()
        func key(_ pinProtocol: Int) async throws -> CBOR.Value? {
            let request = ClientPINRequest(subCommand: .getKeyAgreement, pinUvAuthProtocol: pinProtocol)
            return try await ClientPINResponse(cbor: bench.send(.clientPIN, request.cbor).value()).keyAgreement
        }
        let first = try await key(1)
        #expect(try await key(1) == first)
        #expect(try await key(2) != first)
        await bench.device.powerCycle()
        #expect(try await key(1) != first)
    }
}
