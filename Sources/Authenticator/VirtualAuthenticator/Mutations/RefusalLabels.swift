/// The labels of the refusals that a request, the user or the power can cause.
///
/// Failures inside the device, such as those of its storage, are not among them, nor are refusals of extensions that CTAP
/// does not define (`largeBlob` of phones, `previewSign`).
package enum RefusalLabels {
    /// The refusals without which the command goes on.
    static let conditional = table([
        "makeCredential": credentialCommands + [
            "userIDTooLong", "rkUnsupported", "upFalse", "userVerificationRequired",
            "enterpriseAttestationUnsupported", "enterpriseAttestationValue", "excludeListTooLong",
            "credentialExcluded", "keyStoreFull",
        ],
        "getAssertion": credentialCommands + ["rkPresent", "allowListTooLong"],
        "getNextAssertion": ["expired"],
        "clientPIN": [
            "pinAlreadySet", "pinUvAuthParamInvalid", "pinUnchanged", "pinNotSet", "pinBlocked",
            "pinBlockedUntilPowerCycle", "newPINPadding", "pinPolicyViolation", "pinTooSimple", "pinMustChange",
            "uvNotConfigured", "permissionsNotAllowed", "permissionsZero", "permissionUnsupported",
            "persistentPermissionNotAlone",
        ],
        "reset": presence + ["touchTooShort", "transportNotAccepted", "tooLateAfterPowerUp"],
        "selection": presence,
        "bioEnrollment": token + [
            "modalityUnknown", "nothingEnrolled", "friendlyNameTooLong", "storeFull", "noSuchEnrolment",
        ],
        "credentialManagement": token + ["tokenBoundToOtherRelyingParty", "noCredentials", "otherUser"],
        "largeBlobs": token + [
            "neitherOrBothOfGetAndSet", "lengthWithGet", "pinUvAuthWithGet", "fragmentTooLong", "offsetBeyondEnd",
            "storageFull", "lengthTooSmall", "lengthAfterFirstFragment", "offsetNotNext", "moreThanLength",
            "checksumWrong",
        ],
        "config": token + [
            "vendorCommandUnknown", "alwaysUvCannotBeDisabled", "minPinLengthUnsupported", "minPINLengthOutOfRange",
            "forceChangeWithoutPIN", "tooManyRelyingParties", "pinComplexityPolicyUnsupported",
        ],
        "hmacSecret": ["saltAuthInvalid", "upFalse", "notEnabled"],
        "largeBlobKey": ["false", "notDiscoverable"],
        "message": ["tooLarge"],
        "person": ["cancelledByPlatform", "powerLost"],
    ])

    /// The refusals without which the command lacks a value.
    static let unconditional = table([
        "makeCredential": protocols + ["noSupportedAlgorithm"],
        "makeCredential.builtInUV": verification,
        "getAssertion": protocols + ["noCredentials", "keyAgreementInvalid"],
        "getAssertion.builtInUV": verification,
        "getNextAssertion": ["nothingPending"],
        "clientPIN": [
            "parameterMissing", "protocolUnsupported", "keyAgreementInvalid", "pinMismatch", "newPINUndecipherable",
            "unknownSubcommand",
        ],
        "clientPIN.builtInUV": verification,
        "bioEnrollment": protocols + [
            "parameterMissing", "pinUvAuthParamMissing", "templateUnknown", "unknownSubcommand",
        ],
        "credentialManagement": protocols + [
            "parameterMissing", "pinUvAuthParamMissing", "nothingPending", "noSuchCredential", "unknownSubcommand",
        ],
        "largeBlobs": protocols + ["pinUvAuthParamMissing", "offsetMissing", "lengthMissing"],
        "config": protocols + ["parameterMissing", "pinUvAuthParamMissing", "unknownSubcommand"],
        "hmacSecret": ["protocolUnsupported", "saltLength"],
        "credProtect": ["unknownLevel"],
        "message": [
            "empty", "unknownCommand", "missingParameter", "unexpectedType", "duplicateKey", "indefiniteLength",
            "invalidSimpleValue", "invalidUTF8", "nonMinimalInteger", "reservedAdditionalInformation", "tagNotAllowed",
            "trailingBytes", "truncated", "unsortedKeys",
        ],
    ])

    package static let all = conditional + unconditional

    /// The authorisation and the user presence of the two commands for credentials.
    private static let credentialCommands =
        token + presence + [
            "zeroLengthPinUvAuthParam", "tokenBoundToOtherRelyingParty", "tokenUserNotVerified", "uvNotConfigured",
            "alwaysUvUnprotected", "alwaysUvWithoutVerification", "clientDataHashLength",
        ]
    private static let token = ["pinUvAuthParamInvalid", "permissionMissing"]
    private static let protocols = ["pinUvAuthProtocolMissing", "pinUvAuthProtocolUnsupported"]
    private static let presence = ["userDeclined", "userActionTimeout", "tapMissing"]
    private static let verification = [
        "timedOut", "userCancelled", "attemptsExhausted", "lockedOut.permanent",
    ]

    /// Each scope with its names.
    private static func table(_ names: [String: [String]]) -> [String] {
        names.sorted { $0.key < $1.key }.flatMap { scope, names in names.map { "\(scope).\($0)" } }
    }
}
