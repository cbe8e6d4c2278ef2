internal import COSE
internal import TestSupport

/// A credential key for each algorithm, the same in every run.
///
/// RSA keys take long to generate, so each is made once.
enum SampleKeys {
    private static let keys: [COSE.Algorithm: Result<COSE.PrivateKey, COSE.KeyError>] = Dictionary(
        uniqueKeysWithValues: COSE.Algorithm.supported.map { algorithm in
            var generator = SeededGenerator(seed: UInt64(bitPattern: Int64(algorithm.rawValue)))
            return (
                algorithm,
                Result { () throws(COSE.KeyError) in
                    try COSE.PrivateKey.generate(algorithm) { generator.bytes($0) }
                }
            )
        })

    static func key(_ algorithm: COSE.Algorithm) throws -> COSE.PrivateKey {
        guard let key = keys[algorithm] else { throw COSE.KeyError.unsupportedAlgorithm(algorithm) }
        return try key.get()
    }
}
