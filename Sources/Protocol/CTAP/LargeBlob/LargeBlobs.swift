public import CBOR
internal import Crypto
internal import Foundation

/// The parameters of authenticatorLargeBlobs, command 0x0C (CTAP 2.3 §6.10.2).
public struct LargeBlobsRequest: Hashable, Sendable {
    /// 0x01, how many bytes to read.
    public var get: Int?
    /// 0x02, a fragment to write.
    public var set: [UInt8]?
    /// 0x03, where to read or write, in bytes.
    public var offset: Int?
    /// 0x04, the length of the whole array, with the first fragment of a write.
    public var length: Int?
    /// 0x05, over ``authenticatedMessage``.
    public var pinUvAuthParam: [UInt8]?
    /// 0x06.
    public var pinUvAuthProtocol: Int?

    public init(get: Int, offset: Int) {
        self.get = get
        self.offset = offset
    }

    public init(set: [UInt8], offset: Int, length: Int? = nil) {
        self.set = set
        self.offset = offset
        self.length = length
    }

    /// Reads the parameters; throws the refusal the wire calls for.
    public init(cbor: CBOR.Value) throws(Refusal) {
        let parameters = try RequestParameters(cbor)
        get = try parameters.unsigned(0x01, "get")
        set = try parameters.bytes(0x02, "set")
        offset = try parameters.unsigned(0x03, "offset")
        length = try parameters.unsigned(0x04, "length")
        pinUvAuthParam = try parameters.bytes(0x05, "pinUvAuthParam")
        pinUvAuthProtocol = try parameters.unsigned(0x06, "pinUvAuthProtocol")
    }

    /// What `pinUvAuthParam` is computed over: 32 × 0xFF ‖ 0x0C 0x00 ‖ offset as uint32 in little-endian order ‖
    /// SHA-256 of the fragment.
    public var authenticatedMessage: [UInt8] {
        let position = UInt32(truncatingIfNeeded: offset ?? 0)
        return [UInt8](repeating: 0xFF, count: 32) + [0x0C, 0x00]
            + (0..<4).map { UInt8(truncatingIfNeeded: position >> (8 * $0)) } + Array(SHA256.hash(data: set ?? []))
    }

    /// The parameter map.
    public var cbor: CBOR.Value {
        var map = CBOR.Map()
        map[0x01] = get.map { .integer($0) }
        map[0x02] = set.map { .bytes($0) }
        map[0x03] = offset.map { .integer($0) }
        map[0x04] = length.map { .integer($0) }
        map[0x05] = pinUvAuthParam.map { .bytes($0) }
        map[0x06] = pinUvAuthProtocol.map { .integer($0) }
        return .map(map)
    }
}

/// The answer to authenticatorLargeBlobs (CTAP 2.3 §6.10.2).
public struct LargeBlobsResponse: Hashable, Sendable {
    /// 0x01, the bytes read; nil after a write.
    public var config: [UInt8]?

    public init(config: [UInt8]? = nil) {
        self.config = config
    }

    /// Reads an answer.
    public init(cbor: CBOR.Value) throws(CBOR.AccessError) {
        config = try cbor.asMap("the response")[0x01]?.asBytes("config")
    }

    /// The response map; nil when there is nothing to say.
    public var cbor: CBOR.Value? {
        config.map { .map([0x01: .bytes($0)]) }
    }
}

/// The serialized large-blob array: a CBOR array followed by LEFT(SHA-256(array), 16) (CTAP 2.3 §6.10.1).
public enum SerializedLargeBlobArray {
    /// The fewest bytes: an empty array and its checksum.
    public static let minimumLength = 17

    /// What a device starts with: the empty array.
    public static let initial = serialize([0x80])

    /// An array with its checksum.
    public static func serialize(_ array: [UInt8]) -> [UInt8] {
        array + checksum(array)
    }

    /// Whether the last 16 bytes are the checksum of the others.
    public static func isIntact(_ serialized: [UInt8]) -> Bool {
        guard serialized.count >= minimumLength else { return false }
        return Array(serialized.suffix(16)) == checksum(Array(serialized.dropLast(16)))
    }

    private static func checksum(_ array: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: array).prefix(16)) }
}
