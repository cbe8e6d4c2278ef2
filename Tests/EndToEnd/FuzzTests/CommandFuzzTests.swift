import Biometrics
import CBOR
import COSE
import CTAP
import SampleGates
import TestSupport
import Testing
import VirtualAuthenticator
import WebAuthn

/// Every command's parameter map with members changed, removed, added and nested, on a device that has every command.
///
/// The code for a required token is correct, so that the parameters after it are read too.
@Suite("Parameter maps of every command", .serialized)
struct CommandFuzzTests {
    private static let pin = "1234"

    @Test func everyInputIsAnsweredAndTheCredentialStillSigns() async throws {
        var generator = Fuzzing.generator(5)
        let device = try Self.device()
        let client = AuthenticatorClient(device)
        let made = try await client.makeCredential(Self.registration)
        let attested = try #require(
            AuthenticatorData(parsing: made.authenticatorData).attestedCredentialData)
        let key = try COSE.PublicKey(cbor: attested.credentialPublicKey)
        let pins = PINClient(client, protocol: .two, randomBytes: SeededRandomSource(seed: 6).bytes)
        try await pins.setPIN(Self.pin)
        let before = try await device.exportState()

        var answers: [Answer: Int] = [:]
        var token: [UInt8] = []
        for round in 0..<Fuzzing.inputs {
            // The device works again for the next inputs.
            if round.isMultiple(of: 250) {
                try await device.restore(before)
                token = try await pins.token(pin: Self.pin, permissions: .management).bytes
            }
            let message = Self.message(token: token, credentialID: attested.credentialID, &generator)
            let answer = await device.transceive(message, onKeepalive: { _ in })
            guard let status = answer.first else {
                Issue.record("\(message.hex) has no answer")
                continue
            }
            answers[Answer(command: message[0], status: status), default: 0] += 1
            if status != 0, answer.count != 1 { Issue.record("\(message.hex) is refused with a body") }
            if status == 0, answer.count > 1,
                (try? CBOR.decode(Array(answer.dropFirst()), options: .attestation)) == nil
            {
                Issue.record("\(message.hex) has an answer that is not canonical CBOR")
            }
            if status == CTAPStatus.other.rawValue { Issue.record("\(message.hex) has no status of its own") }
        }
        // Every command accepts some inputs and refuses some.
        for command in Self.commands where Fuzzing.inputs >= 10_000 {
            let statuses = Set(answers.keys.filter { $0.command == command.rawValue }.map(\.status))
            #expect(statuses.contains(0), "\(command) never succeeds")
            #expect(statuses.count >= 4, "\(command) only ever answers \(statuses)")
        }
        try await device.restore(before)
        let assertion = try await client.getAssertion(
            GetAssertionRequest(
                relyingPartyID: Self.registration.rp.id, clientDataHash: Seeds.hash,
                allowList: [PublicKeyCredentialDescriptor(id: attested.credentialID)]))
        #expect(key.verify(assertion.signature, over: assertion.authenticatorData + Seeds.hash))
    }

    private struct Answer: Hashable {
        let command: UInt8
        let status: UInt8
    }

    private static let commands: [CTAPCommand] = [
        .makeCredential, .getAssertion, .clientPIN, .bioEnrollment, .bioEnrollmentPreview, .credentialManagement,
        .credentialManagementPreview, .largeBlobs, .config,
    ]

    private static var registration: MakeCredentialRequest {
        var request = Seeds.registration
        request.rp.id = "known.example"
        request.options["uv"] = true
        return request
    }

    // MARK: Messages

    private static func message(
        token: [UInt8], credentialID: [UInt8], _ generator: inout SeededGenerator
    ) -> [UInt8] {
        let command = commands.randomElement(using: &generator) ?? .getAssertion
        var map = CBOR.Map()
        let seeds = ParameterSeeds.maps(command, credentialID: credentialID)
        if let seed = seeds.randomElement(using: &generator) { map = seed }
        for _ in 0..<Int.random(in: 0...2, using: &generator) { ParameterSeeds.damage(&map, &generator) }
        if !Int.random(in: 0..<8, using: &generator).isMultiple(of: 8) {
            ParameterSeeds.authenticate(&map, command, token: token)
        }
        var message = [command.rawValue] + CBOR.encode(.map(map))
        if Int.random(in: 0..<16, using: &generator) == 0 {
            message = [command.rawValue] + Mutation.mutated(Array(message.dropFirst()), &generator)
        }
        return message
    }

    // MARK: Device

    private static func device() throws -> VirtualAuthenticator {
        var configuration = AuthenticatorConfiguration()
        configuration.algorithms = [.edDSA, .es256]
        configuration.discoverableCapacity = 20
        configuration.supportsClientPIN = true
        configuration.makeCredUvNotRequired = true
        configuration.alwaysUV = false
        configuration.pinComplexityPolicy = false
        configuration.extensions = AuthenticatorExtension.allCases
        configuration.largeBlobCapacity = 2048
        configuration.management.supportsCredentialManagement = true
        configuration.management.supportsCredentialManagementPreview = true
        configuration.management.supportsPersistentTokens = true
        configuration.management.configSubcommands = AuthenticatorConfigSubcommand.allCases
        configuration.management.vendorPrototypeCommands = [1]
        configuration.management.enterpriseAttestation = ManagementConfiguration.EnterpriseAttestation()
        configuration.management.bioEnrollment = ManagementConfiguration.BioEnrollment()
        configuration.management.bioEnrollment?.answersPreview = true
        let gate = UserVerificationGate(
            policy: try .securityKeyFingerprint(),
            sensor: BiometricSensor(
                modality: .fingerprint, templates: [BiometricTemplate(id: [1], name: "owner")]),
            deviceCredential: nil)
        let clock = SimulatedClock()
        return VirtualAuthenticator(
            configuration: configuration,
            environment: Environment(
                time: clock, random: SeededRandomSource(seed: 4), user: ScriptedUser(clock: clock)),
            gate: gate)
    }
}

extension PINUVAuthTokenPermissions {
    fileprivate static let management: PINUVAuthTokenPermissions = [
        .credentialManagement, .bioEnrollment, .largeBlobWrite, .authenticatorConfiguration,
    ]
}
