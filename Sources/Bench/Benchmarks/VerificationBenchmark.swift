internal import Attestation
internal import CBOR
internal import COSE
internal import RelyingParty
internal import VirtualAuthenticator
internal import WebAuthn
internal import WebAuthnClient

/// A registration verification (packed self attestation) over one raw P-256 verification.
enum VerificationBenchmark {
    static func run(rounds: Int) async throws -> BenchmarkResult {
        let challenge = [UInt8](repeating: 9, count: 32)
        let response = try await registration(challenge)
        let ceremony = CeremonyExpectation(
            relyingPartyID: "example.org", challenge: challenge, challengeState: .current,
            origins: ["https://example.org"], userVerification: .discouraged)
        let expectation = RegistrationExpectation(
            ceremony: ceremony, algorithms: [.es256], userHandle: [1], completingUserHandle: [1],
            owner: { _ in .unregistered })
        let verifier = RegistrationVerifier()
        let key = try COSE.PrivateKey.generate(.es256, randomBytes: SystemRandomSource().bytes)
        let message = [UInt8](repeating: 7, count: 69)
        let signature = try key.sign(message)
        let measurement = try await Measurement.pair(rounds: rounds) {
            let verdict = await verifier.verify(response, expectation: expectation)
            guard verdict.ledger.isAccepted else {
                throw BenchmarkFailure(description: "the registration was refused: \(verdict.ledger.failures)")
            }
        } baseline: {
            guard key.publicKey.verify(signature, over: message) else {
                throw BenchmarkFailure(description: "the raw signature was refused")
            }
        }
        return BenchmarkResult("registration verification", over: "raw P-256 verification", measurement)
    }

    private static func registration(_ challenge: [UInt8]) async throws -> RegistrationResponse {
        let client = WebAuthnClient(
            device: BenchmarkDevice(attestation: [.packed]).authenticator, attachment: .crossPlatform,
            environment: ClientEnvironment(randomBytes: SystemRandomSource().bytes, now: SimulatedClock().now))
        let options = CreationOptions(
            rp: RelyingPartyEntity(id: "example.org", name: "Example"),
            user: UserEntity(id: [1], name: "ada", displayName: "Ada"), challenge: challenge,
            pubKeyCredParams: [CredentialParameters(alg: COSE.Algorithm.es256.rawValue)], attestation: .direct)
        return try await client.create(options, origin: Origin(parsing: "https://example.org"))
    }
}
