/// Why a check does not hold: a label for programs and a sentence for people.
public struct Reason: Hashable, Sendable, Codable {
    /// The stable name of what is wrong.
    public let label: ReasonLabel
    /// What was found and what was expected.
    public let explanation: String

    /// A reason with its sentence.
    public init(_ label: ReasonLabel, _ explanation: String) {
        self.label = label
        self.explanation = explanation
    }
}

/// The stable name of one way a response can be wrong, such as `challenge.mismatch`.
///
/// The steps' own labels are listed here; an attestation format keeps its labels in its file. Labels that end in a
/// CBOR rule, such as `attestationObject.trailingBytes`, are made from ``CBOR/Rule``.
public struct ReasonLabel: RawRepresentable, Hashable, Sendable, Codable {
    /// The text.
    public let rawValue: String

    /// A label with this text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension ReasonLabel: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }
}

// The response and its credential ID: r1, a1.
extension ReasonLabel {
    /// The bytes are not the JSON of a response.
    public static let responseMalformed: ReasonLabel = "response.malformed"
    /// An assertion was sent to register, or an attestation to sign in.
    public static let responseWrongCeremony: ReasonLabel = "response.wrongCeremony"
    /// `type` is not `public-key`.
    public static let credentialTypeInvalid: ReasonLabel = "credential.typeInvalid"
    /// `id` is not the base64url form of `rawId`.
    public static let credentialIDMismatch: ReasonLabel = "credential.idMismatch"
    /// The attested credential ID is not `rawId`.
    public static let credentialAttestedIDMismatch: ReasonLabel = "credential.attestedIDMismatch"
    /// The credential is not in the list of allowed ones.
    public static let credentialNotAllowed: ReasonLabel = "credential.notAllowed"
}

// Client data: r2 to r7, a4.
extension ReasonLabel {
    public static let clientDataNotUTF8: ReasonLabel = "clientData.notUTF8"
    public static let clientDataNotJSON: ReasonLabel = "clientData.notJSON"
    public static let clientDataInvalidMember: ReasonLabel = "clientData.invalidMember"
    /// A member occurs twice, so that two readers may see two different values.
    public static let clientDataDuplicateMember: ReasonLabel = "clientData.duplicateMember"
    public static let clientDataTypeMismatch: ReasonLabel = "clientData.typeMismatch"
    public static let challengeMismatch: ReasonLabel = "challenge.mismatch"
    /// The relying party expected fewer than 16 bytes, which anyone could guess (WebAuthn L3 §13.4.3).
    public static let challengeTooShort: ReasonLabel = "challenge.tooShort"
    public static let challengeUnknown: ReasonLabel = "challenge.unknown"
    public static let challengeUsed: ReasonLabel = "challenge.used"
    public static let challengeExpired: ReasonLabel = "challenge.expired"
    public static let challengeOtherSession: ReasonLabel = "challenge.otherSession"
    public static let challengeOtherUser: ReasonLabel = "challenge.otherUser"
    public static let originUnexpected: ReasonLabel = "origin.unexpected"
    public static let crossOriginUnexpected: ReasonLabel = "crossOrigin.unexpected"
    public static let topOriginUnexpected: ReasonLabel = "topOrigin.unexpected"
    public static let topOriginNotAllowed: ReasonLabel = "topOrigin.notAllowed"
}

// The attestation object and authenticator data: r8 to r14, a5 to a8.
extension ReasonLabel {
    public static let attestationObjectMissingMember: ReasonLabel = "attestationObject.missingMember"
    public static let attestationObjectInvalidMember: ReasonLabel = "attestationObject.invalidMember"
    public static let authenticatorDataTruncated: ReasonLabel = "authenticatorData.truncated"
    public static let authenticatorDataSurplus: ReasonLabel = "authenticatorData.surplusBytes"
    public static let extensionsNotAMap: ReasonLabel = "authenticatorData.extensionsNotAMap"
    public static let attestedDataMissing: ReasonLabel = "attestedCredentialData.missing"
    /// An assertion carries attested credential data, which WebAuthn L3 §6.1 forbids.
    public static let attestedDataUnexpected: ReasonLabel = "attestedCredentialData.unexpected"
    public static let relyingPartyIDHashMismatch: ReasonLabel = "rpIdHash.mismatch"
    public static let userPresentMissing: ReasonLabel = "userPresent.missing"
    public static let userVerifiedMissing: ReasonLabel = "userVerified.missing"
    /// BS is set while BE is not.
    public static let backupStateWithoutEligibility: ReasonLabel = "backupState.withoutEligibility"
    public static let backupStateAgainstPolicy: ReasonLabel = "backupState.againstPolicy"
    public static let backupEligibilityAgainstPolicy: ReasonLabel = "backupEligibility.againstPolicy"
    public static let backupEligibilityChanged: ReasonLabel = "backupEligibility.changed"
}

// The credential's key and ID: r15, r18, r19.
extension ReasonLabel {
    public static let algorithmNotOffered: ReasonLabel = "algorithm.notOffered"
    /// The algorithm is not one this verifier works with.
    public static let algorithmUnsupported: ReasonLabel = "algorithm.unsupported"
    public static let publicKeyMalformed: ReasonLabel = "publicKey.malformed"
    public static let publicKeyMissingParameter: ReasonLabel = "publicKey.missingParameter"
    public static let publicKeyUnexpectedParameter: ReasonLabel = "publicKey.unexpectedParameter"
    public static let publicKeyTypeMismatch: ReasonLabel = "publicKey.keyTypeMismatch"
    public static let publicKeyCurveMismatch: ReasonLabel = "publicKey.curveMismatch"
    public static let publicKeyWrongLength: ReasonLabel = "publicKey.wrongLength"
    public static let publicKeyCompressed: ReasonLabel = "publicKey.compressedPoint"
    public static let publicKeyNotOnCurve: ReasonLabel = "publicKey.notOnCurve"
    /// An RSA modulus is shorter than 2048 or longer than 4096 bits.
    public static let publicKeyModulusSize: ReasonLabel = "publicKey.modulusSize"
    /// An RSA number is written with leading zeros.
    public static let publicKeyLeadingZero: ReasonLabel = "publicKey.leadingZero"
    public static let credentialIDTooLong: ReasonLabel = "credentialId.tooLong"
    public static let credentialIDEmpty: ReasonLabel = "credentialId.empty"
    public static let credentialIDRegisteredToUser: ReasonLabel = "credentialId.registeredToThisUser"
    public static let credentialIDRegisteredToOther: ReasonLabel = "credentialId.registeredToOtherUser"
}

// Attestation in general: r16, r17.
extension ReasonLabel {
    public static let attestationFormatUnsupported: ReasonLabel = "attestation.formatUnsupported"
    public static let attestationFormatNotAccepted: ReasonLabel = "attestation.formatNotAccepted"
    public static let attestationStatementMalformed: ReasonLabel = "attestation.statementMalformed"
    public static let attestationAlgorithmUnsupported: ReasonLabel = "attestation.algorithmUnsupported"
    /// The statement's algorithm is not that of the key that should have signed.
    public static let attestationAlgorithmMismatch: ReasonLabel = "attestation.algorithmMismatch"
    public static let attestationSignatureInvalid: ReasonLabel = "attestation.signatureInvalid"
    /// The signature is not an encoding its algorithm allows.
    public static let attestationSignatureMalformed: ReasonLabel = "attestation.signatureMalformed"
    public static let attestationCertificateMalformed: ReasonLabel = "attestation.certificate.malformed"
    public static let attestationCertificateExpired: ReasonLabel = "attestation.certificate.expired"
    public static let attestationCertificateNotYetValid: ReasonLabel = "attestation.certificate.notYetValid"
    public static let attestationNoneRefused: ReasonLabel = "attestation.noneNotAccepted"
    public static let attestationSelfRefused: ReasonLabel = "attestation.selfNotAccepted"
    /// No trust anchor is configured for this authenticator model.
    public static let attestationNoTrustAnchor: ReasonLabel = "attestation.noTrustAnchor"
    public static let attestationTrustAnchorMalformed: ReasonLabel = "attestation.trustAnchorMalformed"
    public static let attestationUntrusted: ReasonLabel = "attestation.untrusted"
    /// The path brings a self-signed certificate that is not one of the anchors.
    public static let attestationSelfSignedRoot: ReasonLabel = "attestation.selfSignedRoot"
    public static let attestationModelNotAccepted: ReasonLabel = "attestation.modelNotAccepted"
    /// The policy lists models, but this attestation does not prove one.
    public static let attestationModelUnproven: ReasonLabel = "attestation.modelUnproven"
}

// Extensions and the account: r21, r22.
extension ReasonLabel {
    public static let extensionUnsolicited: ReasonLabel = "extension.unsolicited"
    /// `credProps.rk` is false although a discoverable credential was required.
    public static let credentialNotDiscoverable: ReasonLabel = "credProps.notDiscoverable"
    public static let accountSwapped: ReasonLabel = "account.swapped"
}

// The user, the signature and the counter: a2, a3, a9, a10.
extension ReasonLabel {
    public static let credentialUnknown: ReasonLabel = "credential.unknown"
    public static let credentialOtherUser: ReasonLabel = "credential.otherUser"
    public static let userHandleMissing: ReasonLabel = "userHandle.missing"
    public static let userHandleMismatch: ReasonLabel = "userHandle.mismatch"
    public static let signatureInvalid: ReasonLabel = "signature.invalid"
    /// The signature is not an encoding its algorithm allows, such as ECDSA in anything but strict DER.
    public static let signatureMalformed: ReasonLabel = "signature.malformed"
    /// The relying party's own copy of the public key cannot be read.
    public static let storedKeyInvalid: ReasonLabel = "storedKey.invalid"
    public static let counterNotIncreased: ReasonLabel = "counter.notIncreased"
}
