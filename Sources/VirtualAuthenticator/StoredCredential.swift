public import COSE
public import CTAP
internal import Crypto
internal import Foundation

/// A credential the authenticator holds, or has unsealed from its ID.
public struct StoredCredential: Sendable {
    /// The credential's ID.
    public let id: [UInt8]
    /// The relying party it belongs to.
    public let relyingPartyID: String
    /// The account; for a credential that is not discoverable, its user handle only.
    public internal(set) var user: PublicKeyCredentialUserEntity
    /// Whether it can be found without its ID.
    public let isDiscoverable: Bool
    /// The order of creation: larger is newer.
    public let creationOrder: UInt64
    /// The last counter value used, for per-credential counters.
    public internal(set) var signCount: UInt32
    /// BE, fixed for life.
    public let isBackupEligible: Bool
    /// BS.
    public internal(set) var isBackedUp: Bool
    let privateKey: COSE.PrivateKey

    /// The public key.
    public var publicKey: COSE.PublicKey { privateKey.publicKey }

    /// How the credential is named in answers.
    public var descriptor: PublicKeyCredentialDescriptor { PublicKeyCredentialDescriptor(id: id) }
}

/// SHA-256.
func sha256(_ bytes: [UInt8]) -> [UInt8] {
    Array(SHA256.hash(data: bytes))
}
