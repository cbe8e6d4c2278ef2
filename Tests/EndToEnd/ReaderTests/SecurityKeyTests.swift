import CBOR
import CTAP
import CTAPNFC
import SecurityKeys
import SimulatedDevice
import Synchronization
import TestSupport
import Testing
import VirtualAuthenticator
import WebAuthn
import WebAuthnClient

extension Readers {
    /// The project's PC/SC client with a key on a reader.
    @Suite(.serialized, .readerStack) struct SecurityKeyTests {
        @Test func aKeyRegistersAndSignsInByTapping() async throws {
            try await LaidDevice.with { laid in
                let key = try await laid.open()
                #expect(key.version == "U2F_V2")
                let client = TappingClient(key)
                let credential = try await client.register()
                // The tap is used up, and another one works like the first.
                await #expect(throws: WebAuthnClientError.self) { try await client.signIn(with: credential) }
                await key.powerCycle()
                try await client.signIn(with: credential)
                await key.close()
            }
        }

        @Test(arguments: NFCClient.Configuration.Lengths.allCases)
        func aPINVerifiesTheUser(lengths: NFCClient.Configuration.Lengths) async throws {
            try await LaidDevice.with { laid in
                let key = try await laid.open { $0.lengths = lengths }
                let ctap = AuthenticatorClient(key)
                let pins = PINClient(ctap, protocol: .two, randomBytes: SystemRandomSource().bytes)
                try await pins.setPIN("271828")
                let client = TappingClient(key, pin: "271828")
                let credential = try await client.register()
                await key.powerCycle()
                try await client.signIn(with: credential)
                await key.close()
            }
        }

        @Test func aCardWithoutExtendedLengthsReceivesParts() async throws {
            var card = NFCCard.Configuration()
            card.supportsExtendedLength = false
            try await LaidDevice.with(card: card) { laid in
                let key = try await laid.open { $0.lengths = .extended }
                let long = Self.longRequest
                #expect(long.count > 1000)
                #expect(try await key.transceive(long).first == CTAPStatus.noCredentials.rawValue)
                await key.close()
            }
        }

        @Test func u2fWorksByTapping() async throws {
            try await LaidDevice.with { laid in
                let key = try await laid.open()
                #expect(key.supportsU2F)
                let register = U2FRequest(instruction: .register, data: [UInt8](repeating: 1, count: 64))
                let answer = try #require(ResponseAPDU(parsing: try await key.answerU2F(register.encoded)))
                #expect(answer.status == .noError)
                #expect(answer.data.first == 0x05)
                #expect(answer.data.count > 300)
                let again = try #require(ResponseAPDU(parsing: try await key.answerU2F(register.encoded)))
                #expect(again == ResponseAPDU([], .conditionsNotSatisfied))
                await key.close()
            }
        }

        @Test func aWaitIsReportedAndCancelled() async throws {
            try await LaidDevice.with(habit: .ask, settings: "nfc-presence: touch") { laid in
                let key = try await laid.open()
                let (told, tell) = AsyncStream.makeStream(of: KeepaliveStatus.self)
                let task = Task {
                    try await key.transceive([CTAPCommand.selection.rawValue]) { tell.yield($0) }
                }
                #expect(await told.first { _ in true } == .userPresenceNeeded)
                task.cancel()
                #expect(try await task.value == [CTAPStatus.keepaliveCancel.rawValue])
                #expect(try await AuthenticatorClient(key).getInfo().transports?.contains(.nfc) == true)
                // A touch ends a wait, too.
                let second = Task { try await key.transceive([CTAPCommand.selection.rawValue]) }
                await laid.person.tell(.touch)
                #expect(try await second.value == [CTAPStatus.ok.rawValue])
                await key.close()
            }
        }

        /// A sign-in that names so many credentials that it takes several commands.
        static var longRequest: [UInt8] {
            var request = GetAssertionRequest(
                relyingPartyID: "example.org", clientDataHash: [UInt8](repeating: 1, count: 32))
            request.allowList = (0..<8).map { PublicKeyCredentialDescriptor(id: [UInt8](repeating: $0, count: 120)) }
            request.options["up"] = false
            return [CTAPCommand.getAssertion.rawValue] + CBOR.encode(request.cbor)
        }
    }
}
