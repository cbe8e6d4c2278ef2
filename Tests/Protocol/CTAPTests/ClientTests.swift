import CBOR
import CTAP
import Synchronization
import Testing
import WebAuthn

@Suite("The platform's side of the commands")
struct ClientTests {
    typealias Failure = AuthenticatorClient.Failure

    @Test func everyCommandIsItsByteAndItsParameters() async throws {
        let info = AuthenticatorInfo(versions: ["FIDO_2_0"], aaguid: .zero)
        let made = MakeCredentialResponse(format: "none", authenticatorData: [1], attestationStatement: [:])
        let got = GetAssertionResponse(credential: nil, authenticatorData: [1], signature: [2])
        let device = ScriptedDevice(
            .success([0] + CBOR.encode(info.cbor)), .success([0] + CBOR.encode(made.cbor)),
            .success([0] + CBOR.encode(got.cbor)), .success([0] + CBOR.encode(got.cbor)), .success([0]),
            .success([0]), .success([0]))
        let client = AuthenticatorClient(device)
        #expect(try await client.getInfo() == info)
        #expect(try await client.makeCredential(Samples.makeCredential) == made)
        #expect(try await client.getAssertion(Samples.getAssertion) == got)
        #expect(try await client.getNextAssertion() == got)
        #expect(try await client.clientPIN(Samples.clientPIN) == ClientPINResponse())
        try await client.reset()
        try await client.selection()
        #expect(
            device.sent == [
                [4], [1] + CBOR.encode(Samples.makeCredential.cbor), [2] + CBOR.encode(Samples.getAssertion.cbor), [8],
                [6] + CBOR.encode(Samples.clientPIN.cbor), [7], [0x0B],
            ])
    }

    @Test func aRefusalCarriesTheCommandAndTheStatus() async {
        let client = AuthenticatorClient(ScriptedDevice(.success([0x2E]), .success([0xF2, 0xA0])))
        await #expect(throws: Failure.refused(.getAssertion, .noCredentials)) {
            try await client.getAssertion(Samples.getAssertion)
        }
        await #expect(throws: Failure.refused(.reset, CTAPStatus(rawValue: 0xF2))) { try await client.reset() }
        #expect(Failure.refused(.reset, .notAllowed).status == .notAllowed)
        #expect(Failure.device(.busy).status == nil)
    }

    @Test func aMissingAnswerIsNoRefusal() async {
        let client = AuthenticatorClient(ScriptedDevice(.failure(.disconnected("pulled"))))
        await #expect(throws: Failure.device(.disconnected("pulled"))) { try await client.selection() }
    }

    @Test(
        arguments: [
            [], [0], [0, 0xA1], [0, 0x80], [0, 0xA1, 0x01, 0x01], [0, 0xA0, 0x00],
            [0, 0xA2, 0x03, 0x41, 0x00, 0x02, 0x41, 0x00],
        ] as [[UInt8]])
    func anAnswerThatViolatesTheSpecificationIsInvalid(answer: [UInt8]) async {
        let client = AuthenticatorClient(ScriptedDevice(.success(answer)))
        let error = await #expect(throws: Failure.self) { try await client.getAssertion(Samples.getAssertion) }
        guard case .invalidResponse(.getAssertion, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func keepalivesReachTheCaller() async throws {
        let heard = Mutex<[KeepaliveStatus]>([])
        let client = AuthenticatorClient(ScriptedDevice(.success([0]))) { status in heard.withLock { $0.append(status) }
        }
        try await client.selection()
        #expect(heard.withLock { $0 } == [.userPresenceNeeded])
    }
}
