public import CBOR

/// The platform's side of large blobs: one credential's blob among those of others (CTAP 2.3 §6.10).
///
/// A write reads the array, changes the entries its key opens and writes everything back; what belongs to others, and
/// what it does not understand, stays as it is.
public struct LargeBlobClient: Sendable {
    private let client: AuthenticatorClient
    private let token: PINClient.Token?
    private let maxFragmentLength: Int
    private let randomBytes: @Sendable (Int) -> [UInt8]

    /// No device keeps as much; one that never stops answering is stopped here.
    private static let longestArray = 1 << 24

    /// A client of a device that lists the `largeBlobs` option.
    ///
    /// - Parameters:
    ///   - info: the device's getInfo, for the length of its messages.
    ///   - token: a token with the `lbw` permission, which writing needs on a device whose user can be verified.
    ///   - randomBytes: returns that many random bytes, for nonces.
    public init(
        _ client: AuthenticatorClient, info: AuthenticatorInfo, token: PINClient.Token? = nil,
        randomBytes: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.client = client
        self.token = token
        self.randomBytes = randomBytes
        maxFragmentLength = max(1, (info.maxMsgSize ?? 1024) - 64)
    }

    /// The items of the large-blob array; none when it was damaged, as then it counts as the initial one.
    public func items() async throws(AuthenticatorClient.Failure) -> [CBOR.Value] {
        var serialized: [UInt8] = []
        var fragment: [UInt8]
        repeat {
            fragment =
                try await client.largeBlobs(LargeBlobsRequest(get: maxFragmentLength, offset: serialized.count))
                .config ?? []
            guard fragment.count <= maxFragmentLength, serialized.count < Self.longestArray else {
                throw .invalidResponse(.largeBlobs, "it is longer than was asked for")
            }
            serialized += fragment
        } while fragment.count == maxFragmentLength
        guard SerializedLargeBlobArray.isIntact(serialized) else { return [] }
        do {
            guard case .array(let items) = try CBOR.decode(Array(serialized.dropLast(16)), options: .attestation)
            else { throw AuthenticatorClient.Failure.invalidResponse(.largeBlobs, "the large-blob array is none") }
            return items
        } catch let failure as AuthenticatorClient.Failure {
            throw failure
        } catch {
            throw .invalidResponse(.largeBlobs, "the large-blob array: \(error)")
        }
    }

    /// The blob of the credential with this largeBlobKey; nil when there is none that is whole.
    public func blob(key: [UInt8]) async throws(AuthenticatorClient.Failure) -> [UInt8]? {
        for item in try await items() {
            if let blob = LargeBlobEntry(cbor: item)?.blob(key: key) { return blob }
        }
        return nil
    }

    /// Makes `blob` the one blob of the credential with this largeBlobKey, or takes it away.
    ///
    /// - Throws: what the device refuses with, such as 0x18 when there is no room; the array is then as before.
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
            let request = LargeBlobsRequest(
                set: fragment, offset: offset, length: offset == 0 ? serialized.count : nil)
            _ = try await client.largeBlobs(request.authenticated(by: token))
            offset += fragment.count
        }
    }
}
