/// A relying party's preference for large-blob storage (WebAuthn L3 §10.1.5).
public enum LargeBlobSupport: String, Codable, Sendable, CaseIterable {
    case required, preferred
}

/// The input of `largeBlob` (WebAuthn L3 §10.1.5).
public struct LargeBlobInputs: Hashable, Sendable, Codable {
    /// Registration: whether storage is required; absent means preferred.
    public var support: LargeBlobSupport?
    /// Authentication: whether to return the blob.
    public var read: Bool?
    /// Authentication: the blob to store.
    public var write: Base64URLBytes?

    /// The input of a registration or an authentication.
    public init(support: LargeBlobSupport? = nil, read: Bool? = nil, write: [UInt8]? = nil) {
        self.support = support
        self.read = read
        self.write = write.map { Base64URLBytes($0) }
    }
}

/// The output of `largeBlob` (WebAuthn L3 §10.1.5).
public struct LargeBlobOutputs: Hashable, Sendable, Codable {
    /// Registration: whether the new credential can store a blob.
    public var supported: Bool?
    /// Authentication: the blob that was read.
    public var blob: Base64URLBytes?
    /// Authentication: whether the blob was written.
    public var written: Bool?

    /// The output of a registration or an authentication.
    public init(supported: Bool? = nil, blob: [UInt8]? = nil, written: Bool? = nil) {
        self.supported = supported
        self.blob = blob.map { Base64URLBytes($0) }
        self.written = written
    }
}
