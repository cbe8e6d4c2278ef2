public import CBOR

/// The platform's side of large blobs: the blob of one credential (CTAP 2.3 §6.10).
///
/// A write reads the array, replaces the entries its key opens, keeps the others, and writes the array back.
public struct LargeBlobClient: Sendable {
    private let client: AuthenticatorClient
    private let token: PINClient.Token?
    private let maxFragmentLength: Int
    private let randomBytes: @Sendable (Int) -> [UInt8]

    /// A limit beyond any device's capacity, for one that never stops answering.
    private static let longestArray = 1 << 24

    /// A client of a device that lists the `largeBlobs` option.
    ///
    /// The token has the `lbw` permission, which a device with user verification requires for writing.
    public init(
        _ client: AuthenticatorClient, info: AuthenticatorInfo, token: PINClient.Token? = nil,
        randomBytes: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.client = client
        self.token = token
        self.randomBytes = randomBytes
        maxFragmentLength = max(1, (info.maxMsgSize ?? 1024) - 64)
    }

    /// The items of the large-blob array; none when it is damaged, as it then counts as the initial one.
    public func items() async throws(AuthenticatorClient.Failure) -> [CBOR.Value] {
        var serialized: [UInt8] = []
        var fragment: [UInt8]
        repeat {
            fragment =
                try await client.largeBlobs(LargeBlobsRequest(get: maxFragmentLength, offset: serialized.count))
                .config ?? []
            guard fragment.count <= maxFragmentLength, serialized.count < Self.longestArray else {
                throw .invalidResponse(.largeBlobs, "the fragment is longer than requested")
            }
            serialized += fragment
        } while fragment.count == maxFragmentLength
        guard SerializedLargeBlobArray.isIntact(serialized) else { return [] }
        do {
            guard case .array(let items) = try CBOR.decode(Array(serialized.dropLast(16)), options: .attestation)
            else {
                throw AuthenticatorClient.Failure.invalidResponse(
                    .largeBlobs, "the large-blob array is not a CBOR array")
            }
            return items
        } catch let failure as AuthenticatorClient.Failure {
            throw failure
        } catch {
            throw .invalidResponse(.largeBlobs, "the large-blob array: \(error)")
        }
    }

    /// The blob of the credential with this largeBlobKey; nil when no intact one exists.
    public func blob(key: [UInt8]) async throws(AuthenticatorClient.Failure) -> [UInt8]? {
        for item in try await items() {
            if let blob = LargeBlobEntry(cbor: item)?.blob(key: key) { return blob }
        }
        return nil
    }

    /// Makes `blob` the only blob of the credential with this largeBlobKey; nil removes it.
    ///
    /// - Throws: the device's refusal, such as 0x18 when the storage is full; the array is then unchanged.
    public func write(_ blob: [UInt8]?, key: [UInt8]) async throws(AuthenticatorClient.Failure) {
        let before = try await items()
        var items = before.filter { LargeBlobEntry(cbor: $0)?.isOpened(by: key) != true }
        if let blob {
            let nonce = randomBytes(LargeBlobEntry.nonceLength)
            guard let entry = LargeBlobEntry(sealing: blob, key: key, nonce: nonce) else {
                throw .invalidResponse(.largeBlobs, "the platform could not encrypt")
            }
            items.append(entry.cbor)
        } else if items.count == before.count {
            return
        }
        try await write(items)
    }

    /// Replaces the whole array.
    public func write(_ items: [CBOR.Value]) async throws(AuthenticatorClient.Failure) {
        let serialized = SerializedLargeBlobArray.serialize(CBOR.encode(.array(items)))
        var offset = 0
        while offset < serialized.count {
            let fragment = Array(serialized[offset...].prefix(maxFragmentLength))
            let request = LargeBlobsRequest(set: fragment, offset: offset, length: offset == 0 ? serialized.count : nil)
            _ = try await client.largeBlobs(request.authenticated(by: token))
            offset += fragment.count
        }
    }
}
