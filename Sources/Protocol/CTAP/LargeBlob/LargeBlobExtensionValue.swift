/// A blob as the `largeBlob` extension carries it, compressed with raw DEFLATE (RFC 1951); the form of authenticators
/// that store blobs with their credentials instead of in a large-blob array.
public struct LargeBlobExtensionValue: Hashable, Sendable {
    /// The compressed bytes.
    public var data: [UInt8]
    /// The length of the inflated bytes.
    public var originalSize: Int

    /// A compressed blob and its length before compression.
    public init(data: [UInt8], originalSize: Int) {
        self.data = data
        self.originalSize = originalSize
    }

    /// Compresses a blob; nil when that fails.
    public init?(compressing blob: [UInt8]) {
        guard let data = Deflate.compress(blob) else { return nil }
        self.init(data: data, originalSize: blob.count)
    }

    /// The blob; nil when it is not `originalSize` bytes long.
    public var blob: [UInt8]? { Deflate.decompress(data, count: originalSize) }
}
