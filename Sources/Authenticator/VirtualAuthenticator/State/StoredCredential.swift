public import COSE
public import CTAP
internal import Foundation

/// A credential, stored or unsealed from its ID.
public struct StoredCredential: Sendable {
    /// The credential's ID.
    public internal(set) var id: [UInt8]
    /// The relying party it belongs to; for one made over U2F, the hexadecimal digits of its application parameter.
    public let relyingPartyID: String
    /// SHA-256 of the RP ID.
    public let relyingPartyIDHash: [UInt8]
    /// The account; for a credential that is not discoverable, its user handle only.
    public internal(set) var user: PublicKeyCredentialUserEntity
    /// Whether it is discoverable.
    public let isDiscoverable: Bool
    /// The order of creation: larger is newer.
    public internal(set) var creationOrder: UInt64
    /// The last counter value used, for per-credential counters.
    public internal(set) var signCount: UInt32
    /// Its own counter mode: `perCredential`, or `none` for one that stays at zero; nil means the device's.
    public internal(set) var ownCounter: AuthenticatorConfiguration.CounterMode?
    /// BE, constant unless it is set from outside.
    public internal(set) var isBackupEligible: Bool
    /// BS.
    public internal(set) var isBackedUp: Bool
    /// The verification it needs before it is revealed (CTAP 2.3 §12.1).
    public let protection: CredentialProtection
    /// The relying party's small blob (CTAP 2.3 §12.2); nil when none was stored.
    public internal(set) var credBlob: [UInt8]?
    /// 32 bytes (CTAP 2.3 §12.3); nil when none was requested.
    public internal(set) var largeBlobKey: [UInt8]?
    /// The blob of the `largeBlob` extension; nil until one was written.
    public internal(set) var largeBlob: LargeBlobExtensionValue?
    /// Whether it may be used for payments on other sites (CTAP 2.3 §12.9).
    public internal(set) var allowsThirdPartyPayment = false
    /// The secrets of hmac-secret that came with it from another provider; nil for a credential whose secrets the device
    /// derives.
    public internal(set) var hmacSecrets: HMACSecrets?
    let privateKey: COSE.PrivateKey

    init(
        id: [UInt8], relyingPartyID: String, relyingPartyIDHash: [UInt8]? = nil, user: PublicKeyCredentialUserEntity,
        isDiscoverable: Bool, isBackupEligible: Bool, isBackedUp: Bool, protection: CredentialProtection,
        privateKey: COSE.PrivateKey
    ) {
        self.id = id
        self.relyingPartyID = relyingPartyID
        self.relyingPartyIDHash = relyingPartyIDHash ?? sha256(Array(relyingPartyID.utf8))
        self.user = user
        self.isDiscoverable = isDiscoverable
        creationOrder = 0
        signCount = 0
        self.isBackupEligible = isBackupEligible
        self.isBackedUp = isBackedUp && isBackupEligible
        self.protection = protection
        self.privateKey = privateKey
    }

    /// The private key as `PrivateKeyInfo` in DER, for tools that move credentials between authenticators.
    public var exportedPrivateKey: [UInt8] { privateKey.pkcs8Representation }

    /// The public key.
    public var publicKey: COSE.PublicKey { privateKey.publicKey }

    /// The credential's descriptor in answers.
    public var descriptor: PublicKeyCredentialDescriptor { PublicKeyCredentialDescriptor(id: id) }
}
