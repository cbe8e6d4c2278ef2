import Biometrics
import CBOR
import COSE
import CTAP
import CTAPHID
import SampleGates
import TestSupport
import Testing
import Transports
import VirtualAuthenticator
import WebAuthn

/// Random input: usually 200,000 messages, each with an answer and none with a trap.
@Suite("Malformed input of any kind", .serialized)
struct FuzzTests {
    // MARK: CBOR

    @Test func inputsAreReadOrRefused() throws {
        var generator = Fuzzing.generator(1)
        let seeds = Seeds.all
        var readable = 0
        for round in 0..<Fuzzing.rounds(60_000) {
            let bytes: [UInt8] =
                switch round % 3 {
                case 0: generator.bytes(Int.random(in: 0...40, using: &generator))
                case 1: Mutation.mutated(Array(seeds[round % seeds.count].dropFirst()), &generator)
                default: CBOR.encode(RandomItem.item(depth: 3, &generator))
                }
            guard let value = try? CBOR.decode(bytes) else { continue }
            readable += 1
            // An item that the strict reader accepts has exactly one encoding.
            if CBOR.encode(value) != bytes { Issue.record("\(bytes.hex) is read but not canonical") }
        }
        #expect(readable > Fuzzing.rounds(10_000))
    }

    // MARK: CTAPHID

    @Test func reportsLeaveTheFramingInOrder() throws {
        var generator = Fuzzing.generator(2)
        var server = CTAPHIDServer<Int>()
        var now = Duration.zero
        var running: [CTAPHIDRequest.ID] = []
        var sent = 0
        var started = 0
        let channels = (0..<4).compactMap { _ in Self.allocate(&server) }
        try #require(channels.count == 4)
        for round in 0..<Fuzzing.rounds(60_000) {
            now += .milliseconds(Int.random(in: 0...40, using: &generator))
            let actions = server.receive(Self.report(round, channels, &generator), from: round % 3, now: now)
            for action in actions {
                switch action {
                case .send(let packets, _):
                    sent += 1
                    for packet in packets where packet.report.count != 64 { Issue.record("a report of another size") }
                case .start(let request):
                    started += 1
                    running.append(request.id)
                    if request.payload.isEmpty { Issue.record("a request without a command") }
                case .cancel, .wink, .powerCycle: break
                }
            }
            if let id = running.last, round % 5 == 0 {
                _ = server.answer(id, with: [0x2D], now: now)
                running.removeAll()
            }
        }
        #expect(sent > Fuzzing.rounds(1_000))
        #expect(started > Fuzzing.rounds(100))
        if let id = running.last { _ = server.answer(id, with: [0], now: now) }
        // The server still serves.
        #expect(Self.allocate(&server) != nil)
    }

    private static func allocate(_ server: inout CTAPHIDServer<Int>) -> CTAPHIDChannel? {
        let nonce: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        let message = try? CTAPHIDMessage(channel: .broadcast, command: .initialize, payload: nonce)
        for packet in message?.packets ?? [] {
            for case .send(let answer, _) in server.receive(packet.report, from: 0, now: .seconds(1_000_000)) {
                guard let first = answer.first, first.data.count >= 17 else { continue }
                return CTAPHIDInitialization(payload: Array(first.data.prefix(17)))?.channel
            }
        }
        return nil
    }

    private static func report(
        _ round: Int, _ channels: [CTAPHIDChannel], _ generator: inout SeededGenerator
    ) -> [UInt8] {
        switch round % 4 {
        case 0: return generator.bytes(Int.random(in: 0...80, using: &generator))
        case 1: return generator.bytes(64)
        default:
            let channel = channels[round / 4 % channels.count].rawValue
            let command: [UInt8] = [0x81, 0x83, 0x84, 0x86, 0x88, 0x90, 0x91, 0xBB, 0xBF, 0xC0, 0, 1, 2, 3]
            var bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: channel >> $0) }
            bytes.append(command.randomElement(using: &generator) ?? 0)
            bytes.append(round % 16 == 2 ? .random(in: .min ... .max, using: &generator) : 0)
            bytes.append(.random(in: 0...120, using: &generator))
            bytes += generator.bytes(64 - bytes.count)
            return bytes
        }
    }

    // MARK: Authenticator

    /// The devices; each usually gets 20,000 requests.
    enum Kind: CaseIterable, Sendable {
        case plain
        case keyWithPIN
        case keyWithFinger
        case phone
    }

    @Test(arguments: Kind.allCases)
    func requestsAreAnsweredAndTheCredentialStillSigns(kind: Kind) async throws {
        var generator = Fuzzing.generator(3)
        let device = try Self.device(kind)
        let client = AuthenticatorClient(device)
        var registration = Seeds.registration
        registration.rp.id = "known.example"
        if kind == .phone || kind == .keyWithFinger { registration.options["uv"] = true }
        let data = try AuthenticatorData(
            parsing: await client.makeCredential(registration).authenticatorData)
        let attested = try #require(data.attestedCredentialData)
        let key = try COSE.PublicKey(cbor: attested.credentialPublicKey)
        if kind == .keyWithPIN {
            let pins = PINClient(client, protocol: .one, randomBytes: SeededRandomSource(seed: 1).bytes)
            try await pins.setPIN("1234")
        }
        let seeds = Seeds.all
        var statuses: [UInt8: Int] = [:]
        for round in 0..<Fuzzing.rounds(20_000) {
            let message = Self.message(round, seeds, &generator)
            let answer = await device.transceive(message, onKeepalive: { _ in })
            guard let status = answer.first else {
                Issue.record("\(message.hex) has no answer")
                continue
            }
            statuses[status, default: 0] += 1
            if status != 0, answer.count != 1 { Issue.record("\(message.hex) is refused with a body") }
            if status == CTAPStatus.other.rawValue { Issue.record("\(message.hex) has no status of its own") }
            if status == CTAPStatus.channelBusy.rawValue {
                Issue.record("\(message.hex) finds a command still running")
            }
            if round.isMultiple(of: 1_000) { await device.powerCycle() }
        }
        #expect(statuses.count > 8)
        let assertion = try await client.getAssertion(
            GetAssertionRequest(
                relyingPartyID: registration.rp.id, clientDataHash: Seeds.hash,
                allowList: [PublicKeyCredentialDescriptor(id: attested.credentialID)]))
        #expect(key.verify(assertion.signature, over: assertion.authenticatorData + Seeds.hash))
        #expect(try await client.getInfo().option("rk") == true)
    }

    private static func message(
        _ round: Int, _ seeds: [[UInt8]], _ generator: inout SeededGenerator
    ) -> [UInt8] {
        var message: [UInt8] =
            switch round % 3 {
            case 0: generator.bytes(Int.random(in: 0...60, using: &generator))
            case 1: Mutation.mutated(seeds[round / 3 % seeds.count], &generator)
            default:
                [[1, 2, 6].randomElement(using: &generator) ?? 1] + CBOR.encode(RandomItem.parameters(&generator))
            }
        // A reset would be valid and delete the credential.
        if message.first == CTAPCommand.reset.rawValue { message[0] = 0x57 }
        return message
    }

    private static func device(_ kind: Kind) throws -> VirtualAuthenticator {
        var configuration = AuthenticatorConfiguration()
        configuration.algorithms = [.edDSA, .es256]
        configuration.discoverableCapacity = 20
        configuration.supportsClientPIN = kind != .phone
        configuration.hasDisplay = kind == .phone
        configuration.makeCredUvNotRequired = kind == .keyWithPIN
        let owner = [BiometricTemplate(id: [1], name: "owner")]
        let gate: UserVerificationGate? =
            switch kind {
            case .plain, .keyWithPIN: nil
            case .keyWithFinger:
                UserVerificationGate(
                    policy: try .securityKeyFingerprint(),
                    sensor: BiometricSensor(modality: .fingerprint, templates: owner), deviceCredential: nil)
            case .phone:
                UserVerificationGate(
                    policy: .iOSFaceID, sensor: BiometricSensor(modality: .face, templates: owner),
                    deviceCredential: DeviceCredential(kind: .passcode))
            }
        let clock = SimulatedClock()
        return VirtualAuthenticator(
            configuration: configuration,
            environment: Environment(
                time: clock, random: SeededRandomSource(seed: 4), user: ScriptedUser(clock: clock)),
            gate: gate)
    }
}
