internal import Crypto
internal import Foundation

/// A phone's lasting secret, from which its identity key and the secrets of its links come.
///
/// A new contact ID makes all earlier links useless.
package struct PhoneIdentity: Sendable, CustomStringConvertible {
    package static let rootSecretLength = 32
    /// The length of the contact ID of a new identity, in bytes; others may have any.
    private static let contactIDLength = 20

    private let rootSecret: [UInt8]
    package let key: HybridKey
    /// The identifier by which the tunnel service finds the phone.
    package var contactID: [UInt8]
    /// The name that the other end shows.
    package var name: String

    /// The identity of a root secret; nil for another length.
    package init?(rootSecret: [UInt8], contactID: [UInt8], name: String) {
        guard rootSecret.count == Self.rootSecretLength, !contactID.isEmpty else { return nil }
        var seed = KeyPurpose.identityKeySeed.derive(from: rootSecret)
        let made = HybridKey { _ in
            defer { seed = Array(SHA256.hash(data: seed)) }
            return seed
        }
        guard let made else { return nil }
        self.rootSecret = rootSecret
        key = made
        self.contactID = contactID
        self.name = name
    }

    /// A new identity; nil when the random source gives no key.
    ///
    /// - Parameter randomBytes: returns this many random bytes.
    package init?(name: String, randomBytes: (Int) -> [UInt8]) {
        self.init(
            rootSecret: randomBytes(Self.rootSecretLength), contactID: randomBytes(Self.contactIDLength), name: name)
    }

    /// The words "phone identity"; never the secret.
    package var description: String { "phone identity" }

    /// The secret of a link.
    package func linkSecret(_ linkID: [UInt8]) -> [UInt8] {
        let contactSecret = KeyPurpose.contactSecret.derive(from: rootSecret, salt: contactID)
        return KeyPurpose.linkSecret.derive(from: contactSecret, salt: linkID)
    }

    /// The linking information for the owner of a QR code; nil for an impossible key.
    func information(linkID: [UInt8], peer: HybridPublicKey, handshakeHash: [UInt8]) -> LinkingInformation? {
        LinkingInformation.signature(key, peer, over: handshakeHash).map {
            LinkingInformation(
                contactID: contactID, linkID: linkID, linkSecret: linkSecret(linkID), publicKey: key.publicKey,
                name: name, signature: $0)
        }
    }
}
