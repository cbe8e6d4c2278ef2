internal import Crypto
internal import Foundation

/// Hashes of the Keychain.
enum KeychainHash {
    /// The label by which the system looks a key up: the SHA-1 hash of its public key.
    static func label(of point: [UInt8]) -> Data { Data(Insecure.SHA1.hash(data: point)) }
}
