import CBOR
import COSE
import CTAP
import DeviceProfiles
import Foundation
import ProfileFiles
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator

/// Profiles of known keys behave as reported, and cite the reports.
@Suite("Quirks of known keys") struct QuirkTests {
    static let library = ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path)
    static let quirky = (try? library.files().map(ProfileLibrary.read).filter { !$0.faults.isEmpty }.map(\.name)) ?? []

    private static func device(
        _ profile: String, answers: [PresenceAnswer] = []
    ) throws -> (SimulatedDevice, ScriptedUser) {
        let clock = SimulatedClock()
        let person = ScriptedUser(clock: clock)
        person.willAnswer(answers)
        let device = try SimulatedDevice(
            profile: try library.profile(profile), time: clock, random: SeededRandomSource(seed: 1), user: person)
        return (device, person)
    }

    /// The request with which a platform selects a key: an empty pinUvAuthParam (CTAP 2.0 §5.1).
    private static var probe: [UInt8] {
        var request = MakeCredentialRequest(
            clientDataHash: [UInt8](repeating: 0, count: 32), rp: PublicKeyCredentialRPEntity(id: ".dummy"),
            user: PublicKeyCredentialUserEntity(id: [1], name: "dummy"),
            pubKeyCredParams: [PublicKeyCredentialParameters(algorithm: .es256)], pinUvAuthParam: [])
        request.pinUvAuthProtocol = 1
        return [CTAPCommand.makeCredential.rawValue] + CBOR.encode(request.cbor)
    }

    private static func setPIN(_ device: any CTAPDevice) async throws {
        try await PINClient(
            AuthenticatorClient(device), protocol: .one, randomBytes: SeededRandomSource(seed: 2).bytes
        ).setPIN("1234")
    }

    @Test func everyProfileWithQuirksCitesItsSource() throws {
        #expect(Self.quirky.count >= 8)
        for name in Self.quirky {
            let sources = try Self.library.profile(name).sources
            #expect(sources.contains { $0.hasPrefix("https://") }, "\(name)")
        }
    }

    struct Selection: Sendable {
        let profile: String
        let withoutPIN: CTAPStatus
        let withPIN: CTAPStatus
        let unanswered: CTAPStatus
        let waitsForTouch: Bool
    }

    @Test(
        "A key answers the selection of a key as reported",
        arguments: [
            Selection(
                profile: "titan-v2", withoutPIN: .missingParameter, withPIN: .missingParameter,
                unanswered: .missingParameter, waitsForTouch: false),
            Selection(
                profile: "token2-t2f2-dual", withoutPIN: .missingParameter, withPIN: .missingParameter,
                unanswered: .userActionTimeout, waitsForTouch: true),
            Selection(
                profile: "feitian-biopass", withoutPIN: .pinNotSet, withPIN: .pinAuthInvalid,
                unanswered: .userActionTimeout, waitsForTouch: true),
            Selection(
                profile: "feitian-epass", withoutPIN: .pinNotSet, withPIN: .pinAuthInvalid,
                unanswered: .actionTimeout, waitsForTouch: true),
            Selection(
                profile: "solo-1", withoutPIN: .pinNotSet, withPIN: .pinAuthInvalid, unanswered: .actionTimeout,
                waitsForTouch: true),
            Selection(
                profile: "security-key-pin", withoutPIN: .pinNotSet, withPIN: .pinInvalid,
                unanswered: .operationDenied, waitsForTouch: true),
        ])
    func selection(row: Selection) async throws {
        let (device, person) = try Self.device(row.profile)
        #expect(try await device.ctap.transceive(Self.probe) == [row.withoutPIN.rawValue])
        #expect((person.presencePrompts > 0) == row.waitsForTouch)
        try await Self.setPIN(device.ctap)
        #expect(try await device.ctap.transceive(Self.probe) == [row.withPIN.rawValue])
        let (alone, _) = try Self.device(row.profile, answers: [.noAnswer])
        #expect(try await alone.ctap.transceive(Self.probe) == [row.unanswered.rawValue])
    }

    @Test func token2RefusesProtocolTwoAndTakesProtocolOne() async throws {
        let (device, _) = try Self.device("token2-t2f2-dual")
        let client = AuthenticatorClient(device.ctap)
        try await Self.setPIN(device.ctap)
        for pinProtocol in [PINUVAuthProtocol.two, .one] {
            let token = try await PINClient(
                client, protocol: pinProtocol, randomBytes: SeededRandomSource(seed: 3).bytes
            ).token(pin: "1234", permissions: .makeCredential, relyingPartyID: "example.org")
            let hash = [UInt8](repeating: 1, count: 32)
            let request = MakeCredentialRequest(
                clientDataHash: hash, rp: PublicKeyCredentialRPEntity(id: "example.org"),
                user: PublicKeyCredentialUserEntity(id: [1], name: "ada"),
                pubKeyCredParams: [PublicKeyCredentialParameters(algorithm: .es256)],
                pinUvAuthParam: token.authenticate(hash), pinUvAuthProtocol: pinProtocol.rawValue)
            let answer = try await device.ctap.transceive(
                [CTAPCommand.makeCredential.rawValue] + CBOR.encode(request.cbor))
            #expect(answer.first == (pinProtocol == .two ? 0x33 : 0x00))
        }
    }

    @Test func titansCredentialIDsAreLong() async throws {
        let (device, _) = try Self.device("titan-v2")
        let made = try await AuthenticatorClient(device.ctap).makeCredential(
            MakeCredentialRequest(
                clientDataHash: [UInt8](repeating: 1, count: 32), rp: PublicKeyCredentialRPEntity(id: "example.org"),
                user: PublicKeyCredentialUserEntity(id: [1], name: "ada"),
                pubKeyCredParams: [PublicKeyCredentialParameters(algorithm: .es256)], options: ["rk": true]))
        #expect(made.authenticatorData[53...54].reduce(0) { $0 << 8 | Int($1) } == 304)
    }

    /// Yubico.NET.SDK#191: firmware 5.4.3 answers OK without a relying party, 5.7.1 NO_CREDENTIALS; solokeys/solo1,
    /// fido2/ctap.c: OK without anything.
    @Test(
        "enumerateRPsBegin without passkeys is answered as reported",
        arguments: [
            ("yubikey-5-nfc-5.4", [0x00, 0xA1, 0x05, 0x00]), ("security-key-nfc", [0x00, 0xA1, 0x05, 0x00]),
            ("yubikey-5-nfc-5.7", [0x2E]), ("nitrokey-fido2", [0x00]), ("solo-1", [0x00]), ("nitrokey-3", [0x2E]),
        ] as [(String, [UInt8])])
    func noRelyingParties(profile: String, answer: [UInt8]) async throws {
        let (device, _) = try Self.device(profile)
        try await Self.setPIN(device.ctap)
        let client = AuthenticatorClient(device.ctap)
        let management = device.profile.authenticator.management
        let token = try await PINClient(
            client, protocol: .one, randomBytes: SeededRandomSource(seed: 3).bytes
        ).token(
            pin: "1234",
            permissions: device.profile.authenticator.supportsPinUvAuthToken ? .credentialManagement : nil)
        let command: CTAPCommand =
            management.supportsCredentialManagement ? .credentialManagement : .credentialManagementPreview
        let parameters: CBOR.Value = [0x01: 2, 0x03: 1, 0x04: .bytes(token.authenticate([0x02]))]
        #expect(try await device.ctap.transceive([command.rawValue] + CBOR.encode(parameters)) == answer)
    }

    @Test func trustKeyDoesNotDelete() async throws {
        let (device, _) = try Self.device("trustkey-t110")
        let preview = CTAPCommand.credentialManagementPreview.rawValue
        #expect(try await device.ctap.transceive([preview] + CBOR.encode([0x01: 6])) == [0x2E])
        let honest = await device.authenticator.transceive([preview] + CBOR.encode([0x01: 6])) { _ in }
        #expect(honest != [0x2E])
    }
}
