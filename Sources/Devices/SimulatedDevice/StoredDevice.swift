package import VirtualAuthenticator

/// The storage of a device's whole state.
package typealias DeviceStorage = AuthenticatorStorage & SecretStorage

/// A device's whole state.
package struct StoredDevice: Hashable, Sendable {
    package var authenticator: StoredAuthenticator
    /// The apps' secrets, sealed and encoded.
    package var secrets: [SecretID: [UInt8]]
    /// The keys the secrets are sealed under, 32 bytes each, as in a Secure Enclave or a trusted execution environment.
    package var vault: [SecretID: [UInt8]]
    /// The screen, network, lock and apps, encoded; nil for a device whose ``LifeState`` never changed.
    package var life: [UInt8]?

    package init(
        authenticator: StoredAuthenticator, secrets: [SecretID: [UInt8]] = [:], vault: [SecretID: [UInt8]] = [:],
        life: [UInt8]? = nil
    ) {
        (self.authenticator, self.secrets, self.vault, self.life) = (authenticator, secrets, vault, life)
    }

    /// The items that an older version stored in the clear.
    var unsealedIDs: [SecretID] { secrets.filter { UnsealedItem(encoded: $0.value) != nil }.map(\.key) }

    /// The items with their keys; items of an older version are sealed.
    func storedSecrets(random: any RandomSource) throws -> [SecretID: StoredSecret] {
        var found: [SecretID: StoredSecret] = [:]
        for (id, encoded) in secrets.sorted(by: { $0.key < $1.key }) {
            found[id] =
                try UnsealedItem(encoded: encoded)?.sealed(as: id, random: random)
                ?? StoredSecret(item: SealedItem(encoded: encoded), key: vault[id])
        }
        return found
    }
}
