import COSE
import Crypto
import Foundation
import SwiftASN1
import WebAuthn
import X509

/// The contents of a certificate; default: one that meets every rule for a `packed` attestation certificate.
struct CertificateForm {
    var version = Certificate.Version.v3
    var country: String? = "AA"
    var organization: String? = "W3C"
    var unit: String? = "Authenticator Attestation"
    var commonName: String? = "Test authenticator"
    var basicConstraints: BasicConstraints? = .notCertificateAuthority
    var extensions: [Certificate.Extension] = []
    var notBefore = Date(timeIntervalSince1970: 1_700_000_000)
    var notAfter = Date(timeIntervalSince1970: 1_900_000_000)
    var publicKey: Certificate.PublicKey
    var issuer: DistinguishedName
    var issuerKey: Certificate.PrivateKey
    var isSelfIssued = false
    /// Replaces the subject.
    var replacedSubject: DistinguishedName?
    /// Leaves the subject empty, as for a TPM's attestation key.
    var isSubjectEmpty = false
    /// Manufacturer, model and version in the subject alternative name, each optional; nil for no name.
    var tpmName: [String?]?
    /// Extended key usages; nil for no such extension.
    var usages: [ASN1ObjectIdentifier]?

    static let aaguidExtension: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 45724, 1, 1, 4]

    /// A leaf for this P-256 key, issued by the vectors' root.
    init(attestationKey: COSE.PrivateKey) throws {
        let key = try P256.Signing.PrivateKey(rawRepresentation: attestationKey.rawRepresentation)
        publicKey = Certificate.PublicKey(key.publicKey)
        issuer = try Certificate(derEncoded: VectorFile.rootCertificate()).subject
        issuerKey = Certificate.PrivateKey(
            try P256.Signing.PrivateKey(rawRepresentation: VectorFile.rootKey()))
    }

    /// A CA for this key, issued by default by the vectors' root.
    init(authority name: String, key: P256.Signing.PrivateKey) throws {
        try self.init(
            attestationKey: COSE.PrivateKey(algorithm: .es256, rawRepresentation: Array(key.rawRepresentation)))
        commonName = name
        unit = "Authenticator Attestation CA"
        basicConstraints = .isCertificateAuthority(maxPathLength: nil)
    }

    /// Changes it to meet the rules for a `tpm` attestation certificate.
    mutating func becomeTPM() {
        isSubjectEmpty = true
        tpmName = ["id:00000000", "Test TPM", "id:00000001"]
        usages = [[2, 23, 133, 8, 3]]
    }

    mutating func addModel(_ aaguid: [UInt8], critical: Bool = false) {
        let value = [0x04, UInt8(aaguid.count)] + aaguid
        extensions.append(Certificate.Extension(oid: Self.aaguidExtension, critical: critical, value: value[...]))
    }

    mutating func signItself(with key: P256.Signing.PrivateKey) {
        isSelfIssued = true
        issuerKey = Certificate.PrivateKey(key)
        publicKey = Certificate.PublicKey(key.publicKey)
    }

    func subject() throws -> DistinguishedName {
        if let replacedSubject { return replacedSubject }
        guard !isSubjectEmpty else { return DistinguishedName() }
        var attributes: [RelativeDistinguishedName.Attribute] = []
        if let country {
            attributes.append(try .init(type: .RDNAttributeType.countryName, printableString: country))
        }
        let texts: [(ASN1ObjectIdentifier, String?)] = [
            (.RDNAttributeType.organizationName, organization), (.RDNAttributeType.organizationalUnitName, unit),
            (.RDNAttributeType.commonName, commonName),
        ]
        for (type, text) in texts {
            if let text { attributes.append(.init(type: type, utf8String: text)) }
        }
        return DistinguishedName(attributes.map { RelativeDistinguishedName($0) })
    }

    func issue() throws -> [UInt8] {
        var all = extensions
        if let basicConstraints {
            all.append(try Certificate.Extension(basicConstraints, critical: true))
        }
        if let tpmName {
            let types: [ASN1ObjectIdentifier] = [[2, 23, 133, 2, 1], [2, 23, 133, 2, 2], [2, 23, 133, 2, 3]]
            let attributes = zip(types, tpmName).compactMap { type, text in
                text.map { RelativeDistinguishedName(.init(type: type, utf8String: $0)) }
            }
            let names = SubjectAlternativeNames([.directoryName(DistinguishedName(attributes))])
            all.append(try Certificate.Extension(names, critical: isSubjectEmpty))
        }
        if let usages {
            let usage = try ExtendedKeyUsage(usages.map { ExtendedKeyUsage.Usage(oid: $0) })
            all.append(try Certificate.Extension(usage, critical: false))
        }
        let subject = try subject()
        let certificate = try Certificate(
            version: version, serialNumber: .init(bytes: [0x42]), publicKey: publicKey, notValidBefore: notBefore,
            notValidAfter: notAfter, issuer: isSelfIssued ? subject : issuer, subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256, extensions: try .init(all), issuerPrivateKey: issuerKey)
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }
}
