public import Crypto
internal import Foundation
internal import SwiftASN1
public import X509

/// The contents of a certificate revocation list (RFC 5280 §5.1).
public struct RevocationForm {
    /// The revoked certificates.
    public var serialNumbers: [Int] = []
    /// The month of the list.
    public var thisUpdate = (year: 2025, month: 6)
    /// The month of the next list.
    public var nextUpdate = (year: 2025, month: 7)
    /// The certificate authority.
    public var issuer: DistinguishedName
    /// Its key.
    public var key: P256.Signing.PrivateKey

    /// A list without certificates.
    public init(issuer: DistinguishedName, key: P256.Signing.PrivateKey) { (self.issuer, self.key) = (issuer, key) }

    /// The list in DER.
    public func encoded() throws -> [UInt8] {
        var inner = DER.Serializer()
        try inner.appendConstructedNode(identifier: .sequence) { list in
            try list.serialize(1)
            try algorithm(&list)
            try list.serialize(issuer)
            try list.serialize(time(thisUpdate))
            try list.serialize(time(nextUpdate))
            guard !serialNumbers.isEmpty else { return }
            try list.appendConstructedNode(identifier: .sequence) { entries in
                for number in serialNumbers {
                    try entries.appendConstructedNode(identifier: .sequence) { entry in
                        try entry.serialize(number)
                        try entry.serialize(time(thisUpdate))
                    }
                }
            }
        }
        var outer = DER.Serializer()
        let signature = try key.signature(for: inner.serializedBytes).derRepresentation
        let list = try DER.parse(inner.serializedBytes)
        try outer.appendConstructedNode(identifier: .sequence) { whole in
            whole.serialize(list)
            try algorithm(&whole)
            try whole.serialize(ASN1BitString(bytes: ArraySlice(signature)))
        }
        return outer.serializedBytes
    }

    /// ecdsa-with-SHA256.
    private func algorithm(_ coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) {
            try $0.serialize(ASN1ObjectIdentifier(arrayLiteral: 1, 2, 840, 10045, 4, 3, 2))
        }
    }

    private func time(_ month: (year: Int, month: Int)) throws -> UTCTime {
        try UTCTime(year: month.year, month: month.month, day: 1, hours: 0, minutes: 0, seconds: 0)
    }
}
