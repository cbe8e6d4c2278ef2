package import SwiftASN1

/// The elements this library writes in DER; unlike those of `DERSerializable`, they cannot fail.
extension DER.Serializer {
    /// The bytes `write` appends.
    package static func bytes(_ write: (inout DER.Serializer) -> Void) -> [UInt8] {
        var serializer = DER.Serializer()
        write(&serializer)
        return serializer.serializedBytes
    }

    /// Appends a SEQUENCE.
    package mutating func sequence(_ write: (inout DER.Serializer) -> Void) {
        appendConstructedNode(identifier: .sequence, write)
    }

    /// Appends an element in a context-specific explicit tag.
    package mutating func tagged(_ number: UInt, _ write: (inout DER.Serializer) -> Void) {
        serialize(explicitlyTaggedWithTagNumber: number, tagClass: .contextSpecific, write)
    }

    /// Appends an OCTET STRING.
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

    /// Appends NULL.
    package mutating func null() {
        appendPrimitiveNode(identifier: .null) { _ in }
    }

    /// SEQUENCE { INTEGER, INTEGER }: an ECDSA signature or an RSA public key.
    static func integers(_ first: some Collection<UInt8>, _ second: some Collection<UInt8>) -> [UInt8] {
        bytes {
            $0.sequence {
                $0.integer(first)
                $0.integer(second)
            }
        }
    }
}
