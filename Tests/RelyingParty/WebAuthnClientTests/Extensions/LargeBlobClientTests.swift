import CBOR
import CTAP
import Crypto
import Testing
import WebAuthn

/// The large-blob array and its entries on the device (CTAP 2.3 §6.10).
struct LargeBlobClientTests {
    private static let key = [UInt8](repeating: 0x4B, count: 32)
    private static let nonce = [UInt8](repeating: 0x0E, count: 12)

    /// A device that answers only authenticatorLargeBlobs, from any bytes.
    private actor Shelf: CTAPDevice {
        private(set) var stored: [UInt8]
        private(set) var reads: [LargeBlobsRequest] = []
        private(set) var writes: [LargeBlobsRequest] = []
        private let isEndless: Bool

        init(_ stored: [UInt8], isEndless: Bool = false) {
            self.stored = stored
            self.isEndless = isEndless
        }

        func transceive(
            _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
        ) async throws(CTAPDeviceError) -> [UInt8] {
            guard message.first == 0x0C, let parameters = try? CBOR.decode(Array(message.dropFirst())),
                let request = try? LargeBlobsRequest(cbor: parameters)
            else { return [CTAPStatus.invalidCommand.rawValue] }
            if let count = request.get {
                reads.append(request)
                let bytes =
                    isEndless
                    ? [UInt8](repeating: 0, count: count)
                    : stored.dropFirst(request.offset ?? 0)
                        .prefix(count).map(\.self)
                return [0] + CBOR.encode([1: .bytes(bytes)])
            }
            writes.append(request)
            if request.offset == 0 { stored = [] }
            stored += request.set ?? []
            return [0]
        }
    }

    private func blobs(_ shelf: Shelf, maxMsgSize: Int? = nil) -> LargeBlobClient {
        var info = AuthenticatorInfo(versions: ["FIDO_2_1"], aaguid: .zero)
        info.maxMsgSize = maxMsgSize
        return LargeBlobClient(AuthenticatorClient(shelf), info: info) { _ in Self.nonce }
    }

    /// An entry whose compressed blob is exactly these bytes.
    private func entry(compressed: [UInt8], size: UInt64) throws -> CBOR.Value {
        let associated = Array("blob".utf8) + (0..<8).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) }
        let box = try AES.GCM.seal(
            compressed, using: SymmetricKey(data: Self.key), nonce: .init(data: Self.nonce), authenticating: associated)
        return [
            0x01: .bytes(Array(box.ciphertext) + Array(box.tag)), 0x02: .bytes(Self.nonce), 0x03: .unsigned(size),
        ]
    }

    /// A stream of one stored block: 0x01, length, its complement, the bytes (RFC 1951 §3.2.4).
    private static let hello: [UInt8] = [0x01, 0x05, 0x00, 0xFA, 0xFF] + Array("hello".utf8)

    @Test func anEntryIsADeflateStreamUnderAESGCM() throws {
        let read = try #require(LargeBlobEntry(cbor: entry(compressed: Self.hello, size: 5)))
        #expect(read.blob(key: Self.key) == Array("hello".utf8))
        #expect(read.blob(key: [UInt8](repeating: 0, count: 32)) == nil)
        #expect(read.blob(key: [1]) == nil)
        let made = try #require(LargeBlobEntry(sealing: Array("hello".utf8), key: Self.key, nonce: Self.nonce))
        #expect(made.originalSize == 5)
        #expect(LargeBlobEntry(cbor: made.cbor)?.blob(key: Self.key) == Array("hello".utf8))
        // No zlib header: the low half of its first byte would be the method, 8.
        let box = try AES.GCM.SealedBox(
            nonce: .init(data: made.nonce), ciphertext: made.ciphertext.dropLast(16), tag: made.ciphertext.suffix(16))
        let compressed = try AES.GCM.open(
            box, using: SymmetricKey(data: Self.key),
            authenticating: Array("blob".utf8) + [5, 0, 0, 0, 0, 0, 0, 0])
        #expect(compressed.first.map { $0 & 0x0F } != 8)
    }

    @Test(
        "an entry whose contents contradict its size belongs to its owner, but has no blob",
        arguments: [
            (hello, 4), (hello, 6), (hello, .max), ([], 0), (Array(hello.dropLast()), 5), ([0xFF], 5),
            ([0x78, 0x9C] + hello, 5),
        ] as [([UInt8], UInt64)])
    func damagedEntry(_ row: (compressed: [UInt8], size: UInt64)) throws {
        let entry = try #require(LargeBlobEntry(cbor: entry(compressed: row.compressed, size: row.size)))
        #expect(entry.isOpened(by: Self.key))
        #expect(entry.blob(key: Self.key) == nil)
    }

    @Test func theStatedSizeIsAuthenticated() throws {
        var entry = try #require(LargeBlobEntry(cbor: entry(compressed: Self.hello, size: 5)))
        entry.originalSize = 6
        #expect(!entry.isOpened(by: Self.key))
    }

    @Test(
        arguments: [
            "text", [:], [1: .bytes([]), 2: .bytes([UInt8](repeating: 0, count: 12))],
            [1: .bytes([]), 2: .bytes([UInt8](repeating: 0, count: 11)), 3: 0],
            [1: "x", 2: .bytes([UInt8](repeating: 0, count: 12)), 3: 0],
            [1: .bytes([]), 2: .bytes([UInt8](repeating: 0, count: 12)), 3: -1],
        ] as [CBOR.Value])
    func otherItemsAreNoEntries(_ item: CBOR.Value) {
        #expect(LargeBlobEntry(cbor: item) == nil)
    }

    @Test func keysAndNoncesHaveOneLength() {
        #expect(LargeBlobEntry(sealing: [], key: [1], nonce: Self.nonce) == nil)
        #expect(LargeBlobEntry(sealing: [], key: Self.key, nonce: [1]) == nil)
    }

    @Test(arguments: [0, 1, 4095, 4096, 4097, 70_000])
    func blobsOfAnyLengthRoundTrip(_ count: Int) throws {
        let blob = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let entry = try #require(LargeBlobEntry(sealing: blob, key: Self.key, nonce: Self.nonce))
        #expect(entry.blob(key: Self.key) == blob)
    }

    // MARK: The array

    @Test func readingContinuesUntilAFragmentIsShort() async throws {
        let array = CBOR.encode([.bytes([UInt8](repeating: 7, count: 1900))])
        let shelf = Shelf(SerializedLargeBlobArray.serialize(array))
        #expect(try await blobs(shelf).items() == [.bytes([UInt8](repeating: 7, count: 1900))])
        // 1904 bytes and 16 of checksum; a device without a stated size accepts messages of 1024 bytes.
        #expect(await shelf.reads.map(\.offset) == [0, 960, 1920])
        #expect(await shelf.reads.allSatisfy { $0.get == 960 })
    }

    @Test func fragmentsAreSixtyFourBytesShorterThanAMessage() async throws {
        let shelf = Shelf(SerializedLargeBlobArray.initial)
        try await blobs(shelf, maxMsgSize: 164).write([.bytes([UInt8](repeating: 7, count: 202))])
        // 205 bytes and 16 of checksum.
        #expect(await shelf.writes.map { $0.set?.count } == [100, 100, 21])
        #expect(await shelf.writes.map(\.offset) == [0, 100, 200])
        #expect(await shelf.writes.map(\.length) == [221, nil, nil])
        #expect(await shelf.writes.allSatisfy { $0.pinUvAuthParam == nil && $0.pinUvAuthProtocol == nil })
        #expect(SerializedLargeBlobArray.isIntact(await shelf.stored))
    }

    @Test func aDamagedArrayCountsAsTheInitialArray() async throws {
        var damaged = SerializedLargeBlobArray.serialize(CBOR.encode([1, 2, 3]))
        damaged[1] ^= 1
        for stored in [damaged, [], [0x80]] {
            let shelf = Shelf(stored)
            #expect(try await blobs(shelf).items().isEmpty)
            try await blobs(shelf).write([1], key: Self.key)
            #expect(try await blobs(shelf).blob(key: Self.key) == [1])
        }
    }

    @Test(arguments: [[0x01], [0x81], [0x80, 0x80], [0xA0]] as [[UInt8]])
    func intactBytesThatAreNoArrayAreAnErrorAndNotOverwritten(_ array: [UInt8]) async throws {
        let stored = SerializedLargeBlobArray.serialize(array + [UInt8](repeating: 0, count: 0))
        let shelf = Shelf(stored)
        await #expect(throws: AuthenticatorClient.Failure.self) {
            try await blobs(shelf).write([1], key: Self.key)
        }
        #expect(await shelf.stored == stored)
    }

    @Test func anEndlessArrayIsAnError() async throws {
        let shelf = Shelf([], isEndless: true)
        await #expect(throws: AuthenticatorClient.Failure.self) { try await blobs(shelf, maxMsgSize: 1 << 20).items() }
    }

    @Test func aBlobIsReplacedAndRemoved() async throws {
        let shelf = Shelf(SerializedLargeBlobArray.initial)
        let blobs = blobs(shelf)
        for blob in [[1], [2]] as [[UInt8]] { try await blobs.write(blob, key: Self.key) }
        #expect(try await blobs.items().count == 1)
        #expect(try await blobs.blob(key: Self.key) == [2])
        try await blobs.write(nil, key: Self.key)
        #expect(await shelf.stored == SerializedLargeBlobArray.initial)
        // Without an entry to remove nothing is written.
        let writes = await shelf.writes.count
        try await blobs.write(nil, key: Self.key)
        #expect(await shelf.writes.count == writes)
    }
}
