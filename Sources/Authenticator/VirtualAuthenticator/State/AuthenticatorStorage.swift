/// The storage of a device's persistent state; implemented by the caller, because the authenticator opens no file.
///
/// The authenticator commits before it answers, so that no answered change is lost, no counter value is used twice and
/// no retry is restored.
public protocol AuthenticatorStorage: Sendable {
    /// Writes a change atomically and returns when it is durable.
    ///
    /// - Throws: any error when writing failed; the command is then refused with 0x7F.
    func commit(_ change: StorageChange) throws
}

/// A device's persistent state, for restoring it from storage, for snapshots and for clones.
public struct StoredAuthenticator: Sendable, Hashable {
    /// PIN, gate, keys and switches, as JSON.
    public var settings: [UInt8]
    /// The counter of a device with one counter for all its credentials.
    public var globalCounter: UInt32
    /// The stored credentials, as ``StoredCredential/encoded``.
    public var credentials: [[UInt8]]
    /// The counters of credentials sealed in their IDs, by SHA-256 of the ID.
    public var sealedCounters: [[UInt8]: UInt32]
    /// The serialized large-blob array.
    public var largeBlobs: [UInt8]

    /// A stored device from its parts.
    public init(
        settings: [UInt8], globalCounter: UInt32, credentials: [[UInt8]], sealedCounters: [[UInt8]: UInt32],
        largeBlobs: [UInt8]
    ) {
        (self.settings, self.globalCounter, self.credentials) = (settings, globalCounter, credentials)
        (self.sealedCounters, self.largeBlobs) = (sealedCounters, largeBlobs)
    }
}

/// The changes of one command.
public struct StorageChange: Sendable, Hashable {
    /// Whether the earlier state is erased first.
    public var erasesEverything = false
    /// New ``StoredAuthenticator/settings``.
    public var settings: [UInt8]?
    /// A new ``StoredAuthenticator/globalCounter``: the highest value the device may use before it writes again.
    public var globalCounter: UInt32?
    /// Credentials to add or replace, by ID.
    public var credentials: [[UInt8]: EncodedCredential] = [:]
    /// IDs of credentials to remove.
    public var removedCredentials: Set<[UInt8]> = []
    /// Counters to add or replace.
    public var sealedCounters: [[UInt8]: UInt32] = [:]
    /// A new ``StoredAuthenticator/largeBlobs``.
    public var largeBlobs: [UInt8]?

    /// A change that changes nothing.
    public init() {}

    /// Whether there is nothing to write.
    public var isEmpty: Bool { !erasesEverything && valueCount == 0 }

    /// The number of values to write or to remove; an erasure does not count.
    public var valueCount: Int {
        [settings != nil, globalCounter != nil, largeBlobs != nil].count { $0 } + credentials.count
            + removedCredentials.count + sealedCounters.count
    }
}

/// A stored device that cannot be restored.
public enum StoredAuthenticatorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The settings were not written by this version.
    case unreadableSettings(String)
    /// A credential was not written by this version.
    case unreadableCredential(number: Int)

    /// The unreadable part.
    public var description: String {
        switch self {
        case .unreadableSettings(let detail): "the device's settings cannot be read: \(detail)"
        case .unreadableCredential(let number): "credential \(number) cannot be read"
        }
    }
}
