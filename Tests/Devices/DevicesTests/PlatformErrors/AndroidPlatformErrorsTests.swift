import Biometrics
import Causes
import PlatformErrors
import TestSupport
import Testing

@Suite("Platform errors on Android")
struct AndroidPlatformErrorsTests {
    /// BiometricConstants: the existing values from 1 to 22, and the two beyond.
    @Test(
        arguments: [
            ("sensorBusy", 1, "ERROR_HW_UNAVAILABLE"), ("sensorFailed", 1, "ERROR_HW_UNAVAILABLE"),
            ("disabledByPolicy", 1, "ERROR_HW_UNAVAILABLE"), ("unableToProcess", 2, "ERROR_UNABLE_TO_PROCESS"),
            ("timedOut", 3, "ERROR_TIMEOUT"), ("noSpace", 4, "ERROR_NO_SPACE"),
            ("systemCancelled", 5, "ERROR_CANCELED"), ("appCancelled", 5, "ERROR_CANCELED"),
            ("unableToRemove", 6, "ERROR_UNABLE_TO_REMOVE"), ("lockedOut.timed", 7, "ERROR_LOCKOUT"),
            ("vendorError", 8, "ERROR_VENDOR"), ("vendorError", 1000, "VENDOR_BASE"),
            ("lockedOut.permanent", 9, "ERROR_LOCKOUT_PERMANENT"), ("userCancelled", 10, "ERROR_USER_CANCELED"),
            ("notEnrolled", 11, "ERROR_NO_BIOMETRICS"), ("sensorAbsent", 12, "ERROR_HW_NOT_PRESENT"),
            ("fallbackChosen", 13, "ERROR_NEGATIVE_BUTTON"), ("noDeviceCredential", 14, "ERROR_NO_DEVICE_CREDENTIAL"),
            ("securityUpdateRequired", 15, "ERROR_SECURITY_UPDATE_REQUIRED"),
            ("reEnrolRequired", 16, "ERROR_RE_ENROLL"),
            ("unknownError", 17, "ERROR_UNKNOWN"), ("sensorPrivacy", 18, "ERROR_SENSOR_PRIVACY_ENABLED"),
            ("powerPressed", 19, "ERROR_POWER_PRESSED"),
            ("identityCheckInactive", 20, "ERROR_IDENTITY_CHECK_NOT_ACTIVE"),
            ("notEnabledForApps", 21, "ERROR_NOT_ENABLED_FOR_APPS"),
            ("moreOptionsChosen", 22, "ERROR_CONTENT_VIEW_MORE_OPTIONS_BUTTON"),
            ("pausedRejected", 100, "PAUSED_REJECTED"),
        ] as [(String, Int, String)])
    func everyConstantHasItsCause(cause: String, code: Int, name: String) {
        #expect(Errors.of(cause, "biometric-prompt", on: .android).contains("\(code) \(name)"))
        #expect(!Errors.isUnverified(cause, "biometric-prompt", on: .android))
        #expect(Errors.of(cause, "biometric-prompt", on: .ios) == [])
    }

    @Test func nonMatchHasNoCode() {
        #expect(Errors.of("notRecognised", "biometric-prompt", on: .android) == ["onAuthenticationFailed"])
        // An Android prompt has no limit per prompt.
        #expect(Errors.of("attemptsExhausted", "biometric-prompt", on: .android) == [])
    }

    @Test(
        arguments: [
            ("success", 0, "BIOMETRIC_SUCCESS"), ("sensorBusy", 1, "BIOMETRIC_ERROR_HW_UNAVAILABLE"),
            ("notEnrolled", 11, "BIOMETRIC_ERROR_NONE_ENROLLED"), ("sensorAbsent", 12, "BIOMETRIC_ERROR_NO_HARDWARE"),
            ("securityUpdateRequired", 15, "BIOMETRIC_ERROR_SECURITY_UPDATE_REQUIRED"),
            ("identityCheckInactive", 20, "BIOMETRIC_ERROR_IDENTITY_CHECK_NOT_ACTIVE"),
            ("notEnabledForApps", 21, "BIOMETRIC_ERROR_NOT_ENABLED_FOR_APPS"),
            ("unknownError", 1, "BIOMETRIC_ERROR_HW_UNAVAILABLE"), ("statusUnknown", -1, "BIOMETRIC_STATUS_UNKNOWN"),
            ("authenticatorsUnsupported", -2, "BIOMETRIC_ERROR_UNSUPPORTED"),
        ] as [(String, Int, String)])
    func canAuthenticateAnswersBeforehand(cause: String, code: Int, name: String) {
        #expect(Errors.of(cause, "biometric-manager", on: .android) == ["\(code) \(name)"])
        // The two of androidx are general knowledge.
        #expect(Errors.isUnverified(cause, "biometric-manager", on: .android) == (code < 0))
    }

    @Test func onlyTheNewestFrameworkReportsALockoutBeforehand() {
        for cause in ["lockedOut.timed", "lockedOut.permanent"] {
            #expect(Errors.of(cause, "biometric-manager", on: .android) == ["0 BIOMETRIC_SUCCESS"])
            #expect(
                Errors.of(cause, "biometric-manager", on: .android, choosing: ["lockout-check": "lockout"])
                    == ["7 BIOMETRIC_ERROR_LOCKOUT"])
        }
    }

    /// The framework's types and the exceptions of androidx.credentials, create() and get() apart.
    @Test(
        arguments: [
            (
                "userCancelled", "TYPE_USER_CANCELED", "CreateCredentialCancellationException",
                "GetCredentialCancellationException"
            ),
            (
                "systemCancelled", "TYPE_INTERRUPTED", "CreateCredentialInterruptedException",
                "GetCredentialInterruptedException"
            ),
            ("unknownError", "TYPE_UNKNOWN", "CreateCredentialUnknownException", "GetCredentialUnknownException"),
            ("providerError", nil, "CreateCredentialCustomException", "GetCredentialCustomException"),
            (
                "providerMisconfigured", nil, "CreateCredentialProviderConfigurationException",
                "GetCredentialProviderConfigurationException"
            ),
            (
                "passkeysUnsupported", nil, "CreateCredentialUnsupportedException", "GetCredentialUnsupportedException"
            ),
            (
                "relyingPartyNotAllowed", nil, "CreatePublicKeyCredentialDomException",
                "GetPublicKeyCredentialDomException"
            ),
        ] as [(String, String?, String, String)])
    func credentialManagerThrowsOnePairForEachCause(cause: String, type: String?, create: String, get: String) {
        #expect(Errors.of(cause, "credential-manager", on: .android) == [type].compactMap(\.self))
        #expect(Errors.of(cause, "androidx-credentials", on: .android, during: .create) == [create])
        #expect(Errors.of(cause, "androidx-credentials", on: .android, during: .get) == [get])
        #expect(Errors.of(cause, "androidx-credentials", on: .android) == [create, get])
    }

    @Test func someExceptionsExistForOneOperationOnly() {
        #expect(Errors.of("noCreateOption", "credential-manager", on: .android) == ["TYPE_NO_CREATE_OPTIONS"])
        #expect(
            Errors.of("noCreateOption", "androidx-credentials", on: .android) == [
                "CreateCredentialNoCreateOptionException"
            ])
        #expect(Errors.of("noCredentials", "credential-manager", on: .android) == ["TYPE_NO_CREDENTIAL"])
        #expect(Errors.of("noCredentials", "androidx-credentials", on: .android) == ["NoCredentialException"])
        let cancels = ["allowed-credential-missing": "canceled"]
        #expect(
            Errors.of("noCredentials", "credential-manager", on: .android, choosing: cancels) == ["TYPE_USER_CANCELED"])
        #expect(
            Errors.of("credentialExcluded", "androidx-credentials", on: .android) == [
                "CreatePublicKeyCredentialDomException InvalidStateError"
            ])
    }

    /// androidx reports a missing feature of a provider as an error of the page's vocabulary.
    @Test(arguments: [
        ("googleSignInMissing", "CreatePublicKeyCredentialDomException"),
        ("syncAccountUnavailable", "CreatePublicKeyCredentialDomException"),
        ("providerCannotDecrypt", "GetPublicKeyCredentialDomException"),
    ])
    func aProviderFailureIsADOMException(cause: String, exception: String) {
        #expect(Errors.of(cause, "androidx-credentials", on: .android) == [exception])
    }

    @Test func keystoreHasItsOwnExceptions() {
        #expect(Errors.of("keyInvalidated", "keystore", on: .android) == ["KeyPermanentlyInvalidatedException"])
        #expect(!Errors.isUnverified("keyInvalidated", "keystore", on: .android))
        #expect(Errors.of("userNotAuthenticated", "keystore", on: .android) == ["UserNotAuthenticatedException"])
        #expect(!Errors.isUnverified("userNotAuthenticated", "keystore", on: .android))
        #expect(Errors.of("keyInvalidated", "keystore", on: .ios) == [])
    }

    /// The public numbers and those of the HAL, which differ.
    @Test(
        arguments: [
            ("good", 0, 1), ("partial", 1, 2), ("insufficient", 2, 3), ("sensorDirty", 3, 4), ("tooSlow", 4, 5),
            ("tooFast", 5, 6), ("vendor", 6, 7), ("start", nil, 8), ("tooDark", 2, 9), ("tooBright", 2, 10),
            ("immobile", 2, 11), ("retrying", nil, 12), ("unknown", nil, 0),
        ] as [(String, Int?, Int)])
    func aHintHasTwoNumbers(hint: String, shown: Int?, hal: Int) {
        let errors = PlatformErrorVocabulary(platform: .android).errors(ofHint: hint, modality: .fingerprint)
        #expect(errors.first { $0.interface == "fingerprint-acquired" }?.code == shown)
        #expect(errors.first { $0.interface == "hal-fingerprint-acquired" }?.code == hal)
        #expect(errors.allSatisfy { !$0.interface.contains("face") })
    }

    /// BiometricFaceConstants.
    @Test(
        arguments: [
            ("good", 0), ("insufficient", 1), ("tooBright", 2), ("tooDark", 3), ("tooClose", 4), ("tooFar", 5),
            ("tooHigh", 6), ("tooLow", 7), ("tooRight", 8), ("tooLeft", 9), ("lookedAway", 10), ("notDetected", 11),
            ("tooMuchMotion", 12), ("recalibrate", 13), ("tooDifferent", 14), ("tooSimilar", 15), ("panTooExtreme", 16),
            ("tiltTooExtreme", 17), ("rollTooExtreme", 18), ("faceObscured", 19), ("start", 20), ("sensorDirty", 21),
            ("vendor", 22), ("unknown", 23), ("firstFrame", 24), ("darkGlasses", 25), ("mouthCovered", 26),
        ])
    func faceSensorHasItsOwnNumbers(hint: String, shown: Int) {
        let errors = PlatformErrorVocabulary(platform: .android).errors(ofHint: hint, modality: .face)
        #expect(errors.first { $0.interface == "face-acquired" }?.code == shown)
    }

    @Test(arguments: AcquiredHint.allCases)
    func everyHintOfTheGateHasARow(hint: AcquiredHint) {
        #expect(PlatformErrorTable.shared.hint(hint.rawValue) != nil)
        #expect(!PlatformErrorVocabulary(platform: .android).errors(ofHint: hint.rawValue, modality: nil).isEmpty)
    }

    @Test(arguments: [
        ("unknownError", 0), ("sensorBusy", 1), ("unableToProcess", 2), ("timedOut", 3), ("noSpace", 4),
        ("systemCancelled", 5), ("unableToRemove", 6), ("vendorError", 7), ("sensorFailed", 8),
    ])
    func halHasItsOwnErrorNumbers(cause: String, code: Int) {
        let codes = PlatformErrorVocabulary(platform: .android).errors(of: Cause(cause)).filter {
            $0.interface == "hal-error"
        }
        .map(\.code)
        #expect(codes.contains(code))
    }
}
