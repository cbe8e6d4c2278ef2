internal import COSE
package import Foundation
internal import SwiftASN1
internal import X509

/// The parts of an X.509 certificate that can be read with any algorithm of its key (RFC 5280 §4.1).
///
/// X509's own certificate holds a key of five algorithms only.
package struct CertificateOutline: Hashable, Sendable {
    /// 1 to 3.
    package let version: Int
    package let serialNumber: [UInt8]
    /// The algorithm of the issuer's signature, by name or as object identifier.
    package let signatureAlgorithm: String
    package let issuer: String
    package let notBefore: Date
    package let notAfter: Date
    package let subject: String
    package let key: KeyOutline
    package let extensions: [Extension]

    package struct Extension: Hashable, Sendable {
        /// The object identifier in dotted form.
        package let identifier: String
        package let isCritical: Bool
        package let value: [UInt8]

        /// The usual name of its kind; nil for an unknown one.
        package var name: String? { ObjectNames.extensions[identifier] }
    }

    /// The reason that bytes are not a certificate, in words.
    package struct Problem: Error, Hashable, CustomStringConvertible, Sendable {
        package let description: String
    }

    /// Reads one certificate in DER; its signature is not verified.
    package init(der: [UInt8]) throws(Problem) {
        do {
            self = try DER.sequence(try DER.parse(der), identifier: .sequence) { nodes in
                guard let content = nodes.next() else { throw ASN1Error.invalidASN1Object(reason: "no content") }
                let algorithm = try ObjectNames.algorithm(nodes.next())
                _ = try ASN1BitString(derEncoded: &nodes)
                return try CertificateOutline(content, algorithm)
            }
        } catch {
            throw Problem(description: DERProblem.words(error))
        }
    }

    private init(_ content: ASN1Node, _ algorithm: String) throws {
        self = try DER.sequence(content, identifier: .sequence) { nodes in
            let version =
                try DER.optionalExplicitlyTagged(&nodes, tagNumber: 0, tagClass: .contextSpecific) { node in
                    try Int(derEncoded: node)
                } ?? 0
            let serialNumber = try ArraySlice<UInt8>(derEncoded: &nodes)
            _ = try ObjectNames.algorithm(nodes.next())
            guard let issuer = nodes.next(), let validity = nodes.next(), let subject = nodes.next(),
                let key = nodes.next()
            else { throw ASN1Error.invalidASN1Object(reason: "a field is missing") }
            let times = try DER.sequence(validity, identifier: .sequence) { nodes in
                [try CertificateRevocationList.time(&nodes), try CertificateRevocationList.time(&nodes)]
            }
            guard let notBefore = times[0], let notAfter = times[1] else {
                throw ASN1Error.invalidASN1Object(reason: "a time is missing")
            }
            var extensions: [Extension] = []
            while let node = nodes.next() {
                guard node.identifier == ASN1Identifier(tagWithNumber: 3, tagClass: .contextSpecific) else { continue }
                extensions = try DER.explicitlyTagged(node, tagNumber: 3, tagClass: .contextSpecific) { node in
                    try DER.sequence(node, identifier: .sequence) { nodes in try Self.extensions(&nodes) }
                }
            }
            return CertificateOutline(
                version: version + 1, serialNumber: Array(serialNumber), signatureAlgorithm: algorithm,
                issuer: try DistinguishedName(derEncoded: issuer).description, notBefore: notBefore,
                notAfter: notAfter, subject: try DistinguishedName(derEncoded: subject).description,
                key: try KeyOutline(key), extensions: extensions)
        }
    }

    private init(
        version: Int, serialNumber: [UInt8], signatureAlgorithm: String, issuer: String, notBefore: Date,
        notAfter: Date, subject: String, key: KeyOutline, extensions: [Extension]
    ) {
        (self.version, self.serialNumber, self.signatureAlgorithm) = (version, serialNumber, signatureAlgorithm)
        (self.issuer, self.notBefore, self.notAfter) = (issuer, notBefore, notAfter)
        (self.subject, self.key, self.extensions) = (subject, key, extensions)
    }

    private static func extensions(_ nodes: inout ASN1NodeCollection.Iterator) throws -> [Extension] {
        var extensions: [Extension] = []
        while let node = nodes.next() {
            extensions.append(
                try DER.sequence(node, identifier: .sequence) { nodes in
                    let identifier = try ASN1ObjectIdentifier(derEncoded: &nodes)
                    let isCritical = try DER.decodeDefault(&nodes, defaultValue: false)
                    let value = try ASN1OctetString(derEncoded: &nodes)
                    return Extension(
                        identifier: identifier.description, isCritical: isCritical, value: Array(value.bytes))
                })
        }
        return extensions
    }
}

/// A public key of any algorithm as `SubjectPublicKeyInfo` (RFC 5280 §4.1.2.7).
package struct KeyOutline: Hashable, Sendable {
    /// The algorithm with its curve, such as `EC P-256`, or its object identifier.
    package let algorithm: String
    /// The content of the bit string.
    package let bytes: [UInt8]
    /// The whole structure in DER.
    package let encoded: [UInt8]

    /// Reads a key in DER.
    package init(der: [UInt8]) throws(CertificateOutline.Problem) {
        do {
            try self.init(try DER.parse(der))
        } catch {
            throw CertificateOutline.Problem(description: DERProblem.words(error))
        }
    }

    fileprivate init(_ node: ASN1Node) throws {
        encoded = Array(node.encodedBytes)
        (algorithm, bytes) = try DER.sequence(node, identifier: .sequence) { nodes in
            (try ObjectNames.algorithm(nodes.next()), Array(try ASN1BitString(derEncoded: &nodes).bytes))
        }
    }
}

/// The names of object identifiers in certificates.
private enum ObjectNames {
    /// The name of an `AlgorithmIdentifier`, with the curve that its parameters name.
    static func algorithm(_ node: ASN1Node?) throws -> String {
        guard let node else { throw ASN1Error.invalidASN1Object(reason: "an algorithm is missing") }
        return try DER.sequence(node, identifier: .sequence) { nodes in
            let identifier = try ASN1ObjectIdentifier(derEncoded: &nodes).description
            let name = algorithms[identifier] ?? identifier
            guard let parameters = nodes.next() else { return name }
            while nodes.next() != nil {}
            guard parameters.identifier == .objectIdentifier else { return name }
            let curve = try ASN1ObjectIdentifier(derEncoded: parameters).description
            return name + " " + (algorithms[curve] ?? curve)
        }
    }

    /// RFC 3279, RFC 5480, RFC 8410, RFC 8017 and RFC 9881.
    private static let algorithms = [
        "1.2.840.10045.2.1": "EC", "1.2.840.10045.3.1.7": "P-256", "1.3.132.0.34": "P-384", "1.3.132.0.35": "P-521",
        "1.3.132.0.10": "secp256k1", "1.2.840.113549.1.1.1": "RSA", "1.2.840.113549.1.1.10": "RSASSA-PSS",
        "1.2.840.113549.1.1.5": "SHA-1 with RSA", "1.2.840.113549.1.1.11": "SHA-256 with RSA",
        "1.2.840.113549.1.1.12": "SHA-384 with RSA", "1.2.840.113549.1.1.13": "SHA-512 with RSA",
        "1.2.840.10045.4.3.2": "ECDSA with SHA-256", "1.2.840.10045.4.3.3": "ECDSA with SHA-384",
        "1.2.840.10045.4.3.4": "ECDSA with SHA-512", "1.3.101.110": "X25519", "1.3.101.112": "Ed25519",
        "1.3.101.113": "Ed448", "2.16.840.1.101.3.4.3.17": "ML-DSA-44", "2.16.840.1.101.3.4.3.18": "ML-DSA-65",
        "2.16.840.1.101.3.4.3.19": "ML-DSA-87",
    ]

    /// RFC 5280 §4.2, WebAuthn L3 §8, Android's and Apple's attestation.
    static let extensions = [
        "2.5.29.14": "subject key identifier", "2.5.29.15": "key usage", "2.5.29.17": "subject alternative name",
        "2.5.29.19": "basic constraints", "2.5.29.31": "CRL distribution points", "2.5.29.32": "certificate policies",
        "2.5.29.35": "authority key identifier", "2.5.29.37": "extended key usage",
        "1.3.6.1.5.5.7.1.1": "authority information access", "1.3.6.1.4.1.45724.1.1.4": "FIDO AAGUID",
        "1.3.6.1.4.1.45724.2.1.1": "FIDO U2F transports", "1.3.6.1.4.1.11129.2.1.17": "Android key description",
        "1.2.840.113635.100.8.2": "Apple anonymous attestation nonce",
    ]
}
