import CBOR
import CTAP
import TestSupport
import Testing

@Suite("The platform's side of the PIN")
struct PINClientTests {
    static let tokenBytes = [UInt8](0..<32)

    static func device(_ pinProtocol: PINUVAuthProtocol, token: [UInt8] = tokenBytes) throws -> PINDevice {
        try #require(PINDevice(pinProtocol, token: token))
    }

    static func client(_ device: any CTAPDevice, _ pinProtocol: PINUVAuthProtocol) -> PINClient {
        PINClient(AuthenticatorClient(device), protocol: pinProtocol) { [UInt8](repeating: 0x33, count: $0) }
    }

    static func decrypted(_ bytes: [UInt8]?, _ request: ClientPINRequest, on device: PINDevice) throws -> [UInt8] {
        let secret = try #require(device.secret(of: request))
        let ciphertext = try #require(bytes)
        return try #require(device.pinProtocol.decrypt(ciphertext, with: secret))
    }

    @Test(arguments: PINUVAuthProtocol.allCases)
    func aNewPINIsPaddedEncryptedAndAuthenticated(pinProtocol: PINUVAuthProtocol) async throws {
        let device = try Self.device(pinProtocol)
        try await Self.client(device, pinProtocol).setPIN("1234")
        let request = try #require(device.received.first)
        #expect(request.subCommand == 3)
        #expect(request.pinUvAuthProtocol == pinProtocol.rawValue)
        #expect(
            try Self.decrypted(request.newPinEnc, request, on: device)
                == Array("1234".utf8) + [UInt8](repeating: 0, count: 60))
        let key = try #require(device.secret(of: request)).authenticationKey
        #expect(request.pinUvAuthParam == pinProtocol.authenticate(request.newPinEnc ?? [], key: key))
    }

    @Test(arguments: PINUVAuthProtocol.allCases)
    func aChangedPINCarriesTheOldOnesHashUnderTheCode(pinProtocol: PINUVAuthProtocol) async throws {
        let device = try Self.device(pinProtocol)
        try await Self.client(device, pinProtocol).changePIN(from: "1234", to: "56789")
        let request = try #require(device.received.first)
        #expect(request.subCommand == 4)
        // LEFT(SHA-256("1234"), 16)
        #expect(
            try Self.decrypted(request.pinHashEnc, request, on: device).hex == "03ac674216f3e15c761ee1a5e255f067")
        let newPINEnc = try #require(request.newPinEnc)
        let pinHashEnc = try #require(request.pinHashEnc)
        let key = try #require(device.secret(of: request)).authenticationKey
        #expect(request.pinUvAuthParam == pinProtocol.authenticate(newPINEnc + pinHashEnc, key: key))
    }

    @Test func aPINIsSentInNormalFormC() async throws {
        let device = try Self.device(.two)
        let client = Self.client(device, .two)
        try await client.setPIN("cafe\u{301}")
        _ = try await client.token(pin: "cafe\u{301}", permissions: nil)
        _ = try await client.token(pin: "caf\u{e9}", permissions: nil)
        let requests = device.received
        let padded = try Self.decrypted(requests[0].newPinEnc, requests[0], on: device)
        #expect(Array(padded.prefix(6)) == [0x63, 0x61, 0x66, 0xC3, 0xA9, 0x00])
        #expect(
            try Self.decrypted(requests[1].pinHashEnc, requests[1], on: device)
                == Self.decrypted(requests[2].pinHashEnc, requests[2], on: device))
    }

    @Test func aPINThatIsTooLongIsSentForTheAuthenticatorToRefuse() async throws {
        let device = try Self.device(.one)
        let client = Self.client(device, .one)
        for length in [63, 64, 65, 80] { try await client.setPIN(String(repeating: "x", count: length)) }
        #expect(device.received.map { $0.newPinEnc?.count } == [64, 64, 80, 80])
    }

    @Test(arguments: PINUVAuthProtocol.allCases)
    func aTokenRequestUsesTheSubcommandOfItsPermissions(pinProtocol: PINUVAuthProtocol) async throws {
        let device = try Self.device(pinProtocol)
        let client = Self.client(device, pinProtocol)
        let tokens = [
            try await client.token(pin: "1234", permissions: nil),
            try await client.token(pin: "1234", permissions: [.makeCredential], relyingPartyID: "a.example"),
            try await client.tokenUsingUV(permissions: [.getAssertion], relyingPartyID: "b.example"),
        ]
        let requests = device.received
        #expect(requests.map(\.subCommand) == [5, 9, 6])
        #expect(requests.map(\.permissions) == [nil, 1, 2])
        #expect(requests.map(\.relyingPartyID) == [nil, "a.example", "b.example"])
        #expect(requests[2].pinHashEnc == nil)
        for token in tokens {
            #expect(token.bytes == Self.tokenBytes)
            #expect(token.authenticate([1]) == pinProtocol.authenticate([1], key: Self.tokenBytes))
            #expect("\(token)" == "pinUvAuthToken")
        }
    }

    @Test func onlyProtocolOneHasTokensOfSixteenBytes() async throws {
        let short = [UInt8](repeating: 1, count: 16)
        let one = try Self.device(.one, token: short)
        #expect(try await Self.client(one, .one).token(pin: "1234", permissions: nil).bytes == short)
        for (pinProtocol, length) in [(PINUVAuthProtocol.two, 16), (.two, 48), (.one, 48), (.one, 0)] {
            let device = try Self.device(pinProtocol, token: [UInt8](repeating: 1, count: length))
            await #expect(throws: AuthenticatorClient.Failure.self) {
                try await Self.client(device, pinProtocol).token(pin: "1234", permissions: nil)
            }
        }
    }

    @Test func aKeyAgreementKeyOffTheCurveIsAnInvalidResponse() async throws {
        let zero = CBOR.Value.bytes([UInt8](repeating: 1, count: 32))
        let response = ClientPINResponse(keyAgreement: [1: 2, 3: -25, -1: 1, -2: zero, -3: zero])
        let answer = try #require(response.cbor)
        let client = Self.client(ScriptedDevice(.success([0] + CBOR.encode(answer))), .two)
        let error = await #expect(throws: AuthenticatorClient.Failure.self) { try await client.setPIN("1234") }
        guard case .invalidResponse(.clientPIN, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func retriesAreReadFromTheirOwnSubcommands() async throws {
        let device = ScriptedDevice(
            .success([0, 0xA2, 0x03, 0x05, 0x04, 0xF5]), .success([0, 0xA1, 0x03, 0x08]),
            .success([0, 0xA1, 0x05, 0x02]))
        let client = Self.client(device, .two)
        #expect(try await client.pinRetries() == (5, true))
        #expect(try await client.pinRetries() == (8, false))
        #expect(try await client.uvRetries() == 2)
        #expect(device.sent == [[6, 0xA1, 2, 1], [6, 0xA1, 2, 1], [6, 0xA1, 2, 7]])
    }
}
