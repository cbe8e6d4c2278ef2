public import VirtualAuthenticator

/// Where a whole device keeps what must survive.
public typealias DeviceStorage = AuthenticatorStorage & SecretStorage

/// Everything a whole device remembers.
public struct StoredDevice: Hashable, Sendable {
    /// What its authenticator remembers.
    public var authenticator: StoredAuthenticator
    /// Its apps' secrets, encoded, by name.
    public var secrets: [String: [UInt8]]

    public init(authenticator: StoredAuthenticator, secrets: [String: [UInt8]] = [:]) {
        self.authenticator = authenticator
        self.secrets = secrets
    }

    func secretItems() throws -> [String: SecretItem] {
        try secrets.mapValues { try SecretItem(encoded: $0) }
    }
}
