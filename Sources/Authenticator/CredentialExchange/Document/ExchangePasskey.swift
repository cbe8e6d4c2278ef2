package import COSE
package import CTAP

/// A passkey (§3.3.12).
///
/// The format has no signature counter: a passkey that counts is not exported, and an imported one stays at 0.
package struct ExchangePasskey: Sendable {
    /// 1 to 1023 bytes.
    package var credentialID: [UInt8]
    package var relyingPartyID: String
    /// The account's name, which the user may have edited.
    package var username: String
    /// The account's display name, which the user may have edited.
    package var userDisplayName: String
    /// 1 to 64 bytes.
    package var userHandle: [UInt8]
    /// The private key, PKCS #8 in the document.
    package var privateKey: COSE.PrivateKey
    package var extensions: ExchangeExtensions

    package init(
        credentialID: [UInt8], relyingPartyID: String, username: String, userDisplayName: String, userHandle: [UInt8],
        privateKey: COSE.PrivateKey, extensions: ExchangeExtensions = ExchangeExtensions()
    ) {
        self.credentialID = credentialID
        self.relyingPartyID = relyingPartyID
        self.username = username
        self.userDisplayName = userDisplayName
        self.userHandle = userHandle
        self.privateKey = privateKey
        self.extensions = extensions
    }
}

/// The state of a passkey's extensions, `fido2Extensions` (§3.3.12.2).
package struct ExchangeExtensions: Sendable, Equatable {
    /// The secrets of hmac-secret and prf; nil for none.
    package var hmacCredentials: HMACCredentials?
    /// The relying party's small blob; nil for none.
    package var credBlob: [UInt8]?
    /// The blob of `largeBlob`, compressed; nil for none.
    package var largeBlob: LargeBlobExtensionValue?
    /// Whether the passkey may confirm payments; nil for an unknown answer.
    package var payments: Bool?

    package init(
        hmacCredentials: HMACCredentials? = nil, credBlob: [UInt8]? = nil, largeBlob: LargeBlobExtensionValue? = nil,
        payments: Bool? = nil
    ) {
        self.hmacCredentials = hmacCredentials
        self.credBlob = credBlob
        self.largeBlob = largeBlob
        self.payments = payments
    }

    package var isEmpty: Bool { self == ExchangeExtensions() }

    /// CredRandomWithUV and CredRandomWithoutUV (CTAP 2.3 §12.7), for HMAC with SHA-256 (§3.3.12.3).
    package struct HMACCredentials: Sendable, Equatable {
        /// The only algorithm of version 1.0.
        static let algorithm = "hmac-sha256"
        /// The length of each secret in bytes.
        static let length = 32

        /// 32 bytes.
        package var withUV: [UInt8]
        /// 32 bytes.
        package var withoutUV: [UInt8]

        package init(withUV: [UInt8], withoutUV: [UInt8]) { (self.withUV, self.withoutUV) = (withUV, withoutUV) }
    }
}
