internal import Attestation
internal import CBOR
internal import COSE
internal import CTAP
internal import Crypto
internal import VirtualAuthenticator

/// makeCredential with packed self attestation over one key generation and one signature of the same library.
///
/// The library tests each new key. The authenticator makes keys from random bytes, so that a seed determines them; the
/// second baseline does the same.
enum RegistrationBenchmark {
    static func run(rounds: Int) async throws -> [BenchmarkResult] {
        let device = BenchmarkDevice(attestation: [.packed])
        let message = BenchmarkDevice.registration(user: [1], at: "example.org").message
        let signed = [UInt8](repeating: 7, count: 200)
        let overLibrary = try await Measurement.pair(rounds: rounds) {
            try await device.send(message)
        } baseline: {
            _ = try P256.Signing.PrivateKey().signature(for: signed)
        }
        let random = SystemRandomSource()
        let overParts = try await Measurement.pair(rounds: rounds) {
            try await device.send(message)
        } baseline: {
            _ = try COSE.PrivateKey.generate(.es256, randomBytes: random.bytes).sign(signed)
        }
        let title = "makeCredential of a passkey in-process, packed self"
        return [
            BenchmarkResult(title, over: "key generation + signature", overLibrary, limit: 1.25),
            BenchmarkResult(title, over: "key from random bytes + signature", overParts),
        ]
    }
}
