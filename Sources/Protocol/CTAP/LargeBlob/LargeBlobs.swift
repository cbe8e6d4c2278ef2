public import CBOR
internal import COSE
internal import Foundation
internal import MessageValues

/// The parameters of authenticatorLargeBlobs, command 0x0C (CTAP 2.3 §6.10.2).
public struct LargeBlobsRequest: Hashable, Sendable {
    package enum Key: Int, MessageKey {
        case get = 0x01
        case set, offset, length, pinUvAuthParam, pinUvAuthProtocol
    }

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

    init() {}

    /// A request to read `get` bytes from an offset.
    public init(get: Int, offset: Int) {
        self.get = get
        self.offset = offset
    }

    /// A request to write a fragment at an offset; the first one states the length of the whole array.
    public init(set: [UInt8], offset: Int, length: Int? = nil) {
        self.set = set
        self.offset = offset
        self.length = length
    }

    /// Reads the parameters; a device answers with the refusal thrown.
    public init(cbor: CBOR.Value) throws(Refusal) { try self.init(parameters: cbor) }

    /// The parameter map.
    public var cbor: CBOR.Value { .map(map) }

    /// The message `pinUvAuthParam` authenticates: 32 × 0xFF ‖ 0x0C 0x00 ‖ offset as uint32 in little-endian order ‖
    /// SHA-256 of the fragment.
    public var authenticatedMessage: [UInt8] {
        let position = UInt32(truncatingIfNeeded: offset ?? 0)
        return [UInt8](repeating: 0xFF, count: 32) + [0x0C, 0x00]
            + (0..<4).map { UInt8(truncatingIfNeeded: position >> (8 * $0)) } + sha256(set ?? [])
    }
}

/// The answer to authenticatorLargeBlobs (CTAP 2.3 §6.10.2).
public struct LargeBlobsResponse: Hashable, Sendable {
    package enum Key: Int, MessageKey {
        case config = 0x01
    }

    /// 0x01, the bytes read; nil after a write.
    public var config: [UInt8]?

    /// A response to a read, or, without bytes, to a write.
    public init(config: [UInt8]? = nil) { self.config = config }

    /// Reads a response.
    public init(cbor: CBOR.Value) throws(CBOR.AccessError) { try self.init(item: cbor, named: "the response") }

    /// The response map; nil when it is empty.
    public var cbor: CBOR.Value? { itemUnlessEmpty }
}

/// The serialized large-blob array: a CBOR array followed by LEFT(SHA-256(array), 16) (CTAP 2.3 §6.10.1).
public enum SerializedLargeBlobArray {
    /// The fewest bytes: an empty array and its checksum.
    public static let minimumLength = 17

    /// The initial array of a device: the empty one.
    public static let initial = serialize([0x80])

    /// An array with its checksum.
    public static func serialize(_ array: [UInt8]) -> [UInt8] { array + checksum(array) }

    /// Whether the last 16 bytes are the checksum of the others.
    public static func isIntact(_ serialized: [UInt8]) -> Bool {
        guard serialized.count >= minimumLength else { return false }
        return Array(serialized.suffix(16)) == checksum(Array(serialized.dropLast(16)))
    }

    private static func checksum(_ array: [UInt8]) -> [UInt8] { Array(sha256(array).prefix(16)) }
}

// MARK: The tables of members

extension LargeBlobsRequest: CodedMap {
    package static let blank = LargeBlobsRequest()

    package mutating func code(_ members: inout MessageCoder<Key>) {
        members.member(.get, &get)
        members.member(.set, &set)
        members.member(.offset, &offset)
        members.member(.length, &length)
        members.member(.pinUvAuthParam, &pinUvAuthParam)
        members.member(.pinUvAuthProtocol, &pinUvAuthProtocol)
    }
}

extension LargeBlobsResponse: CodedMap {
    package static let blank = LargeBlobsResponse()

    package mutating func code(_ members: inout MessageCoder<Key>) { members.member(.config, &config) }
}
