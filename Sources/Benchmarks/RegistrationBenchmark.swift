internal import Attestation
internal import CBOR
internal import COSE
internal import CTAP
internal import VirtualAuthenticator

/// makeCredential with packed self attestation over one key generation and one signature of the same library.
enum RegistrationBenchmark {
    static func run(rounds: Int) async throws -> BenchmarkResult {
        let device = BenchmarkDevice(attestation: [.packed])
        let request = MakeCredentialRequest(
            clientDataHash: [UInt8](repeating: 1, count: 32), rp: PublicKeyCredentialRPEntity(id: "example.org"),
            user: PublicKeyCredentialUserEntity(id: [1]),
            pubKeyCredParams: [PublicKeyCredentialParameters(algorithm: .es256)], options: ["rk": true])
        let message = request.message
        let signed = [UInt8](repeating: 7, count: 200)
        let random = SystemRandomSource()
        let measurement = try await Measurement.pair(rounds: rounds) {
            try await device.send(message)
        } baseline: {
            _ = try COSE.PrivateKey.generate(.es256, randomBytes: random.bytes).sign(signed)
        }
        return BenchmarkResult(
            "makeCredential of a passkey in-process, packed self", over: "key generation + signature", measurement,
            limit: 1.25)
    }
}
