internal import Attestation
internal import CBOR
internal import COSE
internal import CTAP
internal import Crypto
internal import VirtualAuthenticator

/// makeCredential with packed self attestation over one key generation and one signature of the same library.
///
/// The authenticator makes keys from random bytes, so that a seed determines them; the baseline with the limit does the
/// same. The library's own generation tests each new key besides, which takes longer than everything else.
enum RegistrationBenchmark: Benchmark {
    static let rows = [
        BenchmarkRow(title, over: "key generation + signature"),
        BenchmarkRow(title, over: "key from random bytes, both halves + signature", limit: 1.5),
    ]

    private static let title = "makeCredential of a passkey in-process, packed self"

    static func measure(_ order: BenchmarkOrder) async throws -> [Measurement?] {
        let device = BenchmarkDevice(attestation: [.packed])
        let message = BenchmarkDevice.registration(user: [1], at: "example.org").message
        let signed = [UInt8](repeating: 7, count: 200)
        let overLibrary = try await Measurement.pair(rounds: order.rounds, fastestOf: 5) {
            try await device.send(message)
        } baseline: {
            _ = try P256.Signing.PrivateKey().signature(for: signed)
        }
        let random = SystemRandomSource()
        let overParts = try await Measurement.pair(rounds: order.rounds, fastestOf: 5) {
            try await device.send(message)
        } baseline: {
            let key = try COSE.PrivateKey.generate(.es256, randomBytes: random.bytes)
            _ = (key.publicKey, try key.sign(signed))
        }
        return [overLibrary, overParts]
    }
}
