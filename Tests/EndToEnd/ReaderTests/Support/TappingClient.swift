import COSE
import CTAP
import Foundation
import Machine
import RelyingParty
import SecurityKeys
import Testing
import VirtualAuthenticator
import WebAuthn
import WebAuthnClient

/// A browser and a relying party, for a key on a reader.
struct TappingClient {
    static let origin = "https://example.org"
    static let relyingPartyID = "example.org"
    static let userHandle: [UInt8] = [7, 7, 7]

    let key: NFCSecurityKey
    let pin: String?
    private let random = SystemRandomSource()

    init(_ key: NFCSecurityKey, pin: String? = nil) {
        self.key = key
        self.pin = pin
    }

    private var verification: UserVerificationRequirement { pin == nil ? .discouraged : .required }

    private var client: WebAuthnClient {
        var environment = ClientEnvironment(randomBytes: random.bytes, now: { .zero })
        let pin = pin
        environment.enterPIN = { _ in pin.map { .pin($0) } ?? .cancelled }
        return WebAuthnClient(device: key, attachment: .crossPlatform, environment: environment)
    }

    private func ceremony(_ challenge: [UInt8]) -> CeremonyExpectation {
        CeremonyExpectation(
            relyingPartyID: Self.relyingPartyID, challenge: challenge, challengeState: .current,
            origins: [Self.origin], userVerification: verification)
    }

    /// Registers; every check of the relying party has passed.
    func register() async throws -> CredentialRecord {
        let challenge = random.bytes(32)
        let options = CreationOptions(
            rp: RelyingPartyEntity(id: Self.relyingPartyID, name: "Example"),
            user: UserEntity(id: Self.userHandle, name: "ada", displayName: "Ada"), challenge: challenge,
            pubKeyCredParams: [CredentialParameters(alg: COSE.Algorithm.es256.rawValue)],
            authenticatorSelection: AuthenticatorSelection(
                residentKey: .discouraged, userVerification: verification))
        let response = try await client.create(options, origin: Origin(parsing: Self.origin))
        let expectation = RegistrationExpectation(
            ceremony: ceremony(challenge), algorithms: [.es256], userHandle: Self.userHandle,
            completingUserHandle: Self.userHandle, now: MachineClock.shared.now(),
            owner: { _ in .unregistered })
        let verdict = await RegistrationVerifier().verify(response, expectation: expectation)
        return try #require(verdict.credential, "\(verdict.ledger)").record
    }

    /// Signs in; every check of the relying party has passed.
    func signIn(with credential: CredentialRecord) async throws {
        let challenge = random.bytes(32)
        let options = RequestOptions(
            challenge: challenge, rpId: Self.relyingPartyID,
            allowCredentials: [CredentialDescriptor(id: credential.id)], userVerification: verification)
        let response = try await client.get(options, origin: Origin(parsing: Self.origin))
        let expectation = AuthenticationExpectation(
            ceremony: ceremony(challenge), allowedCredentials: [credential.id], user: .known(Self.userHandle))
        let verdict = AuthenticationVerifier().verify(response, expectation: expectation) { id in
            id == credential.id ? credential : nil
        }
        _ = try #require(verdict.update, "\(verdict.ledger)")
    }
}
