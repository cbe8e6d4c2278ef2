public import WebAuthn

/// A single error in an attestation, as from a faulty device, a careless vendor or an attacker.
///
/// ``description`` gives the verification step and the reason with which a relying party detects it.
public enum AttestationFlaw: String, Hashable, Sendable, CaseIterable {
    // The signature.
    case wrongSignature = "wrong-signature"
    case otherKey = "other-key"
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
    // The path.
    case unknownRoot = "unknown-root"
    case missingIntermediate = "missing-intermediate"
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
    case tpmVersion = "tpm-version"
    case androidChallenge = "android-challenge"
    case androidAllApplications = "android-all-applications"
    case androidOrigin = "android-origin"
    case androidPurpose = "android-purpose"
    case androidOtherKey = "android-other-key"
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
    }

    /// The meaning, the kinds that can have it, and the detection.
    public var description: Description {
        let (meaning, kinds, step, reason) = details
        // A compound statement's last part is android-key.
        let compound: [AttestationKind] = kinds.contains(.androidKey) ? [.compound] : []
        return Description(meaning: meaning, kinds: kinds + compound, step: step, reason: "attestation." + reason)
    }

    private static let certified: [AttestationKind] = [.packedBasic, .fidoU2F, .tpm, .androidKey, .apple]
    private static let signed: [AttestationKind] = [.packed, .packedBasic, .fidoU2F, .tpm, .androidKey]
    private static let strict: [AttestationKind] = [.packedBasic, .tpm]

    private var details: (String, [AttestationKind], VerificationStep, String) {
        switch self {
        case .wrongSignature:
            ("the signature is over other data", Self.signed, .attestationStatement, "signatureInvalid")
        case .otherKey:
            (
                "the signature was made with another key", [.packedBasic, .fidoU2F, .tpm], .attestationStatement,
                "signatureInvalid"
            )
        case .algorithmMismatch:
            (
                "alg is not the key's algorithm", [.packed, .packedBasic, .tpm], .attestationStatement,
                "algorithmMismatch"
            )
        case .expired: ("the certificate expired in 2021", Self.certified, .attestationTrust, "certificate.expired")
        case .notYetValid:
            ("the certificate is valid from 2055 on", Self.certified, .attestationTrust, "certificate.notYetValid")
        case .wrongModel:
            ("the certificate is for another AAGUID", Self.strict, .attestationStatement, "certificate.aaguidMismatch")
        case .criticalModel:
            (
                "the AAGUID extension is marked critical", Self.strict, .attestationStatement,
                "certificate.aaguidCritical"
            )
        case .malformedModel:
            (
                "the AAGUID extension lacks its inner octet string", Self.strict, .attestationStatement,
                "certificate.aaguidMalformed"
            )
        case .authorityLeaf:
            ("the certificate is a CA certificate", Self.strict, .attestationStatement, "certificate.isCA")
        case .noBasicConstraints:
            (
                "the certificate has no basic constraints", Self.strict, .attestationStatement,
                "certificate.basicConstraints"
            )
        case .oldVersion:
            ("the certificate is X.509 version 1", Self.strict, .attestationStatement, "certificate.version")
        case .missingUnit:
            (
                "the subject lacks the OU “Authenticator Attestation”", [.packedBasic], .attestationStatement,
                "certificate.subject"
            )
        case .missingCountry: ("the subject lacks the C", [.packedBasic], .attestationStatement, "certificate.subject")
        case .unknownRoot: ("the root is unknown", Self.certified, .attestationTrust, "untrusted")
        case .missingIntermediate:
            ("the certificate's issuer is not in the path", Self.certified, .attestationTrust, "untrusted")
        case .ownRoot:
            (
                "the path includes its own self-signed root", [.packedBasic, .tpm, .androidKey, .apple],
                .attestationTrust,
                "selfSignedRoot"
            )
        case .wrongOrder:
            ("the issuer precedes the leaf", [.packedBasic], .attestationStatement, "signatureInvalid")
        case .emptyPath: ("x5c is empty", Self.certified, .attestationStatement, "statementMalformed")
        case .garbageCertificate:
            ("x5c holds no certificate", Self.certified, .attestationStatement, "certificate.malformed")
        case .twoCertificates:
            ("x5c holds two certificates", [.fidoU2F], .attestationStatement, "fidoU2F.certificateCount")
        case .wrongCurve:
            ("the certificate's key is on P-384", [.fidoU2F], .attestationStatement, "fidoU2F.certificateKey")
        case .tpmMagic: ("certInfo lacks the magic number of a TPM", [.tpm], .attestationStatement, "tpm.magic")
        case .tpmExtraData:
            ("certInfo is for another ceremony", [.tpm], .attestationStatement, "tpm.extraDataMismatch")
        case .tpmName: ("certInfo names another key than pubArea", [.tpm], .attestationStatement, "tpm.nameMismatch")
        case .tpmPublicArea: ("pubArea describes another key", [.tpm], .attestationStatement, "tpm.keyMismatch")
        case .tpmUsage:
            (
                "the certificate lacks tcg-kp-AIKCertificate", [.tpm], .attestationStatement,
                "tpm.certificate.extendedKeyUsage"
            )
        case .tpmSubject:
            ("the certificate's subject is not empty", [.tpm], .attestationStatement, "tpm.certificate.subjectNotEmpty")
        case .tpmNoName:
            (
                "the certificate names no TPM manufacturer", [.tpm], .attestationStatement,
                "tpm.certificate.alternativeName"
            )
        case .tpmVersion: ("ver is not 2.0", [.tpm], .attestationStatement, "tpm.version")
        case .androidChallenge:
            (
                "the key was made for another ceremony", [.androidKey], .attestationStatement,
                "androidKey.challengeMismatch"
            )
        case .androidAllApplications:
            ("all applications may use the key", [.androidKey], .attestationStatement, "androidKey.allApplications")
        case .androidOrigin:
            ("the key was imported", [.androidKey], .attestationStatement, "androidKey.originNotGenerated")
        case .androidPurpose:
            ("the key is not for signing", [.androidKey], .attestationStatement, "androidKey.purposeNotSign")
        case .androidOtherKey:
            (
                "the certificate is for another credential", [.androidKey], .attestationStatement,
                "androidKey.keyMismatch"
            )
        case .appleNonce: ("the nonce is for another ceremony", [.apple], .attestationStatement, "apple.nonceMismatch")
        case .appleOtherKey:
            ("the certificate is for another key", [.apple], .attestationStatement, "apple.keyMismatch")
        }
    }
}
