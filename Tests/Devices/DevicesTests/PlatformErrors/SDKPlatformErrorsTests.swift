import PlatformErrors
import TestSupport
import Testing

@Suite("Platform errors of SDKs")
struct SDKPlatformErrorsTests {
    /// LocalAuthExceptionCode, with the codes of each platform it comes from.
    @Test(
        arguments: [
            ("contextInvalid", "uiUnavailable", nil, nil), ("dimensionsInvalid", "uiUnavailable", nil, nil),
            ("uiUnavailable", "uiUnavailable", "uiUnavailable", nil),
            ("userCancelled", "userCanceled", "userCanceled", "false"),
            ("systemCancelled", "systemCanceled", "systemCanceled", "false"),
            ("fallbackChosen", "userRequestedFallback", "userCanceled", "false"), ("timedOut", nil, "timeout", nil),
            ("noDeviceCredential", "noCredentialsSet", "noCredentialsSet", nil),
            ("notEnrolled", "noBiometricsEnrolled", "noBiometricsEnrolled", "noBiometricsEnrolled"),
            ("sensorAbsent", "noBiometricHardware", "noBiometricHardware", "noBiometricHardware"),
            ("sensorNotPaired", "noBiometricHardware", nil, nil),
            ("sensorDisconnected", "biometricHardwareTemporarilyUnavailable", nil, nil),
            (
                "sensorBusy", nil, "biometricHardwareTemporarilyUnavailable", "biometricHardwareTemporarilyUnavailable"
            ),
            ("lockedOut.timed", nil, "temporaryLockout", nil),
            ("lockedOut.permanent", "biometricLockout", "biometricLockout", "false"),
            ("noSpace", nil, "deviceError", nil), ("securityUpdateRequired", nil, "deviceError", nil),
            ("disabledByPolicy", nil, nil, "deviceError"),
            ("unknownError", "unknownError", "unknownError", "unknownError"),
            ("companionUnavailable", "unknownError", nil, nil), ("vendorError", nil, "unknownError", nil),
            ("promptInProgress", nil, "authInProgress", nil), ("attemptsExhausted", "false", nil, "false"),
            ("appCancelled", "false", nil, nil), ("success", "true", "true", "true"),
        ] as [(String, String?, String?, String?)])
    func localAuthThrowsItsOwnCodes(cause: String, ios: String?, android: String?, windows: String?) {
        for (platform, name) in [(Platform.ios, ios), (.android, android), (.windows, windows)] {
            guard let name else { continue }
            #expect(Errors.of(cause, "flutter-local-auth", on: platform) == [name], "\(platform)")
        }
        #expect(Errors.of(cause, "flutter-local-auth", on: .securityKey) == [])
    }

    /// The strings local_auth had before.
    @Test(
        arguments: [
            ("sensorAbsent", "NotAvailable", "NotAvailable"), ("notEnrolled", "NotEnrolled", "NotEnrolled"),
            ("noDeviceCredential", "PasscodeNotSet", "NotAvailable"),
            ("lockedOut.permanent", "false", "PermanentlyLockedOut"),
            ("lockedOut.timed", nil, "LockedOut"), ("systemCancelled", "false", "false"),
            ("userCancelled", "NotAvailable", "false"), ("appCancelled", "NotAvailable", "false"),
            ("platformUnsupported", "OtherOperatingSystem", "OtherOperatingSystem"),
        ] as [(String, String?, String?)])
    func olderLocalAuthThrowsStrings(cause: String, ios: String?, android: String?) {
        for (platform, name) in [(Platform.ios, ios), (.android, android)] {
            guard let name else { continue }
            #expect(Errors.of(cause, "flutter-local-auth-legacy", on: platform) == [name])
        }
    }

    @Test(arguments: [
        ("userCancelled", "user_canceled"), ("noCredentials", "no_credential"), ("sdkTokenNotSet", "token_not_set"),
        ("sdkTokenRequired", "token_required"), ("sdkTokenInvalid", "token_invalid"),
        ("credentialExcluded", "invalid_state_error"), ("relyingPartyNotAllowed", "dom_error"),
        ("systemCancelled", "unexpected_error"), ("offline", "network_error"), ("sdkFailed", "sdk_error"),
        ("sdkCredentialUnknown", "invalid_credential"),
    ])
    func authsignalHasItsOwnCodes(cause: String, code: String) {
        #expect(Errors.of(cause, "authsignal", on: .android) == [code])
    }

    /// The same cause with two errors: the guide on a missing passkey.
    @Test func authsignalCallsAMissingPasskeyACancellationOnIOS() {
        #expect(Errors.of("noCredentials", "authsignal", on: .ios) == ["user_canceled"])
        #expect(Errors.of("noCredentials", "authsignal", on: .android) == ["no_credential"])
    }

    @Test func authsignalNamesAnExcludedCredentialOnIOS() {
        #expect(Errors.of("credentialExcluded", "authsignal", on: .ios) == ["matched_excluded_credential"])
    }

    /// ErrorExtension.swift has no 1005, and MessageHandler.java cancels when none of the allowed credentials exists.
    @Test func corbadoReportsAMissingPasskeyInTheMessageOnly() {
        let code = { (platform: Platform, choices: [String: String]) in
            Errors.of("noCredentials", "corbado-passkeys", on: platform, choosing: choices)
        }
        #expect(code(.android, ["allowed-credential-missing": "canceled"]) == ["PasskeyAuthCancelled"])
        #expect(code(.ios, ["no-credential": "notInteractive"]) == ["Unhandled"])
    }

    @Test(
        arguments: [
            ("userCancelled", .android, "PasskeyAuthCancelled"), ("noCredentials", .android, "NoCredentialsAvailable"),
            ("noCredentials", .ios, "NoCredentialsAvailable"),
            ("credentialExcluded", .ios, "ExcludeCredentialsCanNotBeRegistered"),
            ("domainNotAssociated", .ios, "DomainNotAssociated"), ("passkeysUnsupported", .ios, "DeviceNotSupported"),
            ("googleSignInMissing", .android, "MissingGoogleSignIn"),
            ("syncAccountUnavailable", .android, "SyncAccountNotAvailable"),
            ("providerCannotDecrypt", .android, "SyncAccountNotAvailable"),
            ("noCreateOption", .android, "NoCreateOption"),
            ("timedOut", .android, "Timeout"), ("passkeysUnsupported", .android, "PasskeyUnsupported"),
            ("challengeInvalid", .ios, "MalformedBase64Url"), ("unknownError", .ios, "Unhandled"),
        ] as [(String, Platform, String)])
    func corbadoThrowsTwelveExceptions(cause: String, platform: Platform, name: String) {
        #expect(Errors.of(cause, "corbado-passkeys", on: platform) == [name])
    }

    @Test(
        arguments: [
            ("passkeysUnsupported", .ios, "NotSupported"), ("requestFailed", .ios, "RequestFailed"),
            ("userCancelled", .ios, "UserCancelled"), ("challengeInvalid", .ios, "InvalidChallenge"),
            ("optionsInvalid", .ios, "InvalidUserId"), ("appMisconfigured", .ios, "BadConfiguration"),
            ("noCredentials", .android, "NoCredentials"), ("systemCancelled", .android, "Interrupted"),
            ("securityKeyTimedOut", .ios, "TimedOut"), ("unknownError", .android, "UnknownError"),
            ("unknownError", .ios, "Unknown error"), ("providerError", .android, "UnknownError"),
            ("providerMisconfigured", .android, "NotConfigured"),
            ("relyingPartyNotAllowed", .android, "the DOM error's text"), ("notEnrolled", .ios, "RequestFailed"),
        ] as [(String, Platform, String)])
    func reactNativePasskeyHasItsOwnWords(cause: String, platform: Platform, name: String) {
        #expect(Errors.of(cause, "react-native-passkey", on: platform) == [name])
    }

    @Test(
        arguments: [
            ("sensorAbsent", .ios, "NOT_AVAILABLE"), ("notEnrolled", .android, "NOT_ENROLLED"),
            ("lockedOut.permanent", .ios, "LOCKED_OUT"), ("lockedOut.timed", .android, "LOCKED_OUT"),
            ("lockedOut.permanent", .android, "PERMANENTLY_LOCKED_OUT"),
            ("noDeviceCredential", .ios, "PASSCODE_NOT_SET"),
            ("userCancelled", .android, "USER_CANCELED"), ("fallbackChosen", .ios, "USER_CANCELED"),
            ("systemCancelled", .ios, "SYSTEM_CANCELED"), ("appCancelled", .ios, "SYSTEM_CANCELED"),
            ("attemptsExhausted", .ios, "AUTHENTICATION_FAILED"), ("contextInvalid", .ios, "UNKNOWN"),
            ("keyInvalidated", .ios, "KEY_REVOKED"), ("keyInvalidated", .android, "KEY_REVOKED"),
        ] as [(String, Platform, String)])
    func codenameOneReportsARevokedKey(cause: String, platform: Platform, name: String) {
        #expect(Errors.of(cause, "codename-one", on: platform) == [name])
    }
}
