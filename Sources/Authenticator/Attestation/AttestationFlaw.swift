public import WebAuthn

/// A single error in an attestation, as from a faulty device, a careless vendor or an attacker.
///
/// ``description`` gives the verification step and the reason with which a relying party detects it.
public enum AttestationFlaw: String, Hashable, Sendable, CaseIterable {
    // The signature.
    case wrongSignature = "wrong-signature"
    case otherKey = "other-key"
    case credentialSignature = "credential-signature"
    case algorithmMismatch = "algorithm-mismatch"
    // The leaf.
    case expired
    case notYetValid = "not-yet-valid"
    case wrongModel = "wrong-model"
    case criticalModel = "critical-model"
    case malformedModel = "malformed-model"
    case authorityLeaf = "ca-leaf"
    case noBasicConstraints = "no-basic-constraints"
    case oldVersion = "x509-v1"
    case missingUnit = "missing-unit"
    case missingCountry = "missing-country"
    case unassignedCountry = "unassigned-country"
    case missingOrganization = "missing-organization"
    case missingCommonName = "missing-common-name"
    // The path.
    case unknownRoot = "unknown-root"
    case missingIntermediate = "missing-intermediate"
    case expiredIntermediate = "expired-intermediate"
    case issuerNotAuthority = "issuer-not-ca"
    case issuerKeyUsage = "issuer-key-usage"
    case ownRoot = "own-root"
    case wrongOrder = "wrong-order"
    case emptyPath = "empty-path"
    case garbageCertificate = "garbage-certificate"
    // Errors of one format.
    case twoCertificates = "u2f-two-certificates"
    case wrongCurve = "u2f-wrong-curve"
    case tpmMagic = "tpm-magic"
    case tpmExtraData = "tpm-extra-data"
    case tpmName = "tpm-name"
    case tpmPublicArea = "tpm-public-area"
    case tpmUsage = "tpm-usage"
    case tpmSubject = "tpm-subject"
    case tpmNoName = "tpm-no-name"
    case tpmManufacturer = "tpm-manufacturer"
    case tpmVersion = "tpm-version"
    case androidNoDescription = "android-no-description"
    case androidMalformedDescription = "android-malformed-description"
    case androidChallenge = "android-challenge"
    case androidAllApplications = "android-all-applications"
    case androidOrigin = "android-origin"
    case androidPurpose = "android-purpose"
    case androidOtherKey = "android-other-key"
    case appleNoNonce = "apple-no-nonce"
    case appleMalformedNonce = "apple-malformed-nonce"
    case appleNonce = "apple-nonce"
    case appleOtherKey = "apple-other-key"

    /// The meaning of a flaw, the kinds that can have it, and its detection.
    public struct Description: Sendable, Hashable {
        /// A short sentence.
        public let meaning: String
        /// The kinds of attestation that can have it.
        public let kinds: [AttestationKind]
        /// The step of a relying party's verification that detects it: `r16` for the statement, `r17` for trust.
        public let step: VerificationStep
        /// The relying party's reason.
        public let reason: String

        fileprivate init(
            _ meaning: String, _ kinds: [AttestationKind], _ reason: String,
            at step: VerificationStep = .attestationStatement
        ) {
            self.meaning = meaning
            // A TPM's statement can have the same flaws with either algorithm; a compound one ends with android-key.
            self.kinds =
                kinds.flatMap { $0 == .tpm ? [.tpm, .tpmRS1] : [$0] }
                + (kinds.contains(.androidKey) ? [.compound] : [])
            self.step = step
            self.reason = "attestation." + reason
        }
    }

    /// The meaning, the kinds that can have it, and the detection.
    public var description: Description {
        let certified: [AttestationKind] = [.packedBasic, .fidoU2F, .tpm, .androidKey, .apple]
        let signed: [AttestationKind] = [.packed, .packedBasic, .fidoU2F, .tpm, .androidKey]
        let strict: [AttestationKind] = [.packedBasic, .tpm]
        // fido-u2f has one certificate only (WebAuthn L3 §8.6).
        let withPath: [AttestationKind] = [.packedBasic, .tpm, .androidKey, .apple]
        return switch self {
        case .wrongSignature: .init("the signature is over other data", signed, "signatureInvalid")
        case .otherKey:
            .init("the signature was made with another key", [.packedBasic, .fidoU2F, .tpm], "signatureInvalid")
        case .credentialSignature:
            .init("the credential's key signed, not the certificate's", [.packedBasic], "signatureInvalid")
        case .algorithmMismatch:
            .init("alg is not the key's algorithm", [.packed, .packedBasic, .tpm], "algorithmMismatch")

        case .expired: .init("the certificate expired in 2021", certified, "certificate.expired", at: .attestationTrust)
        case .notYetValid:
            .init("the certificate is valid from 2055 on", certified, "certificate.notYetValid", at: .attestationTrust)
        case .wrongModel: .init("the certificate is for another AAGUID", strict, "certificate.aaguidMismatch")
        case .criticalModel: .init("the AAGUID extension is marked critical", strict, "certificate.aaguidCritical")
        case .malformedModel:
            .init("the AAGUID extension lacks its inner octet string", strict, "certificate.aaguidMalformed")
        case .authorityLeaf: .init("the certificate is a CA certificate", strict, "certificate.isCA")
        case .noBasicConstraints:
            .init("the certificate has no basic constraints", strict, "certificate.basicConstraints")
        case .oldVersion: .init("the certificate is X.509 version 1", strict, "certificate.version")
        case .missingUnit:
            .init("the subject lacks the OU “Authenticator Attestation”", [.packedBasic], "certificate.subject")
        case .missingCountry: .init("the subject lacks the C", [.packedBasic], "certificate.subject")
        case .unassignedCountry:
            .init("the C of the subject is ZZ, a code that is not assigned", [.packedBasic], "certificate.subject")
        case .missingOrganization: .init("the subject lacks the O", [.packedBasic], "certificate.subject")
        case .missingCommonName: .init("the subject lacks the CN", [.packedBasic], "certificate.subject")

        case .unknownRoot: .init("the root is unknown", certified, "untrusted", at: .attestationTrust)
        case .missingIntermediate:
            .init("the certificate's issuer is not in the path", certified, "untrusted", at: .attestationTrust)
        case .expiredIntermediate:
            .init(
                "the intermediate certificate expired in 2021", withPath, "certificate.expired", at: .attestationTrust)
        case .issuerNotAuthority:
            .init("the certificate's issuer is not a CA", withPath, "untrusted", at: .attestationTrust)
        case .issuerKeyUsage:
            .init(
                "the key usage of the certificate's issuer lacks keyCertSign", withPath, "untrusted",
                at: .attestationTrust)
        case .ownRoot:
            .init("the path includes its own self-signed root", withPath, "selfSignedRoot", at: .attestationTrust)
        case .wrongOrder: .init("the issuer precedes the leaf", [.packedBasic], "signatureInvalid")
        case .emptyPath: .init("x5c is empty", certified, "statementMalformed")
        case .garbageCertificate: .init("x5c holds no certificate", certified, "certificate.malformed")

        case .twoCertificates: .init("x5c holds two certificates", [.fidoU2F], "fidoU2F.certificateCount")
        case .wrongCurve: .init("the certificate's key is on P-384", [.fidoU2F], "fidoU2F.certificateKey")
        case .tpmMagic: .init("certInfo lacks the magic number of a TPM", [.tpm], "tpm.magic")
        case .tpmExtraData: .init("certInfo is for another ceremony", [.tpm], "tpm.extraDataMismatch")
        case .tpmName: .init("certInfo names another key than pubArea", [.tpm], "tpm.nameMismatch")
        case .tpmPublicArea: .init("pubArea describes another key", [.tpm], "tpm.keyMismatch")
        case .tpmUsage: .init("the certificate lacks tcg-kp-AIKCertificate", [.tpm], "tpm.certificate.extendedKeyUsage")
        case .tpmSubject: .init("the certificate's subject is not empty", [.tpm], "tpm.certificate.subjectNotEmpty")
        case .tpmNoName: .init("the certificate names no TPM manufacturer", [.tpm], "tpm.certificate.alternativeName")
        case .tpmManufacturer:
            .init("the TPM's manufacturer is the test one, id:FFFFF1D0", [.tpm], "tpm.certificate.manufacturer")
        case .tpmVersion: .init("ver is not 2.0", [.tpm], "tpm.version")
        case .androidNoDescription:
            .init("the certificate has no key description", [.androidKey], "androidKey.descriptionMissing")
        case .androidMalformedDescription:
            .init("the key description lacks its sequence", [.androidKey], "androidKey.descriptionMalformed")
        case .androidChallenge:
            .init("the key was made for another ceremony", [.androidKey], "androidKey.challengeMismatch")
        case .androidAllApplications:
            .init("all applications may use the key", [.androidKey], "androidKey.allApplications")
        case .androidOrigin: .init("the key was imported", [.androidKey], "androidKey.originNotGenerated")
        case .androidPurpose: .init("the key is not for signing", [.androidKey], "androidKey.purposeNotSign")
        case .androidOtherKey:
            .init("the certificate is for another credential", [.androidKey], "androidKey.keyMismatch")
        case .appleNoNonce: .init("the certificate has no nonce", [.apple], "apple.nonceMissing")
        case .appleMalformedNonce: .init("the nonce lacks its sequence", [.apple], "apple.nonceMalformed")
        case .appleNonce: .init("the nonce is for another ceremony", [.apple], "apple.nonceMismatch")
        case .appleOtherKey: .init("the certificate is for another key", [.apple], "apple.keyMismatch")
        }
    }
}
