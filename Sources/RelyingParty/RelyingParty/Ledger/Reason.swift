/// The reason for a failed check: a label for programs and an explanation for the user.
public struct Reason: Hashable, Sendable, Codable {
    /// The stable name of the problem.
    public let label: ReasonLabel
    /// The finding and the expectation.
    public let explanation: String

    package init(_ label: ReasonLabel, _ explanation: String) {
        self.label = label
        self.explanation = explanation
    }
}

/// The stable name of a problem in a response, such as `challenge.mismatch`.
///
/// Labels that end in a CBOR rule, such as `attestationObject.trailingBytes`, are composed from `CBOR.Rule`. Each
/// attestation format declares its labels in its own file.
public struct ReasonLabel: RawRepresentable, Hashable, Sendable, Codable {
    /// The label's text.
    public let rawValue: String

    /// Creates a label with this text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension ReasonLabel: ExpressibleByStringLiteral {
    /// Creates a label with this text.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}

// The response and its credential ID: r1, a1.
extension ReasonLabel {
    /// The bytes are not a response in JSON.
    package static let responseMalformed: ReasonLabel = "response.malformed"
    /// The response is an assertion in a registration, or an attestation in an authentication.
    package static let responseWrongCeremony: ReasonLabel = "response.wrongCeremony"
    /// `type` is not `public-key`.
    package static let credentialTypeInvalid: ReasonLabel = "credential.typeInvalid"
    /// `id` is not the base64url form of `rawId`.
    package static let credentialIDMismatch: ReasonLabel = "credential.idMismatch"
    /// `authenticatorData` beside the attestation object has other bytes than that in it.
    package static let responseAuthenticatorDataMismatch: ReasonLabel = "response.authenticatorDataMismatch"
    /// `publicKey` beside the attestation object is not the credential's key as `SubjectPublicKeyInfo`.
    package static let responsePublicKeyMismatch: ReasonLabel = "response.publicKeyMismatch"
    /// `publicKeyAlgorithm` beside the attestation object is not the algorithm of the credential's key.
    package static let responseAlgorithmMismatch: ReasonLabel = "response.publicKeyAlgorithmMismatch"
    /// The attested credential ID is not `rawId`.
    package static let credentialAttestedIDMismatch: ReasonLabel = "credential.attestedIDMismatch"
    package static let credentialNotAllowed: ReasonLabel = "credential.notAllowed"
}

// Client data: r2 to r7, a4.
extension ReasonLabel {
    package static let clientDataNotUTF8: ReasonLabel = "clientData.notUTF8"
    package static let clientDataNotJSON: ReasonLabel = "clientData.notJSON"
    package static let clientDataInvalidMember: ReasonLabel = "clientData.invalidMember"
    /// A member occurs twice, so that two parsers may read different values.
    package static let clientDataDuplicateMember: ReasonLabel = "clientData.duplicateMember"
    package static let clientDataTypeMismatch: ReasonLabel = "clientData.typeMismatch"
    package static let challengeMismatch: ReasonLabel = "challenge.mismatch"
    /// The expected challenge has fewer than 16 bytes, which can be guessed (WebAuthn L3 §13.4.3).
    package static let challengeTooShort: ReasonLabel = "challenge.tooShort"
    package static let challengeUnknown: ReasonLabel = "challenge.unknown"
    package static let challengeUsed: ReasonLabel = "challenge.used"
    package static let challengeExpired: ReasonLabel = "challenge.expired"
    package static let challengeOtherSession: ReasonLabel = "challenge.otherSession"
    package static let challengeOtherUser: ReasonLabel = "challenge.otherUser"
    package static let originUnexpected: ReasonLabel = "origin.unexpected"
    /// `tokenBinding` claims a token binding (Level 2).
    package static let tokenBindingUnexpected: ReasonLabel = "tokenBinding.unexpected"
    package static let tokenBindingMalformed: ReasonLabel = "tokenBinding.malformed"
    package static let crossOriginUnexpected: ReasonLabel = "crossOrigin.unexpected"
    package static let topOriginUnexpected: ReasonLabel = "topOrigin.unexpected"
    package static let topOriginNotAllowed: ReasonLabel = "topOrigin.notAllowed"
}

// The attestation object and authenticator data: r8 to r14, a5 to a8.
extension ReasonLabel {
    package static let attestationObjectMissingMember: ReasonLabel = "attestationObject.missingMember"
    package static let attestationObjectInvalidMember: ReasonLabel = "attestationObject.invalidMember"
    package static let authenticatorDataTruncated: ReasonLabel = "authenticatorData.truncated"
    package static let authenticatorDataSurplus: ReasonLabel = "authenticatorData.surplusBytes"
    package static let extensionsNotAMap: ReasonLabel = "authenticatorData.extensionsNotAMap"
    package static let attestedDataMissing: ReasonLabel = "attestedCredentialData.missing"
    /// An assertion carries attested credential data, which WebAuthn L3 §6.1 forbids.
    package static let attestedDataUnexpected: ReasonLabel = "attestedCredentialData.unexpected"
    package static let relyingPartyIDHashMismatch: ReasonLabel = "rpIdHash.mismatch"
    package static let userPresentMissing: ReasonLabel = "userPresent.missing"
    package static let userVerifiedMissing: ReasonLabel = "userVerified.missing"
    package static let backupStateWithoutEligibility: ReasonLabel = "backupState.withoutEligibility"
    package static let backupStateAgainstPolicy: ReasonLabel = "backupState.againstPolicy"
    package static let backupEligibilityAgainstPolicy: ReasonLabel = "backupEligibility.againstPolicy"
    package static let backupEligibilityChanged: ReasonLabel = "backupEligibility.changed"
}

// The credential's key and ID: r15, r18, r19.
extension ReasonLabel {
    package static let algorithmNotOffered: ReasonLabel = "algorithm.notOffered"
    package static let algorithmUnsupported: ReasonLabel = "algorithm.unsupported"
    package static let publicKeyMalformed: ReasonLabel = "publicKey.malformed"
    package static let publicKeyMissingParameter: ReasonLabel = "publicKey.missingParameter"
    package static let publicKeyUnexpectedParameter: ReasonLabel = "publicKey.unexpectedParameter"
    package static let publicKeyTypeMismatch: ReasonLabel = "publicKey.keyTypeMismatch"
    package static let publicKeyCurveMismatch: ReasonLabel = "publicKey.curveMismatch"
    package static let publicKeyWrongLength: ReasonLabel = "publicKey.wrongLength"
    package static let publicKeyCompressed: ReasonLabel = "publicKey.compressedPoint"
    package static let publicKeyNotOnCurve: ReasonLabel = "publicKey.notOnCurve"
    /// An RSA modulus is shorter than 2048 or longer than 4096 bits.
    package static let publicKeyModulusSize: ReasonLabel = "publicKey.modulusSize"
    package static let publicKeyLeadingZero: ReasonLabel = "publicKey.leadingZero"
    package static let credentialIDTooLong: ReasonLabel = "credentialId.tooLong"
    package static let credentialIDEmpty: ReasonLabel = "credentialId.empty"
    package static let credentialIDRegisteredToUser: ReasonLabel = "credentialId.registeredToThisUser"
    package static let credentialIDRegisteredToOther: ReasonLabel = "credentialId.registeredToOtherUser"
}

// Attestation in general: r16, r17.
extension ReasonLabel {
    package static let attestationFormatUnsupported: ReasonLabel = "attestation.formatUnsupported"
    package static let attestationFormatNotAccepted: ReasonLabel = "attestation.formatNotAccepted"
    package static let attestationMemberUnknown: ReasonLabel = "attestation.memberUnknown"
    package static let attestationStatementMalformed: ReasonLabel = "attestation.statementMalformed"
    package static let attestationAlgorithmUnsupported: ReasonLabel = "attestation.algorithmUnsupported"
    /// The statement's algorithm is not the algorithm of the signing key.
    package static let attestationAlgorithmMismatch: ReasonLabel = "attestation.algorithmMismatch"
    package static let attestationSignatureInvalid: ReasonLabel = "attestation.signatureInvalid"
    package static let attestationSignatureMalformed: ReasonLabel = "attestation.signatureMalformed"
    package static let attestationCertificateMalformed: ReasonLabel = "attestation.certificate.malformed"
    package static let attestationCertificateExpired: ReasonLabel = "attestation.certificate.expired"
    package static let attestationCertificateNotYetValid: ReasonLabel = "attestation.certificate.notYetValid"
    package static let attestationCertificateRevoked: ReasonLabel = "attestation.certificate.revoked"
    package static let attestationNoneRefused: ReasonLabel = "attestation.noneNotAccepted"
    package static let attestationSelfRefused: ReasonLabel = "attestation.selfNotAccepted"
    package static let attestationNoTrustAnchor: ReasonLabel = "attestation.noTrustAnchor"
    package static let attestationTrustAnchorMalformed: ReasonLabel = "attestation.trustAnchorMalformed"
    package static let attestationUntrusted: ReasonLabel = "attestation.untrusted"
    /// The path contains a self-signed certificate that is not one of the anchors.
    package static let attestationSelfSignedRoot: ReasonLabel = "attestation.selfSignedRoot"
    /// The path contains the anchor, which the relying party has anyway.
    package static let attestationAnchorInPath: ReasonLabel = "attestation.anchorInPath"
    package static let attestationModelNotAccepted: ReasonLabel = "attestation.modelNotAccepted"
    /// The policy lists models, but this attestation does not prove one.
    package static let attestationModelUnproven: ReasonLabel = "attestation.modelUnproven"
}

// Extensions and the account: r21, r22.
extension ReasonLabel {
    package static let extensionUnsolicited: ReasonLabel = "extension.unsolicited"
    /// `credProtect` is lower than requested.
    package static let credentialProtectionWeaker: ReasonLabel = "credProtect.weaker"
    /// `credProps.rk` is false although a discoverable credential was required.
    package static let credentialNotDiscoverable: ReasonLabel = "credProps.notDiscoverable"
    package static let accountSwapped: ReasonLabel = "account.swapped"
}

// The user, the signature and the counter: a2, a3, a9, a10.
extension ReasonLabel {
    package static let credentialUnknown: ReasonLabel = "credential.unknown"
    package static let credentialOtherUser: ReasonLabel = "credential.otherUser"
    package static let userHandleMissing: ReasonLabel = "userHandle.missing"
    package static let userHandleMismatch: ReasonLabel = "userHandle.mismatch"
    package static let signatureInvalid: ReasonLabel = "signature.invalid"
    /// The signature's encoding is invalid for its algorithm, such as ECDSA outside strict DER.
    package static let signatureMalformed: ReasonLabel = "signature.malformed"
    package static let storedKeyInvalid: ReasonLabel = "storedKey.invalid"
    package static let counterNotIncreased: ReasonLabel = "counter.notIncreased"
}
