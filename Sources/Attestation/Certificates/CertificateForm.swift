internal import COSE
internal import Crypto
internal import Foundation
internal import SwiftASN1
internal import WebAuthn
internal import X509

/// What goes into a certificate; as it stands, one that meets every rule for a `packed` attestation certificate
/// (WebAuthn L3 §8.2.1).
struct CertificateForm {
    var version = Certificate.Version.v3
    var country: String? = "NO"
    var organization: String? = "Touchstone"
    var unit: String? = "Authenticator Attestation"
    var commonName: String? = "Touchstone Virtual Authenticator"
    var basicConstraints: BasicConstraints? = .notCertificateAuthority
    var extensions: [Certificate.Extension] = []
    /// 1 January 2020 and 1 January 2060: fixed, so that a certificate follows from its seed alone.
    var notBefore = Date(timeIntervalSince1970: 1_577_836_800)
    var notAfter = Date(timeIntervalSince1970: 2_840_140_800)
    var publicKey: COSE.PublicKey
    var serialNumber: [UInt8]
    /// Leaves the subject empty, as a TPM's attestation key has it.
    var isSubjectEmpty = false
    /// Manufacturer, model and version of a TPM, for the subject alternative name; nil for none.
    var tpmName: [String]?
    /// Extended key usages; nil for no such extension.
    var usages: [ASN1ObjectIdentifier]?

    init(publicKey: COSE.PublicKey, serialNumber: [UInt8]) {
        self.publicKey = publicKey
        self.serialNumber = serialNumber
    }

    /// id-fido-gen-ce-aaguid: the model, as an OCTET STRING.
    mutating func addModel(_ aaguid: AAGUID, isCritical: Bool = false) {
        add([1, 3, 6, 1, 4, 1, 45724, 1, 1, 4], derElement([0x04], aaguid.bytes), isCritical: isCritical)
    }

    mutating func add(_ oid: ASN1ObjectIdentifier, _ value: [UInt8], isCritical: Bool = false) {
        extensions.append(Certificate.Extension(oid: oid, critical: isCritical, value: value[...]))
    }

    /// Meets the rules for a `tpm` attestation certificate instead (WebAuthn L3 §8.3.1).
    mutating func becomeTPM() {
        isSubjectEmpty = true
        tpmName = ["id:FFFFF1D0", "Touchstone virtual TPM", "id:00000001"]
        usages = [[2, 23, 133, 8, 3]]
    }

    /// The subject.
    var subject: DistinguishedName {
        get throws {
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
    }

    /// The certificate as DER, signed with RFC 6979 so that it follows from its parts.
    func issued(by issuer: DistinguishedName, key: COSE.PrivateKey) throws -> [UInt8] {
        // The library signs with a random nonce; its signature is thrown away and a deterministic one put in place.
        let anyKey = Certificate.PrivateKey(
            try P256.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 1, count: 32)))
        let certificate = try Certificate(
            version: version, serialNumber: .init(bytes: serialNumber),
            publicKey: .init(derEncoded: publicKey.subjectPublicKeyInfo), notValidBefore: notBefore,
            notValidAfter: notAfter, issuer: issuer, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try .init(extensions(signedWith: key)), issuerPrivateKey: anyKey)
        let signed = Array(certificate.tbsCertificateBytes)
        let signature = try key.sign(signed, mode: .deterministic)
        // AlgorithmIdentifier of ecdsa-with-SHA256, 1.2.840.10045.4.3.2.
        let algorithm = derElement([0x30], [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02])
        return derElement([0x30], signed + algorithm + derElement([0x03], [0x00] + signature))
    }

    private func extensions(signedWith key: COSE.PrivateKey) throws -> [Certificate.Extension] {
        guard version == .v3 else { return [] }
        var all = extensions
        if let basicConstraints { all.append(try Certificate.Extension(basicConstraints, critical: true)) }
        if case .isCertificateAuthority = basicConstraints {
            // What RFC 5280 §4.2.1.2 and §4.2.1.3 ask of a CA's certificate.
            all.append(try Certificate.Extension(KeyUsage(keyCertSign: true, cRLSign: true), critical: true))
            all.append(try Certificate.Extension(Self.identifier(of: publicKey), critical: false))
        }
        let issuer = AuthorityKeyIdentifier(keyIdentifier: try Self.identifier(of: key.publicKey).keyIdentifier)
        all.append(try Certificate.Extension(issuer, critical: false))
        if let tpmName {
            let types: [ASN1ObjectIdentifier] = [[2, 23, 133, 2, 1], [2, 23, 133, 2, 2], [2, 23, 133, 2, 3]]
            let attributes = zip(types, tpmName).map { type, text in
                RelativeDistinguishedName(.init(type: type, utf8String: text))
            }
            let names = SubjectAlternativeNames([.directoryName(DistinguishedName(attributes))])
            all.append(try Certificate.Extension(names, critical: isSubjectEmpty))
        }
        if let usages {
            let usage = try ExtendedKeyUsage(usages.map { ExtendedKeyUsage.Usage(oid: $0) })
            all.append(try Certificate.Extension(usage, critical: false))
        }
        return all
    }

    private static func identifier(of key: COSE.PublicKey) throws -> SubjectKeyIdentifier {
        SubjectKeyIdentifier(hash: try Certificate.PublicKey(derEncoded: key.subjectPublicKeyInfo))
    }
}
