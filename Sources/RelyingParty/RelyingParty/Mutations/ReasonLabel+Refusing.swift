internal import CBOR

extension ReasonLabel {
    /// Every label that can refuse a response: those that are declared, and those composed from the rules of CBOR.
    static let refusing: [ReasonLabel] = declared + composed

    private static let composed: [ReasonLabel] = ["attestationObject", "authenticatorData"].flatMap { part in
        // A truncated item has the label of truncated authenticator data.
        CBOR.Rule.allCases.map { ReasonLabel(rawValue: "\(part).\($0.rawValue)") }.filter { !declared.contains($0) }
    }

    private static let declared: [ReasonLabel] = [
        .responseMalformed, .responseWrongCeremony, .credentialTypeInvalid, .credentialIDMismatch,
        .credentialAttestedIDMismatch, .credentialNotAllowed, .clientDataNotUTF8, .clientDataNotJSON,
        .clientDataInvalidMember, .clientDataDuplicateMember, .clientDataTypeMismatch, .challengeMismatch,
        .challengeTooShort, .challengeUnknown, .challengeUsed, .challengeExpired, .challengeOtherSession,
        .challengeOtherUser, .originUnexpected, .tokenBindingUnexpected, .tokenBindingMalformed,
        .crossOriginUnexpected, .topOriginUnexpected, .topOriginNotAllowed, .attestationObjectMissingMember,
        .attestationObjectInvalidMember, .authenticatorDataTruncated, .authenticatorDataSurplus, .extensionsNotAMap,
        .attestedDataMissing, .attestedDataUnexpected, .relyingPartyIDHashMismatch, .userPresentMissing,
        .userVerifiedMissing, .backupStateWithoutEligibility, .backupStateAgainstPolicy,
        .backupEligibilityAgainstPolicy, .backupEligibilityChanged, .algorithmNotOffered, .algorithmUnsupported,
        .publicKeyMalformed, .publicKeyMissingParameter, .publicKeyUnexpectedParameter, .publicKeyTypeMismatch,
        .publicKeyCurveMismatch, .publicKeyWrongLength, .publicKeyCompressed, .publicKeyNotOnCurve,
        .publicKeyModulusSize, .publicKeyLeadingZero, .credentialIDTooLong, .credentialIDEmpty,
        .credentialIDRegisteredToUser, .credentialIDRegisteredToOther, .attestationFormatUnsupported,
        .attestationFormatNotAccepted, .attestationStatementMalformed, .attestationAlgorithmUnsupported,
        .attestationAlgorithmMismatch, .attestationSignatureInvalid, .attestationSignatureMalformed,
        .attestationCertificateMalformed, .attestationCertificateExpired, .attestationCertificateNotYetValid,
        .attestationCertificateRevoked, .attestationNoneRefused, .attestationSelfRefused, .attestationNoTrustAnchor,
        .attestationTrustAnchorMalformed, .attestationUntrusted, .attestationSelfSignedRoot,
        .attestationModelNotAccepted, .attestationModelUnproven, .extensionUnsolicited, .credentialProtectionWeaker,
        .credentialNotDiscoverable, .accountSwapped, .credentialUnknown, .credentialOtherUser, .userHandleMissing,
        .userHandleMismatch, .signatureInvalid, .signatureMalformed, .storedKeyInvalid, .counterNotIncreased,
        .certificateVersion, .certificateIsCA, .certificateBasicConstraints, .certificateAAGUIDCritical,
        .certificateAAGUIDMalformed, .certificateAAGUIDMismatch, .certificateSubject, .attestationNoneNotEmpty,
        .fidoU2FCertificateCount, .fidoU2FCertificateKey, .fidoU2FCredentialKey, .fidoU2FModelNotZero, .tpmVersion,
        .tpmPublicAreaMalformed, .tpmKeyMismatch, .tpmCertInfoMalformed, .tpmMagic, .tpmType, .tpmExtraDataMismatch,
        .tpmNameMismatch, .tpmCertificateSubject, .tpmCertificateName, .tpmCertificateManufacturer,
        .tpmCertificateUsage, .androidKeyMismatch, .androidKeyDescriptionMissing, .androidKeyDescriptionMalformed,
        .androidKeyChallengeMismatch, .androidKeyAllApplications, .androidKeyOrigin, .androidKeyPurpose,
        .appleNonceMissing, .appleNonceMalformed, .appleNonceMismatch, .appleKeyMismatch, .compoundCount,
        .compoundNested, .compoundQuorum, .metadataAttestationType, .metadataAlgorithm, .metadataStatusRefused,
    ]
}
