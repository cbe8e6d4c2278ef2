package import SwiftASN1

/// The elements this library writes in DER; unlike those of `DERSerializable`, they cannot fail.
extension DER.Serializer {
    package static func bytes(_ write: (inout DER.Serializer) -> Void) -> [UInt8] {
        var serializer = DER.Serializer()
        write(&serializer)
        return serializer.serializedBytes
    }

    package mutating func sequence(_ write: (inout DER.Serializer) -> Void) {
        appendConstructedNode(identifier: .sequence, write)
    }

    /// Appends an element in a context-specific explicit tag.
    package mutating func tagged(_ number: UInt, _ write: (inout DER.Serializer) -> Void) {
        serialize(explicitlyTaggedWithTagNumber: number, tagClass: .contextSpecific, write)
    }

    package mutating func octetString(_ bytes: [UInt8]) {
        appendPrimitiveNode(identifier: .octetString) { $0 += bytes }
    }

    /// Appends a BIT STRING of whole bytes.
    package mutating func bitString(_ bytes: [UInt8]) {
        appendPrimitiveNode(identifier: .bitString) { $0 += [0] + bytes }
    }

    /// Appends a non-negative INTEGER, from its big-endian bytes.
    package mutating func integer(_ magnitude: some Collection<UInt8>) {
        let digits = magnitude.drop { $0 == 0 }
        appendPrimitiveNode(identifier: .integer) { content in
            if digits.first.map({ $0 >= 0x80 }) ?? true { content.append(0) }
            content += digits
        }
    }

    /// Appends an OBJECT IDENTIFIER, from its encoded components.
    package mutating func objectIdentifier(_ content: [UInt8]) {
        appendPrimitiveNode(identifier: .objectIdentifier) { $0 += content }
    }

    package mutating func null() { appendPrimitiveNode(identifier: .null) { _ in } }

    /// SEQUENCE { INTEGER, INTEGER }: an ECDSA signature or an RSA public key.
    static func integers(_ first: some Collection<UInt8>, _ second: some Collection<UInt8>) -> [UInt8] {
        let (first, second) = (Integer(first), Integer(second))
        // Every signature is written here, so the few bytes are appended once; the serializer inserts each length later.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(first.count + second.count + 4)
        appendHead(0x30, first.count + second.count, to: &bytes)
        first.append(to: &bytes)
        second.append(to: &bytes)
        return bytes
    }

    private struct Integer<Digits: Collection<UInt8>> {
        let digits: Digits.SubSequence
        /// Whether a zero byte says that the number is not negative, or is all of it.
        let needsZero: Bool
        let contentCount: Int

        init(_ magnitude: Digits) {
            digits = magnitude.drop { $0 == 0 }
            needsZero = digits.first.map { $0 >= 0x80 } ?? true
            contentCount = digits.count + (needsZero ? 1 : 0)
        }

        var count: Int { 1 + lengthCount(contentCount) + contentCount }

        func append(to bytes: inout [UInt8]) {
            appendHead(0x02, contentCount, to: &bytes)
            if needsZero { bytes.append(0) }
            bytes += digits
        }
    }

    /// The number of bytes that state a length (X.690 §8.1.3).
    private static func lengthCount(_ length: Int) -> Int {
        switch length {
        case 0..<0x80: 1
        case 0x80..<0x100: 2
        default: 3
        }
    }

    /// Appends a tag and a length below 65,536.
    private static func appendHead(_ tag: UInt8, _ length: Int, to bytes: inout [UInt8]) {
        bytes.append(tag)
        switch lengthCount(length) {
        case 1: break
        case 2: bytes.append(0x81)
        default: bytes += [0x82, UInt8(length >> 8)]
        }
        bytes.append(UInt8(truncatingIfNeeded: length))
    }
}
