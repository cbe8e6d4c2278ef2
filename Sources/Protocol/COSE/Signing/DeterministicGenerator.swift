/// The HMAC_DRBG of RFC 6979 §3.2, seeded with a private key and a hash.
struct DeterministicGenerator {
    private let digest: COSE.Digest
    private var key: [UInt8]
    private var value: [UInt8]

    /// A generator for `int2octets(x)` ‖ `bits2octets(h)` (steps b to g).
    init(seed: [UInt8], digest: COSE.Digest) {
        self.digest = digest
        let length = digest.hash(of: []).count
        key = [UInt8](repeating: 0x00, count: length)
        value = [UInt8](repeating: 0x01, count: length)
        update([0x00] + seed)
        update([0x01] + seed)
    }

    /// At least that many further bytes, in whole hashes (step h.2).
    mutating func bytes(atLeast count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            value = digest.authenticationCode(for: value, key: key)
            bytes += value
        }
        return bytes
    }

    /// Updates the state after unsuitable bytes (step h.3).
    mutating func reject() { update([0x00]) }

    private mutating func update(_ suffix: [UInt8]) {
        key = digest.authenticationCode(for: value + suffix, key: key)
        value = digest.authenticationCode(for: value, key: key)
    }
}
