internal import Attestation
internal import CBOR
internal import COSE
internal import CTAP
internal import Crypto
internal import VirtualAuthenticator

/// getAssertion in-process over one raw P-256 signature of the same library.
enum AssertionBenchmark {
    static func run(rounds: Int) async throws -> BenchmarkResult {
        let device = BenchmarkDevice()
        let request = try await device.register()
        let key = P256.Signing.PrivateKey()
        let message = [UInt8](repeating: 7, count: 69)
        let encoded = request.message
        let measurement = try await Measurement.pair(rounds: rounds) {
            try await device.send(encoded)
        } baseline: {
            _ = try key.signature(for: message)
        }
        return BenchmarkResult("getAssertion in-process", over: "raw P-256 signature", measurement, limit: 1.25)
    }
}

/// A plain security key with a user who consents.
struct BenchmarkDevice: Sendable {
    let authenticator: VirtualAuthenticator
    let client: AuthenticatorClient

    init(
        attestation: [AttestationKind] = [],
        counterMode: AuthenticatorConfiguration.CounterMode = .global, capacity: Int = 50,
        storage: (any AuthenticatorStorage)? = nil
    ) {
        var configuration = AuthenticatorConfiguration()
        configuration.attestation = attestation
        configuration.counterMode = counterMode
        configuration.discoverableCapacity = capacity
        authenticator = VirtualAuthenticator(
            configuration: configuration,
            environment: Environment(
                time: SimulatedClock(), random: SystemRandomSource(), person: ConsentingPerson(), storage: storage))
        client = AuthenticatorClient(authenticator)
    }

    /// Sends one message, which must succeed.
    func send(_ message: [UInt8]) async throws {
        let answer = await authenticator.transceive(message, onKeepalive: { _ in })
        guard answer.first == 0 else { throw BenchmarkFailure(description: "refused: \(answer)") }
    }

    static let clientDataHash = [UInt8](repeating: 1, count: 32)

    /// A request for a discoverable credential.
    static func registration(user: [UInt8], at relyingPartyID: String) -> MakeCredentialRequest {
        MakeCredentialRequest(
            clientDataHash: clientDataHash, rp: PublicKeyCredentialRPEntity(id: relyingPartyID),
            user: PublicKeyCredentialUserEntity(id: user),
            pubKeyCredParams: [PublicKeyCredentialParameters(algorithm: .es256)], options: ["rk": true])
    }

    /// Makes a discoverable credential and returns an assertion request for it.
    func register(user: [UInt8] = [1], at relyingPartyID: String = "example.org") async throws -> GetAssertionRequest {
        _ = try await client.makeCredential(Self.registration(user: user, at: relyingPartyID))
        return GetAssertionRequest(relyingPartyID: relyingPartyID, clientDataHash: Self.clientDataHash)
    }
}

extension MakeCredentialRequest {
    /// The command byte and the CBOR parameters.
    var message: [UInt8] { [CTAPCommand.makeCredential.rawValue] + CBOR.encode(cbor) }
}

extension GetAssertionRequest {
    /// The command byte and the CBOR parameters.
    var message: [UInt8] { [CTAPCommand.getAssertion.rawValue] + CBOR.encode(cbor) }
}
