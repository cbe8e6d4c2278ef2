import Causes
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
            ("securityKeyTimedOut", .ios, "TimedOut"), ("unknownError", .android, "Unknown error"),
            ("unknownError", .ios, "Unknown error"), ("providerError", .android, "Unknown error"),
            ("providerMisconfigured", .android, "NotConfigured"),
            ("relyingPartyNotAllowed", .android, "RequestFailed"), ("notEnrolled", .ios, "RequestFailed"),
            ("credentialExcluded", .ios, "CredentialAlreadyExists"), ("domainNotAssociated", .ios, "RequestFailed"),
            ("credentialExcluded", .android, "CredentialAlreadyExists"),
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

    @Test(
        arguments: [
            ("userCancelled", "react-native-passkeys", .get, "ERR_USER_CANCELLED", "UserCancelled"),
            ("lockedOut.permanent", "react-native-passkeys", .check, "ERR_BIOMETRIC", nil),
            ("credentialExcluded", "react-native-passkeys", .create, "ERR_UNKNOWN", "DomError"),
            ("domainNotAssociated", "react-native-passkeys", .get, "ERR_PASSKEY_REQUEST_FAILED", "DomError"),
            ("noCredentials", "react-native-passkeys", .get, "ERR_USER_CANCELLED", "NoCredentials"),
            ("userCancelled", "react-native-biometrics", .verify, "User cancellation", "User cancellation"),
            ("lockedOut.permanent", "react-native-biometrics", .verify, "biometric_error", "the prompt's text"),
            ("userCancelled", "react-native-biometrics", .read, "storage_error", "User cancellation"),
            ("lockedOut.permanent", "react-native-biometrics", .read, "storage_error", "the prompt's text"),
            ("notEnrolled", "react-native-biometrics", .check, nil, "BIOMETRIC_ERROR_NONE_ENROLLED"),
            ("keyInvalidated", "react-native-biometrics", .read, "storage_error", "Error signing payload"),
            (
                "notEnrolled", "react-native-biometrics", .store, "storage_error",
                "Error generating public private keys"
            ),
            ("lockedOut.permanent", "react-native-keychain", .read, "E_AUTH_ERROR", "E_BIOMETRIC_LOCKOUT_PERMANENT"),
            ("lockedOut.permanent", "react-native-keychain", .check, "E_BIOMETRIC_LOCKOUT", nil),
            ("noDeviceCredential", "react-native-keychain", .check, "E_PASSCODE_NOT_SET", nil),
            ("userCancelled", "react-native-keychain", .read, "E_AUTH_CANCELED", "E_AUTH_CANCELED"),
            ("keyInvalidated", "react-native-keychain", .read, nil, "E_AUTH_INVALIDATED"),
            ("deviceLocked", "react-native-keychain", .read, "E_AUTH_INTERACTION_NOT_ALLOWED", nil),
            ("lockedOut.timed", "expo-local-authentication", .verify, nil, "lockout"),
            ("lockedOut.permanent", "expo-local-authentication", .verify, "lockout", "lockout"),
            ("fallbackChosen", "expo-local-authentication", .verify, "user_fallback", "user_cancel"),
            ("noDeviceCredential", "expo-local-authentication", .verify, "passcode_not_set", "not_enrolled"),
            ("notEnrolled", "expo-local-authentication", .verify, "not_enrolled", "not_available"),
            ("userCancelled", "expo-secure-store", .read, "ERR_KEY_CHAIN", "ERR_AUTHENTICATION"),
            ("notEnrolled", "expo-secure-store", .store, "ERR_KEY_CHAIN", "ERR_AUTHENTICATION"),
            ("itemMissing", "expo-secure-store", .read, nil, nil),
        ] as [(String, String, PlatformOperation, String?, String?)])
    func packagesOfReactNativeAndExpo(
        cause: String, layer: String, operation: PlatformOperation, ios: String?, android: String?
    ) {
        for (platform, name) in [(Platform.ios, ios), (.android, android)] {
            let names = Errors.of(cause, layer, on: platform, during: operation)
            if let name { #expect(names == [name], "\(platform)") }
        }
    }

    /// The modules of the JavaScript client throw the only code that a cause has; `getImmediate` has its own for one.
    @Test func packagesOfReactNativeAndExpoHaveOneCodeForEachCause() {
        let layers: [String: [PlatformOperation]] = [
            "react-native-passkey": [.create, .get], "react-native-passkeys": [.create, .get, .check],
            "react-native-biometrics": [.verify, .check, .read, .store],
            "react-native-keychain": [.verify, .check, .read, .store],
            "expo-local-authentication": [.verify, .check], "expo-secure-store": [.read, .store],
        ]
        let groups = ["gate", "storage", "ceremony"]
        for platform in [Platform.ios, .android] {
            let words = PlatformErrorVocabulary(platform: platform)
            for row in PlatformErrorTable.shared.outcomes where groups.contains(row.group) {
                for (layer, operations) in layers {
                    for operation in operations {
                        let codes = words.errors(of: row.cause, reachingCallerDuring: operation).filter {
                            $0.interface == layer
                        }
                        let isImmediate = layer == "react-native-passkey" && row.cause == "noCredentials"
                        #expect(
                            codes.count <= (isImmediate ? 2 : 1),
                            "\(row.cause) \(layer) \(platform) \(operation): \(codes.map(\.name))")
                    }
                }
            }
        }
    }

    /// A package passes on the sentence of its platform, or has its own.
    @Test(
        arguments: [
            ("userCancelled", "expo-secure-store", .ios, .read, "User canceled the operation."),
            ("lockedOut.timed", "expo-secure-store", .android, .read, "Lockout. Too many attempts. Try again later."),
            ("userCancelled", "react-native-passkey", .android, .get, "The user cancelled the request."),
            ("lockedOut.permanent", "la-error", .ios, .verify, "Biometry is locked out."),
            (
                "credentialExcluded", "react-native-passkeys", .android, .create,
                "One of the excluded credentials exists on the local device"
            ),
            ("userCancelled", "expo-local-authentication", .ios, .verify, nil),
        ] as [(String, String, Platform, PlatformOperation, String?)])
    func errorsComeWithTheirSentences(
        cause: String, layer: String, platform: Platform, operation: PlatformOperation, message: String?
    ) throws {
        let errors = PlatformErrorVocabulary(platform: platform).errors(
            of: Cause(cause), reachingCallerDuring: operation)
        #expect(try #require(errors.first { $0.interface == layer }).message == message)
    }
}
