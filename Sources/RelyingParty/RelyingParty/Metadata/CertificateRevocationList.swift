package import Foundation
internal import SwiftASN1
package import X509

/// A certificate authority's list of revoked certificates (RFC 5280 §5).
///
/// ```
/// CertificateList ::= SEQUENCE {
///     tbsCertList SEQUENCE {
///         version INTEGER OPTIONAL, signature AlgorithmIdentifier, issuer Name,
///         thisUpdate Time, nextUpdate Time OPTIONAL,
///         revokedCertificates SEQUENCE OF SEQUENCE {
///             userCertificate INTEGER, revocationDate Time, crlEntryExtensions Extensions OPTIONAL } OPTIONAL,
///         crlExtensions [0] EXPLICIT Extensions OPTIONAL },
///     signatureAlgorithm AlgorithmIdentifier, signatureValue BIT STRING }
/// ```
public struct CertificateRevocationList: Hashable, Sendable {
    private let issuer: DistinguishedName
    private let thisUpdate: Date
    private let nextUpdate: Date?
    private let serialNumbers: Set<[UInt8]>
    private let signedBytes: [UInt8]
    private let algorithm: ASN1ObjectIdentifier
    private let signature: [UInt8]
}

extension CertificateRevocationList {
    /// Reads a list in DER.
    ///
    /// - Throws: ``MetadataError/malformed(_:)``.
    public init(der: [UInt8]) throws(MetadataError) {
        do {
            self = try DER.sequence(try DER.parse(der), identifier: .sequence) { nodes in
                guard let list = nodes.next() else { throw ASN1Error.invalidASN1Object(reason: "the list is missing") }
                let algorithm = try Self.algorithm(&nodes)
                let signature = try ASN1BitString(derEncoded: &nodes)
                return try CertificateRevocationList(list, algorithm, Array(signature.bytes))
            }
        } catch {
            throw .malformed("the file is not a certificate revocation list in DER: \(CertificateProblem.words(error))")
        }
    }

    private init(_ list: ASN1Node, _ algorithm: ASN1ObjectIdentifier, _ signature: [UInt8]) throws {
        self = try DER.sequence(list, identifier: .sequence) { nodes in
            _ = try DER.optionalImplicitlyTagged(&nodes) as Int?
            _ = try Self.algorithm(&nodes)
            guard let name = nodes.next() else { throw ASN1Error.invalidASN1Object(reason: "the issuer is missing") }
            let issuer = try DistinguishedName(derEncoded: name)
            let thisUpdate = try Self.time(&nodes) ?? .distantFuture
            let nextUpdate = try Self.time(&nodes)
            var serialNumbers: Set<[UInt8]> = []
            while let node = nodes.next() {
                guard node.identifier == .sequence, case .constructed(let entries) = node.content else { continue }
                for entry in entries { serialNumbers.insert(try Self.serialNumber(entry)) }
            }
            return CertificateRevocationList(
                issuer: issuer, thisUpdate: thisUpdate, nextUpdate: nextUpdate, serialNumbers: serialNumbers,
                signedBytes: Array(list.encodedBytes), algorithm: algorithm, signature: signature)
        }
    }

    package func isCurrent(at time: Date) -> Bool { thisUpdate <= time && nextUpdate.map { time <= $0 } ?? true }

    package func isIssued(by authority: Certificate) -> Bool {
        guard authority.subject == issuer, let algorithm = Self.algorithms[algorithm] else { return false }
        return authority.publicKey.isValidSignature(signature, for: signedBytes, signatureAlgorithm: algorithm)
    }

    package func revokes(_ certificate: Certificate) -> Bool {
        serialNumbers.contains(Array(certificate.serialNumber.bytes.drop { $0 == 0 }))
    }

    private static let algorithms: [ASN1ObjectIdentifier: Certificate.SignatureAlgorithm] = [
        [1, 2, 840, 113549, 1, 1, 11]: .sha256WithRSAEncryption,
        [1, 2, 840, 113549, 1, 1, 12]: .sha384WithRSAEncryption,
        [1, 2, 840, 113549, 1, 1, 13]: .sha512WithRSAEncryption,
        [1, 2, 840, 10045, 4, 3, 2]: .ecdsaWithSHA256, [1, 2, 840, 10045, 4, 3, 3]: .ecdsaWithSHA384,
        [1, 2, 840, 10045, 4, 3, 4]: .ecdsaWithSHA512,
    ]

    private static func algorithm(_ nodes: inout ASN1NodeCollection.Iterator) throws -> ASN1ObjectIdentifier {
        guard let node = nodes.next() else { throw ASN1Error.invalidASN1Object(reason: "an algorithm is missing") }
        guard node.identifier == .sequence, case .constructed(let members) = node.content else {
            throw ASN1Error.unexpectedFieldType(node.identifier)
        }
        var iterator = members.makeIterator()
        return try ASN1ObjectIdentifier(derEncoded: &iterator)
    }

    /// A Time; nil if the next item is another one, which stays unread.
    static func time(_ nodes: inout ASN1NodeCollection.Iterator) throws -> Date? {
        if let time = try DER.optionalImplicitlyTagged(&nodes) as UTCTime? {
            return date(time.year, time.month, time.day, time.hours, time.minutes, time.seconds)
        }
        if let time = try DER.optionalImplicitlyTagged(&nodes) as GeneralizedTime? {
            return date(time.year, time.month, time.day, time.hours, time.minutes, time.seconds)
        }
        return nil
    }

    private static func date(
        _ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int
    ) -> Date? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(
            from: DateComponents(year: year, month: month, day: day, hour: hour, minute: minute, second: second))
    }

    private static func serialNumber(_ entry: ASN1Node) throws -> [UInt8] {
        guard case .constructed(let members) = entry.content else {
            throw ASN1Error.unexpectedFieldType(entry.identifier)
        }
        var iterator = members.makeIterator()
        return try Array(ArraySlice<UInt8>(derEncoded: &iterator).drop { $0 == 0 })
    }
}
