/// Where a device keeps what must survive: implemented outside, since the authenticator opens no file.
///
/// The authenticator commits before it answers, so that nothing a client was told is ever lost, no counter value is
/// used twice and no retry comes back.
public protocol AuthenticatorStorage: Sendable {
    /// Writes a change, all of it or nothing, and returns when it is safe.
    ///
    /// - Throws: any error when it could not be written; the command is then refused with 0x7F.
    func commit(_ change: StorageChange) throws
}

/// Everything a device remembers: for restoring it from storage, for snapshots, and for clones.
public struct StoredAuthenticator: Sendable, Hashable {
    /// PIN, gate, keys and switches, as JSON.
    public var settings: [UInt8]
    /// The counter of a device that has one for all its credentials.
    public var globalCounter: UInt32
    /// Each credential kept, as ``StoredCredential/encoded``.
    public var credentials: [[UInt8]]
    /// Counters of credentials that live in their IDs, by SHA-256 of the ID.
    public var sealedCounters: [[UInt8]: UInt32]
    /// The serialized large-blob array.
    public var largeBlobs: [UInt8]

    /// A stored device from its parts.
    public init(
        settings: [UInt8], globalCounter: UInt32, credentials: [[UInt8]], sealedCounters: [[UInt8]: UInt32],
        largeBlobs: [UInt8]
    ) {
        self.settings = settings
        self.globalCounter = globalCounter
        self.credentials = credentials
        self.sealedCounters = sealedCounters
        self.largeBlobs = largeBlobs
    }
}

/// What one command changed.
public struct StorageChange: Sendable, Hashable {
    /// Whether everything kept before is to go first.
    public var erasesEverything = false
    /// New ``StoredAuthenticator/settings``.
    public var settings: [UInt8]?
    /// A new ``StoredAuthenticator/globalCounter``: the highest value the device may use before it writes again.
    public var globalCounter: UInt32?
    /// Credentials to add or replace: ID and ``StoredCredential/encoded``.
    public var credentials: [[UInt8]: [UInt8]] = [:]
    /// IDs of credentials to remove.
    public var removedCredentials: Set<[UInt8]> = []
    /// Counters to add or replace.
    public var sealedCounters: [[UInt8]: UInt32] = [:]
    /// A new ``StoredAuthenticator/largeBlobs``.
    public var largeBlobs: [UInt8]?

    /// A change that changes nothing.
    public init() {}

    /// Whether there is nothing to write.
    public var isEmpty: Bool { self == StorageChange() }
}

/// A stored device that cannot be brought back.
public enum StoredAuthenticatorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The settings are not what this version wrote.
    case unreadableSettings(String)
    /// A credential is not what this version wrote.
    case unreadableCredential(number: Int)

    /// The unreadable part.
    public var description: String {
        switch self {
        case .unreadableSettings(let detail): "the device's settings cannot be read: \(detail)"
        case .unreadableCredential(let number): "credential \(number) cannot be read"
        }
    }
}
