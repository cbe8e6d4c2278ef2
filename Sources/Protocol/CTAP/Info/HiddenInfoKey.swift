internal import Crypto
internal import CryptoExtras

/// The key of a member of getInfo that only holders of the persistent token read: `encIdentifier` and
/// `encCredStoreState` (CTAP 2.3 §6.4).
///
/// The key is HKDF-SHA-256 of the token with a salt of 32 zero bytes and the member's name. The member is:
///
/// | bytes | content |
/// |---|---|
/// | 16 | the initialisation vector, new in every answer |
/// | 16 | the value, encrypted with AES-128-CBC without padding |
package struct HiddenInfoKey: Sendable {
    package let token: [UInt8]
    private let key: SymmetricKey

    package init(token: [UInt8], member: InfoMember) {
        self.token = token
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: token), salt: [UInt8](repeating: 0, count: 32),
            info: Array(member.name.utf8), outputByteCount: 16)
    }

    /// Encrypts 16 bytes; nil for another number, and for a vector of other than 16 bytes.
    package func encrypt(_ value: [UInt8], initializationVector vector: [UInt8]) -> [UInt8]? {
        guard value.count == 16, let iv = try? AES._CBC.IV(ivBytes: vector),
            let ciphertext = try? AES._CBC.encrypt(value, using: key, iv: iv, noPadding: true)
        else { return nil }
        return vector + Array(ciphertext)
    }

    /// The value of a member; nil for a member of other than 32 bytes.
    package func decrypt(_ member: [UInt8]) -> [UInt8]? {
        guard member.count == 32, let iv = try? AES._CBC.IV(ivBytes: member.prefix(16)),
            let value = try? AES._CBC.decrypt(member.suffix(16), using: key, iv: iv, noPadding: true)
        else { return nil }
        return Array(value)
    }
}
