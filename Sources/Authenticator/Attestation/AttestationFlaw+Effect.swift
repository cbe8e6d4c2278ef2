internal import CBOR
internal import COSE
internal import Foundation
internal import SwiftASN1
internal import X509

extension AttestationFlaw {
    enum Effect {
        case otherData
        /// Signs with another key than the model's.
        case otherSigner
        /// Signs with the credential's key, as self attestation does.
        case credentialSigner
        /// Describes another key than the credential's.
        case otherCredential
        /// Binds the statement to another ceremony.
        case otherCeremony
        case statement((inout CBOR.Map) -> Void)
        /// Changes the leaf before it is signed.
        case leaf((inout CertificateForm) throws -> Void)
        case path((CertificateForm, AttestationAuthority) throws -> [[UInt8]])
        case certInfo((inout TPMStructures.Certification) -> Void)
        case keyDescription((inout AndroidKeyExtension) -> Void)
    }

    var effect: Effect {
        switch self {
        case .wrongSignature: .otherData
        case .otherKey: .otherSigner
        case .credentialSignature: .credentialSigner
        case .algorithmMismatch: .statement { $0["alg"] = $0["alg"] == -7 ? -257 : -7 }

        case .expired: .leaf { $0.notAfter = Self.start2021 }
        case .notYetValid: .leaf { $0.notBefore = Date(timeIntervalSince1970: 2_682_374_400) }
        case .wrongModel:
            .leaf {
                $0.extensions.removeAll { $0.oid == CertificateForm.modelExtension }
                $0.addModel([UInt8](repeating: 0xEE, count: 16))
            }
        case .criticalModel:
            .leafExtension(CertificateForm.modelExtension) { .init(oid: $0.oid, critical: true, value: $0.value) }
        case .malformedModel: .malformed(CertificateForm.modelExtension)
        case .authorityLeaf: .leaf { $0.basicConstraints = .isCertificateAuthority(maxPathLength: nil) }
        case .noBasicConstraints: .leaf { $0.basicConstraints = nil }
        case .oldVersion: .leaf { $0.version = .v1 }
        case .missingUnit: .leaf { $0.unit = nil }
        case .missingCountry: .leaf { $0.country = nil }
        case .unassignedCountry: .leaf { $0.country = "ZZ" }
        case .missingOrganization: .leaf { $0.organization = nil }
        case .missingCommonName: .leaf { $0.commonName = nil }

        case .unknownRoot: .path { leaf, _ in [try Self.unknownAuthority().issue(leaf)] }
        case .missingIntermediate: .path { leaf, authority in [try authority.intermediate().issue(leaf)] }
        case .expiredIntermediate: .intermediate { $0.notAfter = Self.start2021 }
        case .issuerNotAuthority: .intermediate { $0.basicConstraints = .notCertificateAuthority }
        case .issuerKeyUsage: .intermediate { $0.keyUsage = KeyUsage(digitalSignature: true) }
        case .ownRoot:
            .path { leaf, _ in
                let unknownAuthority = try Self.unknownAuthority()
                return [try unknownAuthority.issue(leaf), unknownAuthority.rootCertificate]
            }
        case .wrongOrder:
            .path { leaf, authority in
                // The issuer meets the rules for a packed leaf, so that only the order is wrong.
                let intermediate = try authority.intermediate { $0.unit = "Authenticator Attestation" }
                return [intermediate.certificate, try intermediate.issue(leaf)]
            }
        case .emptyPath: .path { _, _ in [] }
        case .garbageCertificate: .path { _, _ in [[0x30, 0x03, 0x02, 0x01, 0x00]] }
        case .twoCertificates: .path { leaf, authority in [try authority.issue(leaf), authority.rootCertificate] }

        case .wrongCurve:
            .leaf {
                let key = try COSE.PrivateKey.generate(.es384) { [UInt8](repeating: 7, count: $0) }
                $0.publicKey = key.publicKey
            }
        case .tpmMagic: .certInfo { $0.magic = 0xFF54_4348 }
        case .tpmExtraData: .otherCeremony
        case .tpmName: .certInfo { $0.publicArea.append(0) }
        case .tpmPublicArea: .otherCredential
        case .tpmUsage: .leaf { $0.usages = nil }
        case .tpmSubject: .leaf { $0.isSubjectEmpty = false }
        case .tpmNoName: .leaf { $0.tpmName?.manufacturer = "" }
        case .tpmManufacturer: .leaf { $0.tpmName?.manufacturer = "id:FFFFF1D0" }
        case .tpmVersion: .statement { $0["ver"] = "1.2" }
        case .androidNoDescription: .leafExtension(AndroidKeyExtension.oid) { _ in nil }
        case .androidMalformedDescription: .malformed(AndroidKeyExtension.oid)
        case .androidChallenge: .otherCeremony
        case .androidAllApplications: .keyDescription { $0.isForAllApplications = true }
        case .androidOrigin: .keyDescription { $0.origin = .imported }
        case .androidPurpose: .keyDescription { $0.purpose = .verify }
        case .androidOtherKey: .otherCredential
        case .appleNoNonce: .leafExtension(AttestationMaker.appleNonceExtension) { _ in nil }
        case .appleMalformedNonce: .malformed(AttestationMaker.appleNonceExtension)
        case .appleNonce: .otherCeremony
        case .appleOtherKey: .otherCredential
        }
    }

    private static let start2021 = Date(timeIntervalSince1970: 1_609_459_200)

    private static func unknownAuthority() throws -> AttestationAuthority {
        try AttestationAuthority(seed: Array("unknown root".utf8))
    }
}

extension AttestationFlaw.Effect {
    /// Changes the intermediate certificate of a path that has one.
    fileprivate static func intermediate(_ change: @escaping (inout CertificateForm) -> Void) -> Self {
        .path { leaf, authority in
            let intermediate = try authority.intermediate(change)
            return [try intermediate.issue(leaf), intermediate.certificate]
        }
    }

    /// Changes an extension of the leaf, or removes it for nil.
    fileprivate static func leafExtension(
        _ oid: ASN1ObjectIdentifier, _ change: @escaping (Certificate.Extension) -> Certificate.Extension?
    ) -> Self {
        .leaf { $0.extensions = $0.extensions.compactMap { $0.oid == oid ? change($0) : $0 } }
    }

    /// Takes the outer tag and length of an extension's value away.
    fileprivate static func malformed(_ oid: ASN1ObjectIdentifier) -> Self {
        leafExtension(oid) { .init(oid: $0.oid, critical: false, value: $0.value.dropFirst(2)) }
    }
}
