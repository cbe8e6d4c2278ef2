public import COSE
public import CTAP

/// A credential made elsewhere, for import (WebAuthn L3 §11.4, "add credential").
public struct ImportedCredential: Sendable {
    /// Its ID, usually 16 to 1023 bytes; any non-empty ID is accepted.
    public var id: [UInt8]
    /// Whether it is discoverable.
    public var isDiscoverable: Bool
    /// The relying party it belongs to.
    public var relyingPartyID: String
    /// The account.
    public var user: PublicKeyCredentialUserEntity
    /// Its private key.
    public var privateKey: COSE.PrivateKey
    /// The last counter value used; nil for a credential that does not count.
    public var signCount: UInt32?
    /// BE; nil means the model's own.
    public var isBackupEligible: Bool?
    /// BS; nil means the model's own.
    public var isBackedUp: Bool?
    /// The blob of the `largeBlob` extension.
    public var largeBlob: LargeBlobExtensionValue?
    /// The relying party's small blob.
    public var credBlob: [UInt8]?
    /// The secrets of hmac-secret; nil means the device's own.
    public var hmacSecrets: HMACSecrets?
    /// Whether it may be used for payments on other sites.
    public var allowsThirdPartyPayment = false

    /// A credential without largeBlob, with the device's own BE and BS.
    public init(
        id: [UInt8], isDiscoverable: Bool, relyingPartyID: String, user: PublicKeyCredentialUserEntity,
        privateKey: COSE.PrivateKey, signCount: UInt32?
    ) {
        self.id = id
        self.isDiscoverable = isDiscoverable
        self.relyingPartyID = relyingPartyID
        self.user = user
        self.privateKey = privateKey
        self.signCount = signCount
    }
}

/// The reason a credential cannot be imported; the device is unchanged.
public enum CredentialImportError: String, Error, Hashable, Sendable, CustomStringConvertible {
    /// The device keeps no discoverable credentials.
    case notDiscoverable
    /// The device does not sign with keys of this kind.
    case unsupportedAlgorithm
    /// The device is full.
    case full
    /// The device has a credential of this ID.
    case exists

    /// The reason in words.
    public var description: String {
        switch self {
        case .notDiscoverable: "the device keeps no discoverable credentials"
        case .unsupportedAlgorithm: "the device does not sign with keys of this kind"
        case .full: "the device has no room for another credential"
        case .exists: "the device has a credential of this ID already"
        }
    }
}

extension VirtualAuthenticator {
    /// The credentials kept on the device, discoverable or not, oldest first, each with the counter its next signature
    /// follows; credentials sealed in their IDs cannot be listed.
    public var keptCredentials: [StoredCredential] { state.credentials.all.map(withCounter) }

    /// Stores a credential made elsewhere on the device; the relying party is not informed.
    ///
    /// A discoverable one replaces the account's earlier one.
    ///
    /// - Throws: ``CredentialImportError``.
    public func importCredential(_ imported: ImportedCredential) throws(CredentialImportError) {
        try checkKind(of: imported)
        guard state.credentials.credential(imported.id) == nil else { throw .exists }
        guard replaces(imported) || remainingDiscoverableCredentials > 0 else { throw .full }
        state.credentials.keep(stored(imported))
        renewCredentialStoreState()
        commitOutsideCommand()
    }

    /// Stores discoverable credentials made elsewhere, or none of them; each replaces one of its ID, and its account's
    /// earlier one.
    ///
    /// - Throws: ``CredentialImportError``; then nothing changed.
    public func importCredentials(_ imported: [ImportedCredential]) throws(CredentialImportError) {
        for credential in imported { try checkKind(of: credential) }
        let added = imported.count { state.credentials.credential($0.id) == nil && !replaces($0) }
        guard added <= remainingDiscoverableCredentials else { throw .full }
        for var credential in imported {
            // A passkey of an account that syncs is backed up after its upload.
            credential.isBackedUp = credential.isBackedUp ?? newCredentialsBackedUp
            state.credentials.remove(credential.id)
            state.credentials.keep(stored(credential))
        }
        renewCredentialStoreState()
        commitOutsideCommand()
    }

    /// Whether the device has another credential of a user's account at a relying party.
    public func hasCredential(ofUser userID: [UInt8], at relyingPartyID: String) -> Bool {
        state.credentials.hasAccount(userID, at: relyingPartyID)
    }

    private func checkKind(of imported: ImportedCredential) throws(CredentialImportError) {
        guard !imported.isDiscoverable || configuration.discoverability != .never else { throw .notDiscoverable }
        guard configuration.possibleAlgorithms.contains(imported.privateKey.algorithm) else {
            throw .unsupportedAlgorithm
        }
    }

    private func replaces(_ imported: ImportedCredential) -> Bool {
        imported.isDiscoverable && hasCredential(ofUser: imported.user.id, at: imported.relyingPartyID)
    }

    private func stored(_ imported: ImportedCredential) -> StoredCredential {
        var credential = StoredCredential(
            id: imported.id, relyingPartyID: imported.relyingPartyID, user: imported.user,
            isDiscoverable: imported.isDiscoverable,
            isBackupEligible: imported.isBackupEligible ?? configuration.isBackupEligible,
            isBackedUp: configuration.isBackedUp, protection: .userVerificationOptional,
            privateKey: imported.privateKey)
        if let isBackedUp = imported.isBackedUp { credential.isBackedUp = isBackedUp }
        credential.ownCounter = imported.signCount == nil ? AuthenticatorConfiguration.CounterMode.none : .perCredential
        credential.signCount = imported.signCount ?? 0
        credential.largeBlob = imported.largeBlob
        credential.credBlob = imported.credBlob
        credential.hmacSecrets = imported.hmacSecrets
        credential.allowsThirdPartyPayment = imported.allowsThirdPartyPayment
        return credential
    }

    /// Sets BE and BS of a credential; nil leaves a flag unchanged.
    ///
    /// - Parameters:
    ///   - isEligible: the new BE.
    ///   - isBackedUp: the new BS.
    ///   - isConsistent: whether a credential without BE has no BS (WebAuthn L3 §6.1.3); browsers' virtual
    ///     authenticators set each flag by itself.
    ///   - id: the credential's ID.
    /// - Returns: whether the credential exists.
    @discardableResult
    public func setBackup(
        isEligible: Bool?, isBackedUp: Bool?, isConsistent: Bool = true, credentialID id: [UInt8]
    ) -> Bool {
        guard let credential = state.credentials.credential(id) else { return false }
        let isEligible = isEligible ?? credential.isBackupEligible
        let isBackedUp = isBackedUp ?? credential.isBackedUp
        state.credentials.setBackup(
            isEligible: isEligible, isBackedUp: isBackedUp && (isEligible || !isConsistent), id: id)
        commitOutsideCommand()
        return true
    }

    /// Gives a credential a counter of its own with this last value; nil fixes it at zero.
    ///
    /// - Returns: whether the credential exists.
    @discardableResult
    public func setSignCount(_ value: UInt32?, credentialID id: [UInt8]) -> Bool {
        guard state.credentials.credential(id) != nil else { return false }
        state.credentials.setOwnCounter(value == nil ? .none : .perCredential, value: value ?? 0, id: id)
        commitOutsideCommand()
        return true
    }
}
