internal import Crypto
package import Foundation
internal import SwiftASN1
internal import X509

/// The certification authority of a tunnel service on this computer, and the service's certificate, made anew for each service.
///
/// A client that trusts it reaches the service by the names of the public ones, which its resolver leads here.
package struct TunnelAuthority: Sendable {
    /// The authority's certificate in DER.
    package let certificate: [UInt8]
    /// The service's certificate in DER, which the authority issues.
    package let serviceCertificate: [UInt8]
    /// The service's private key on P-256, as PKCS#8 in DER.
    let serviceKey: [UInt8]
    /// SHA-256 of the service's SubjectPublicKeyInfo in base64, as Chromium's `--ignore-certificate-errors-spki-list` has it.
    package let servicePin: String

    /// Makes the certificates, valid from an hour before a time for a year.
    ///
    /// - Parameters:
    ///   - hosts: the names in the service's certificate; `localhost` is always among them.
    ///   - now: the time of the clients' clocks.
    /// - Throws: the library's error.
    package init(hosts: [String], now: Date) throws {
        let (start, end) = (now - 3600, now + 365 * 86_400)
        let rootKey = P256.Signing.PrivateKey()
        let root = try DistinguishedName { CommonName("Touchstone tunnel authority") }
        let authority = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: .init(rootKey.publicKey),
            notValidBefore: start, notValidAfter: end, issuer: root, subject: root,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true))
            }, issuerPrivateKey: .init(rootKey))
        let key = P256.Signing.PrivateKey()
        let service = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: .init(key.publicKey),
            notValidBefore: start, notValidAfter: end, issuer: root,
            subject: try DistinguishedName { CommonName("localhost") }, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames((hosts + ["localhost"]).map { .dnsName($0) })
            }, issuerPrivateKey: .init(rootKey))
        certificate = try Self.der(authority)
        serviceCertificate = try Self.der(service)
        serviceKey = Array(key.derRepresentation)
        servicePin = Data(SHA256.hash(data: key.publicKey.derRepresentation)).base64EncodedString()
    }

    private static func der(_ certificate: Certificate) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }
}
