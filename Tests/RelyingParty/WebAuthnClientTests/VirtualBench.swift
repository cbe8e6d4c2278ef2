import Biometrics
import CBOR
import COSE
import CTAP
import DeviceProfiles
import Foundation
import ProfileFiles
import SampleGates
import TestSupport
import Testing
import VirtualAuthenticator
import WebAuthn
import WebAuthnClient

/// The virtual key with every feature, and the client that uses it.
struct VirtualBench: Sendable {
    static let pin = "271828"
    static let relyingPartyID = "example.org"

    let device: VirtualAuthenticator
    let touches: ScriptedUser
    let person: User
    private let random = SeededRandomSource(seed: 23)

    /// - Parameters:
    ///   - pin: Whether a PIN is set, which the user knows.
    ///   - finger: Whether a finger is enrolled.
    ///   - choosing: The account that the user chooses among several.
    ///   - change: Changes the profile.
    init(
        pin: Bool = true, finger: Bool = false, choosing: Int? = 0,
        _ change: (inout AuthenticatorConfiguration) -> Void = { _ in }
    ) async throws {
        let profiles = ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path)
        var configuration = try profiles.profile("security-key-complete").authenticator
        configuration.algorithms = [.es256]
        change(&configuration)
        let clock = SimulatedClock()
        touches = ScriptedUser(clock: clock)
        let thumb = BiometricTemplate(id: [1], name: "thumb")
        device = VirtualAuthenticator(
            configuration: configuration,
            environment: Environment(time: clock, random: SeededRandomSource(seed: 5), user: touches),
            gate: finger
                ? UserVerificationGate(
                    policy: try .securityKeyFingerprint(),
                    sensor: BiometricSensor(modality: .fingerprint, templates: [thumb]), deviceCredential: nil)
                : nil)
        person = User(pins: Array(repeating: Self.pin, count: 50), choosing: choosing)
        if pin { try await pins().setPIN(Self.pin) }
    }

    var ctap: AuthenticatorClient { AuthenticatorClient(device) }

    func pins(_ pinProtocol: PINUVAuthProtocol = .two) -> PINClient {
        PINClient(ctap, protocol: pinProtocol, randomBytes: random.bytes)
    }

    var client: WebAuthnClient {
        let clock = Clock()
        let person = person
        var environment = ClientEnvironment(randomBytes: random.bytes, now: { clock.now })
        environment.enterPIN = { await person.enterPIN($0) }
        environment.chooseAccount = { await person.choose($0) }
        let translated: (any CTAPDevice)? = device.answersCTAP2 ? nil : U2FTranslator(device)
        return WebAuthnClient(device: translated ?? device, attachment: .crossPlatform, environment: environment)
    }

    func create(
        _ extensions: ClientExtensionInputs = ClientExtensionInputs(), user: [UInt8] = [1],
        residentKey: ResidentKeyRequirement = .required, userVerification: UserVerificationRequirement = .required,
        exclude: [[UInt8]]? = nil
    ) async throws(WebAuthnClientError) -> RegistrationResponse {
        var options = CreationOptions.test(
            userVerification: userVerification, residentKey: residentKey, exclude: exclude)
        options.user.id = Base64URLBytes(user)
        options.extensions = extensions
        return try await client.create(options, origin: Self.origin)
    }

    func get(
        _ extensions: ClientExtensionInputs = ClientExtensionInputs(), allow: [[UInt8]]? = nil,
        userVerification: UserVerificationRequirement = .required
    ) async throws(WebAuthnClientError) -> AuthenticationResponse {
        var options = RequestOptions.test(userVerification: userVerification, allow: allow)
        options.extensions = extensions
        return try await client.get(options, origin: Self.origin)
    }

    static let origin = Origin.app(facet: "https://example.org", associatedDomains: ["example.org"])
}

extension RegistrationResponse {
    var credentialID: [UInt8] { rawId.bytes }

    /// The authenticator's extension outputs.
    var outputs: CBOR.Map? {
        get throws { try AuthenticatorData(parsing: response.authenticatorData?.bytes ?? []).extensions }
    }
}

extension AuthenticationResponse {
    var outputs: CBOR.Map? {
        get throws { try AuthenticatorData(parsing: response.authenticatorData.bytes).extensions }
    }

    var flags: AuthenticatorDataFlags { AuthenticatorDataFlags(rawValue: response.authenticatorData.bytes[32]) }
}
