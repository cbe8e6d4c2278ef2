internal import COSE
internal import Synchronization
internal import VirtualAuthenticator

/// The keys of credentials.
struct ForgedKeys: Sendable {
    private let random: any RandomSource
    private let rsa = SharedKeys()

    init(_ random: any RandomSource) { self.random = random }

    /// A new key; RSA keys, which take long to make, are made once for each algorithm.
    func key(_ algorithm: COSE.Algorithm) throws -> COSE.PrivateKey {
        guard [.rs256, .ps256].contains(algorithm) else { return try newKey(algorithm) }
        return try rsa.keys.withLock { keys in
            if let key = keys[algorithm] { return key }
            let key = try newKey(algorithm)
            keys[algorithm] = key
            return key
        }
    }

    private func newKey(_ algorithm: COSE.Algorithm) throws -> COSE.PrivateKey {
        try COSE.PrivateKey.generate(algorithm) { random.bytes($0) }
    }

    private final class SharedKeys: Sendable {
        let keys = Mutex<[COSE.Algorithm: COSE.PrivateKey]>([:])
    }
}
