import Attestation
import Biometrics
import COSE
import CTAP
import DeviceProfiles
import Foundation
import ProfileFiles
import RelyingParty
import TestSupport
import VirtualAuthenticator
import WebAuthn
import WebAuthnClient

/// A fingerprint key, a client and a relying party that keeps accepted credentials, all without HTTP.
final class CeremonyRig {
    static let origin = "https://example.org"
    static let relyingPartyID = "example.org"
    static let userHandle: [UInt8] = [7, 7, 7]

    let authenticator: VirtualAuthenticator
    private let device: any CTAPDevice
    private let clock = SimulatedClock()
    private let random = SeededRandomSource(seed: 11)
    private(set) var credentials: [CredentialRecord] = []

    /// - Parameter wrap: Adds a layer between client and authenticator.
    init(
        attestation: [AttestationKind] = [.packed], wrap: (VirtualAuthenticator) -> any CTAPDevice = { $0 }
    ) throws {
        let profiles = ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path)
        let profile = try profiles.profile("security-key-bio")
        var configuration = profile.authenticator
        configuration.algorithms = [COSE.Algorithm.es256]
        configuration.attestation = attestation
        authenticator = VirtualAuthenticator(
            configuration: configuration,
            environment: Environment(
                time: clock, random: random, user: ScriptedUser(clock: clock), signing: .deterministic),
            gate: profile.gate)
        policy = try AttestationPolicy(
            acceptsNone: true, acceptsSelf: true,
            trustAnchors: TrustAnchors(forAllModels: [AttestationAuthority().rootCertificate]),
            rules: [.registeredTPMManufacturer])
        device = wrap(authenticator)
    }

    private var client: WebAuthnClient {
        var environment = ClientEnvironment(randomBytes: random.bytes, now: clock.now)
        environment.passesMalformedData = true
        return WebAuthnClient(device: device, attachment: .crossPlatform, environment: environment)
    }

    /// Certificates must come from the bench's own root; formats without certificates are accepted.
    private let policy: AttestationPolicy
    private func ceremony(_ challenge: [UInt8]) -> CeremonyExpectation {
        CeremonyExpectation(
            relyingPartyID: Self.relyingPartyID, challenge: challenge, challengeState: .current,
            origins: [Self.origin], userVerification: .required)
    }

    /// Registers a passkey and keeps it when every check passed.
    func register() async throws -> Ledger {
        let challenge = random.bytes(32)
        let options = CreationOptions(
            rp: RelyingPartyEntity(id: Self.relyingPartyID, name: "Example"),
            user: UserEntity(id: Self.userHandle, name: "ada", displayName: "Ada"), challenge: challenge,
            pubKeyCredParams: [CredentialParameters(alg: COSE.Algorithm.es256.rawValue)],
            authenticatorSelection: AuthenticatorSelection(residentKey: .required, userVerification: .required),
            attestation: .direct)
        let response = try await client.create(options, origin: Origin(parsing: Self.origin))
        let known = Set(credentials.map(\.id))
        let expectation = RegistrationExpectation(
            ceremony: ceremony(challenge), algorithms: [.es256], userHandle: Self.userHandle,
            completingUserHandle: Self.userHandle, attestation: policy, now: clock.now(),
            extensions: ExtensionPolicy(refusesUnsolicited: true),
            owner: { known.contains($0) ? .thisUser : .unregistered })
        let verdict = await RegistrationVerifier().verify(response, expectation: expectation)
        if let credential = verdict.credential { credentials.append(credential.record) }
        return verdict.ledger
    }

    /// Signs in and keeps the new state when every check passed.
    ///
    /// - Parameter namesCredentials: Whether the relying party knows the user and sends an allow list.
    func signIn(namesCredentials: Bool) async throws -> Ledger {
        let challenge = random.bytes(32)
        let allowed = namesCredentials ? credentials.map(\.id) : []
        let options = RequestOptions(
            challenge: challenge, rpId: Self.relyingPartyID,
            allowCredentials: allowed.map { CredentialDescriptor(id: $0) }, userVerification: .required)
        let response = try await client.get(options, origin: Origin(parsing: Self.origin))
        let expectation = AuthenticationExpectation(
            ceremony: ceremony(challenge), allowedCredentials: allowed,
            user: namesCredentials ? .known(Self.userHandle) : .unknown)
        let verdict = AuthenticationVerifier().verify(response, expectation: expectation) { id in
            credentials.first { $0.id == id }
        }
        if let update = verdict.update, let index = credentials.firstIndex(where: { $0.id == update.id }) {
            credentials[index].signCount = update.signCount
            credentials[index].backupState = update.backupState
        }
        return verdict.ledger
    }
}
