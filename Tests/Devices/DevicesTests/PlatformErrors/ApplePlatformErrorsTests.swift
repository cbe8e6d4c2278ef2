import PlatformErrors
import TestSupport
import Testing

@Suite("Platform errors on iOS and macOS")
struct ApplePlatformErrorsTests {
    /// LAError.h, every code with its cause.
    @Test(
        arguments: [
            ("attemptsExhausted", -1, "authenticationFailed"), ("userCancelled", -2, "userCancel"),
            ("fallbackChosen", -3, "userFallback"), ("systemCancelled", -4, "systemCancel"),
            ("noDeviceCredential", -5, "passcodeNotSet"), ("sensorAbsent", -6, "biometryNotAvailable"),
            ("permissionDenied", -6, "biometryNotAvailable"), ("notEnrolled", -7, "biometryNotEnrolled"),
            ("lockedOut.permanent", -8, "biometryLockout"), ("appCancelled", -9, "appCancel"),
            ("contextInvalid", -10, "invalidContext"), ("companionUnavailable", -11, "companionNotAvailable"),
            ("dimensionsInvalid", -14, "invalidDimensions"), ("uiUnavailable", -1004, "notInteractive"),
        ] as [(String, Int, String)])
    func everyTriggerHasItsLAError(cause: String, code: Int, name: String) {
        for platform in [Platform.ios, .macos] {
            #expect(Errors.of(cause, "la-error", on: platform) == ["\(code) \(name)"])
            #expect(!Errors.isUnverified(cause, "la-error", on: platform))
        }
    }

    @Test func onlyMacsReportAccessoriesWithSensors() {
        #expect(Errors.of("sensorNotPaired", "la-error", on: .macos) == ["-12 biometryNotPaired"])
        // With the lid closed or the accessory removed, either of the two errors occurs.
        #expect(
            Errors.of("sensorDisconnected", "la-error", on: .macos) == [
                "-13 biometryDisconnected", "-6 biometryNotAvailable",
            ])
        #expect(Errors.of("sensorNotPaired", "la-error", on: .ios) == ["-6 biometryNotAvailable"])
    }

    @Test func timedLockoutIsNotReported() {
        #expect(Errors.of("lockedOut.timed", "la-error", on: .ios) == [])
        #expect(Errors.of("lockedOut.timed", "as-authorization-error", on: .macos) == [])
    }

    /// ASAuthorizationError.h.
    @Test(
        arguments: [
            ("unknownError", 1000, "unknown"), ("userCancelled", 1001, "canceled"),
            ("responseInvalid", 1002, "invalidResponse"), ("requestNotHandled", 1003, "notHandled"),
            ("requestFailed", 1004, "failed"), ("domainNotAssociated", 1004, "failed"),
            ("notEnrolled", 1004, "failed"), ("uiUnavailable", 1005, "notInteractive"),
            ("credentialExcluded", 1006, "matchedExcludedCredential"),
            ("credentialImportFailed", 1007, "credentialImport"),
            ("credentialExportFailed", 1008, "credentialExport"),
            ("signInWithApplePreferred", 1009, "preferSignInWithApple"),
            ("noDeviceCredential", 1010, "deviceNotConfiguredForPasskeyCreation"),
        ] as [(String, Int, String)])
    func everyASAuthorizationErrorHasItsCause(cause: String, code: Int, name: String) {
        for platform in [Platform.ios, .macos] {
            #expect(Errors.of(cause, "as-authorization-error", on: platform, during: .create) == ["\(code) \(name)"])
        }
    }

    @Test func olderSystemsReportThroughWebKit() {
        let older = ["excluded-credential": "webKit8", "passkey-without-setup": "1004"]
        #expect(Errors.of("credentialExcluded", "as-authorization-error", on: .ios, choosing: older) == [])
        #expect(Errors.of("credentialExcluded", "wk-error", on: .ios, choosing: older) == ["8 credentialExcluded"])
        #expect(Errors.of("credentialExcluded", "wk-error", on: .ios) == [])
        #expect(
            Errors.of("noDeviceCredential", "as-authorization-error", on: .ios, during: .create, choosing: older)
                == ["1004 failed"])
        #expect(Errors.of("securityKeyTimedOut", "wk-error", on: .ios) == ["31 securityKeyTimedOut"])
    }

    @Test func missingPasskeyFollowsTheChosenVariant() {
        let layer = "as-authorization-error"
        #expect(Errors.of("noCredentials", layer, on: .ios, during: .get) == ["1001 canceled"])
        #expect(
            Errors.of("noCredentials", layer, on: .ios, during: .get, choosing: ["no-credential": "notInteractive"])
                == ["1005 notInteractive"])
        #expect(Errors.of("noCredentials", layer, on: .ios, during: .create) == [])
    }

    @Test(
        arguments: [
            ("keyInvalidated", -25300, "errSecItemNotFound"), ("itemMissing", -25300, "errSecItemNotFound"),
            ("lockedOut.permanent", -25293, "errSecAuthFailed"), ("userCancelled", -128, "errSecUserCanceled"),
            ("deviceLocked", -25308, "errSecInteractionNotAllowed"),
            ("beforeFirstUnlock", -25308, "errSecInteractionNotAllowed"), ("success", 0, "errSecSuccess"),
        ] as [(String, Int, String)])
    func keychainReportsAnOSStatus(cause: String, code: Int, name: String) {
        #expect(Errors.of(cause, "keychain", on: .ios) == ["\(code) \(name)"])
        #expect(Errors.of(cause, "keychain", on: .android) == [])
    }

    @Test func unconfirmedAppleErrorsAreMarked() {
        #expect(Errors.isUnverified("timedOut", "la-error", on: .ios))
        #expect(Errors.isUnverified("deviceLocked", "keychain", on: .ios))
        #expect(!Errors.isUnverified("lockedOut.permanent", "keychain", on: .ios))
    }
}
