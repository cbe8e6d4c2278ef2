package import VirtualAuthenticator

/// Where a whole device keeps what must survive.
package typealias DeviceStorage = AuthenticatorStorage & SecretStorage

/// Everything a whole device remembers.
package struct StoredDevice: Hashable, Sendable {
    /// What its authenticator remembers.
    package var authenticator: StoredAuthenticator
    /// Its apps' secrets, sealed and encoded.
    package var secrets: [SecretID: [UInt8]]
    /// The keys they are sealed under, 32 bytes each: what a Secure Enclave or a trusted environment guards.
    package var vault: [SecretID: [UInt8]]
    /// Its screen, network, lock and apps, encoded; nil for a device of which nothing has been asked yet.
    package var life: [UInt8]?

    package init(
        authenticator: StoredAuthenticator, secrets: [SecretID: [UInt8]] = [:], vault: [SecretID: [UInt8]] = [:],
        life: [UInt8]? = nil
    ) {
        self.authenticator = authenticator
        self.secrets = secrets
        self.vault = vault
        self.life = life
    }

    /// The items that an older version kept in the clear.
    var unsealedIDs: [SecretID] {
        secrets.filter { UnsealedItem(encoded: $0.value) != nil }.map(\.key)
    }

    /// Items and keys; those of an older version are sealed on the way.
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
