internal import Crypto
internal import Foundation

/// The use of a derived key: the info of HKDF-SHA-256 as four bytes, little-endian (CTAP 2.3 §11.5).
package enum KeyPurpose: UInt32, Hashable, Sendable, CaseIterable {
    /// The key of the advert; the salt is empty, or the client nonce of a state-assisted transaction.
    case eidKey = 1
    /// The tunnel's identifier, which both ends know after the QR code.
    case tunnelID = 2
    /// The handshake's pre-shared key; the salt is the advert's plaintext.
    case preSharedKey = 3
    /// The secret of a link; the salt is the link ID.
    case linkSecret = 4
    /// The phone's identity key.
    case identityKeySeed = 5
    /// The secret of a contact ID, from which the secrets of its links come; the salt is the contact ID.
    case contactSecret = 6

    /// The number of bytes of the key.
    package var length: Int {
        switch self {
        case .eidKey: 64
        case .tunnelID: 16
        case .preSharedKey, .linkSecret, .identityKeySeed, .contactSecret: 32
        }
    }

    /// The key that comes from a secret and a salt.
    package func derive(from secret: [UInt8], salt: [UInt8] = []) -> [UInt8] {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), salt: salt, info: rawValue.littleEndianBytes,
            outputByteCount: length
        ).withUnsafeBytes { Array($0) }
    }
}
