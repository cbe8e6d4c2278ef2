internal import Attestation
internal import COSE
internal import Foundation
internal import Machine
internal import RelyingParty
internal import VirtualAuthenticator
internal import WebAuthn
internal import WebAuthnClient

/// The verification of a registration (packed self attestation) and of an assertion, each from its JSON, over one raw
/// P-256 verification; and the latter over other libraries.
enum VerificationBenchmark: Benchmark {
    static let rows =
        [
            BenchmarkRow("registration verified from JSON", over: RawVerification.name, limit: 2.0),
            BenchmarkRow("assertion verified from JSON", over: RawVerification.name, limit: 1.6),
        ] + OtherVerifiers.names.map { BenchmarkRow("assertion verified from JSON", over: $0) }

    static func measure(_ order: BenchmarkOrder) async throws -> [Measurement?] {
        let rounds = order.rounds
        let sample = try await Sample()
        let raw = try RawVerification()
        let registration = try await Measurement.pair(rounds: rounds, fastestOf: 5) {
            let verdict = await RegistrationVerifier().verify(
                json: sample.registration, expectation: sample.registrationExpectation)
            guard verdict.ledger.isAccepted else {
                throw BenchmarkFailure(description: "the registration was refused: \(verdict.ledger.failures)")
            }
        } baseline: {
            try raw.run()
        }
        let assertion = try await Measurement.pair(rounds: rounds, fastestOf: 5) {
            let verdict = AuthenticationVerifier().verify(
                json: sample.assertion, expectation: sample.assertionExpectation
            ) { _ in sample.record }
            guard verdict.ledger.isAccepted else {
                throw BenchmarkFailure(description: "the assertion was refused: \(verdict.ledger.failures)")
            }
        } baseline: {
            try raw.run()
        }
        let others = try OtherVerifiers.times(sample.forOthers, rounds: rounds)
        return [registration, assertion]
            + OtherVerifiers.names.map { others[$0].map { Measurement(subject: assertion.subject, baseline: $0) } }
    }

    private struct Sample {
        let registration: [UInt8]
        let assertion: [UInt8]
        let record: CredentialRecord
        let registrationExpectation: RegistrationExpectation
        let assertionExpectation: AuthenticationExpectation

        /// The sample without this project's types.
        var forOthers: OtherVerifiers.Sample {
            OtherVerifiers.Sample(
                registration: String(decoding: registration, as: UTF8.self),
                assertion: String(decoding: assertion, as: UTF8.self),
                challenge: Base64URLBytes(registrationExpectation.ceremony.challenge), rpId: "example.org",
                origin: "https://example.org", publicKey: Base64URLBytes(record.publicKey))
        }

        init() async throws {
            let challenge = [UInt8](repeating: 9, count: 32)
            let ceremony = CeremonyExpectation(
                relyingPartyID: "example.org", challenge: challenge, challengeState: .current,
                origins: ["https://example.org"], userVerification: .discouraged)
            registrationExpectation = RegistrationExpectation(
                ceremony: ceremony, algorithms: [.es256], userHandle: [1], completingUserHandle: [1],
                now: MachineClock.shared.now(), owner: { _ in .unregistered })
            assertionExpectation = AuthenticationExpectation(
                ceremony: ceremony, allowedCredentials: [], user: .unknown, counterPolicy: .reject)
            let client = BenchmarkDevice.browser(BenchmarkDevice(attestation: [.packed]).authenticator)
            let origin = try Origin(parsing: "https://example.org")
            let made = try await client.create(
                CreationOptions(
                    rp: RelyingPartyEntity(id: "example.org", name: "Example"),
                    user: UserEntity(id: [1], name: "ada", displayName: "Ada"), challenge: challenge,
                    pubKeyCredParams: [CredentialParameters(alg: COSE.Algorithm.es256.rawValue)],
                    authenticatorSelection: AuthenticatorSelection(residentKey: .required), attestation: .direct),
                origin: origin)
            let verdict = await RegistrationVerifier().verify(made, expectation: registrationExpectation)
            guard let record = verdict.credential?.record else {
                throw BenchmarkFailure(description: "the registration was refused: \(verdict.ledger.failures)")
            }
            self.record = record
            let used = try await client.get(RequestOptions(challenge: challenge, rpId: "example.org"), origin: origin)
            registration = Array(try JSONEncoder().encode(made))
            assertion = Array(try JSONEncoder().encode(used))
        }
    }
}

/// A P-256 signature over 69 bytes and its verification, by the library that authenticator and verifier use.
struct RawVerification: Sendable {
    static let name = "raw P-256 verification"

    private let key: COSE.PrivateKey
    private let publicKey: COSE.PublicKey
    private let signature: [UInt8]
    private let message = [UInt8](repeating: 7, count: 69)

    init() throws {
        key = try COSE.PrivateKey.generate(.es256, randomBytes: SystemRandomSource().bytes)
        publicKey = key.publicKey
        signature = try key.sign(message)
    }

    func run() throws {
        guard publicKey.verify(signature, over: message) else {
            throw BenchmarkFailure(description: "the raw signature was refused")
        }
    }

    func sign() throws { _ = try key.sign(message) }
}
