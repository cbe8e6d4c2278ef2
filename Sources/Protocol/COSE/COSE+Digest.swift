internal import Crypto

extension COSE {
    /// A hash function that algorithms use (FIPS 180-4).
    enum Digest: Sendable {
        /// Broken, and used by the attestation keys of TPMs only.
        case sha1
        case sha256
        case sha384
        case sha512

        /// The hash of a message: 20, 32, 48 or 64 bytes.
        func hash(of message: [UInt8]) -> [UInt8] {
            switch self {
            case .sha1: Array(Insecure.SHA1.hash(message))
            case .sha256: Array(SHA256.hash(message))
            case .sha384: Array(SHA384.hash(message))
            case .sha512: Array(SHA512.hash(message))
            }
        }

        /// The keyed hash of a message (RFC 2104).
        func authenticationCode(for message: [UInt8], key: [UInt8]) -> [UInt8] {
            let key = SymmetricKey(data: key)
            return switch self {
            case .sha1: Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: key))
            case .sha256: Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
            case .sha384: Array(HMAC<SHA384>.authenticationCode(for: message, using: key))
            case .sha512: Array(HMAC<SHA512>.authenticationCode(for: message, using: key))
            }
        }
    }
}

package func sha256(_ message: [UInt8]) -> [UInt8] { SHA256.hash(message).withUnsafeBytes { Array($0) } }

extension HashFunction {
    /// The hash of a message, in one piece: `hash(data:)` asks for the regions of any collection, which takes longer.
    static func hash(_ message: [UInt8]) -> Digest {
        var function = Self()
        message.withUnsafeBytes { function.update(bufferPointer: $0) }
        return function.finalize()
    }
}
