internal import COSE
internal import Crypto
internal import Foundation
internal import SwiftASN1
internal import X509

/// A certificate's contents; by default, those of a `packed` attestation certificate (WebAuthn L3 §8.2.1).
struct CertificateForm {
    var version = Certificate.Version.v3
    var commonName: String?
    var organization: String?
    var unit: String? = "Authenticator Attestation"
    var country: String?
    var basicConstraints: BasicConstraints? = .notCertificateAuthority
    var keyUsage = KeyUsage(digitalSignature: true)
    /// The extensions after those that every certificate has.
    var extensions: [Certificate.Extension] = []
    var notBefore: Date
    var notAfter: Date
    var publicKey: COSE.PublicKey
    var serialNumber: [UInt8]
    var isSubjectEmpty = false
    var tpmName: TPMName?
    /// Extended key usages; nil for no such extension.
    var usages: [ASN1ObjectIdentifier]?

    struct TPMName {
        var manufacturer: String
        var version: String
        var model: String
    }

    init(_ vendor: AttestationVendor, publicKey: COSE.PublicKey, serialNumber: [UInt8]) {
        commonName = vendor.commonName
        organization = vendor.organization
        country = vendor.country
        notBefore = Date(timeIntervalSince1970: vendor.validFrom / .seconds(1))
        notAfter = Date(timeIntervalSince1970: vendor.validUntil / .seconds(1))
        self.publicKey = publicKey
        self.serialNumber = serialNumber
    }

    mutating func becomeAuthority(_ vendor: AttestationVendor, maxPathLength: Int? = nil) {
        unit = "Authenticator Attestation CA"
        commonName = vendor.rootCommonName ?? vendor.commonName
        basicConstraints = .isCertificateAuthority(maxPathLength: maxPathLength)
        keyUsage = KeyUsage(keyCertSign: true, cRLSign: true)
    }

    /// id-fido-gen-ce-aaguid.
    static let modelExtension: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 45724, 1, 1, 4]

    mutating func addModel(_ aaguid: [UInt8]) {
        add(Self.modelExtension, DER.Serializer.bytes { $0.octetString(aaguid) })
    }

    mutating func add(_ oid: ASN1ObjectIdentifier, _ value: [UInt8]) {
        extensions.append(Certificate.Extension(oid: oid, critical: false, value: value[...]))
    }

    /// Applies the rules for a `tpm` attestation certificate (WebAuthn L3 §8.3.1).
    mutating func becomeTPM(_ vendor: AttestationVendor) {
        isSubjectEmpty = true
        tpmName = TPMName(manufacturer: vendor.tpmManufacturer, version: vendor.tpmVersion, model: vendor.tpmModel)
        usages = [[2, 23, 133, 8, 3]]
    }

    var subject: DistinguishedName {
        get throws {
            guard !isSubjectEmpty else { return DistinguishedName() }
            let texts: [(ASN1ObjectIdentifier, String?)] = [
                (.RDNAttributeType.commonName, commonName), (.RDNAttributeType.organizationName, organization),
                (.RDNAttributeType.organizationalUnitName, unit),
            ]
            var attributes = texts.compactMap { type, text in
                text.map { RelativeDistinguishedName.Attribute(type: type, utf8String: $0) }
            }
            if let country {
                attributes.append(try .init(type: .RDNAttributeType.countryName, printableString: country))
            }
            return DistinguishedName(attributes.map { RelativeDistinguishedName($0) })
        }
    }

    /// The certificate in DER, signed deterministically (RFC 6979) where the build can; `authority` is the issuer's key, nil for a root.
    func issued(by issuer: DistinguishedName, key: COSE.PrivateKey, authority: COSE.PublicKey?) throws -> [UInt8] {
        // The library signs with a random nonce; a deterministic signature replaces it.
        let anyKey = Certificate.PrivateKey(
            try P256.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 1, count: 32)))
        let certificate = try Certificate(
            version: version, serialNumber: .init(bytes: serialNumber),
            publicKey: .init(derEncoded: publicKey.subjectPublicKeyInfo), notValidBefore: notBefore,
            notValidAfter: notAfter, issuer: issuer, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try .init(allExtensions(authority)), issuerPrivateKey: anyKey)
        let signed = Array(certificate.tbsCertificateBytes)
        let signature = try key.sign(signed, mode: .deterministic.possible(for: key.algorithm))
        return DER.Serializer.bytes {
            $0.sequence {
                $0.serializeRawBytes(signed)
                // AlgorithmIdentifier of ecdsa-with-SHA256, 1.2.840.10045.4.3.2.
                $0.sequence { $0.objectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]) }
                $0.bitString(signature)
            }
        }
    }

    private func allExtensions(_ authority: COSE.PublicKey?) throws -> [Certificate.Extension] {
        guard version == .v3 else { return [] }
        var all: [Certificate.Extension] = []
        if let basicConstraints { all.append(try Certificate.Extension(basicConstraints, critical: true)) }
        all.append(try Certificate.Extension(keyUsage, critical: true))
        let identifier = SubjectKeyIdentifier(hash: try .init(derEncoded: publicKey.subjectPublicKeyInfo))
        all.append(try Certificate.Extension(identifier, critical: false))
        if let authority {
            let issuer = SubjectKeyIdentifier(hash: try .init(derEncoded: authority.subjectPublicKeyInfo))
            all.append(
                try Certificate.Extension(
                    AuthorityKeyIdentifier(keyIdentifier: issuer.keyIdentifier), critical: false))
        }
        if let usages {
            let usage = try ExtendedKeyUsage(usages.map { ExtendedKeyUsage.Usage(oid: $0) })
            all.append(try Certificate.Extension(usage, critical: false))
        }
        if let tpmName {
            // One name of three attributes: TCG's manufacturer, version and model.
            let attributes: [(ASN1ObjectIdentifier, String)] = [
                ([2, 23, 133, 2, 1], tpmName.manufacturer), ([2, 23, 133, 2, 3], tpmName.version),
                ([2, 23, 133, 2, 2], tpmName.model),
            ]
            let name = RelativeDistinguishedName(attributes.map { .init(type: $0.0, utf8String: $0.1) })
            let names = SubjectAlternativeNames([.directoryName(DistinguishedName([name]))])
            all.append(try Certificate.Extension(names, critical: isSubjectEmpty))
        }
        return all + extensions
    }
}
