import Causes
import PlatformErrors
import TestSupport
import Testing

@Suite("Platform errors on Windows")
struct WindowsPlatformErrorsTests {
    @Test(
        arguments: [
            ("success", 0, "Verified"), ("verified.biometric", 0, "Verified"), ("sensorAbsent", 1, "DeviceNotPresent"),
            ("notEnrolled", 2, "NotConfiguredForUser"), ("noDeviceCredential", 2, "NotConfiguredForUser"),
            ("disabledByPolicy", 3, "DisabledByPolicy"), ("sensorBusy", 4, "DeviceBusy"),
            ("attemptsExhausted", 5, "RetriesExhausted"), ("lockedOut.permanent", 5, "RetriesExhausted"),
            ("userCancelled", 6, "Canceled"),
        ])
    func windowsHelloHasSevenAnswers(cause: String, code: Int, name: String) {
        #expect(Errors.of(cause, "user-consent-verifier", on: .windows) == ["\(code) \(name)"])
        #expect(!Errors.isUnverified(cause, "user-consent-verifier", on: .windows))
        #expect(Errors.of(cause, "user-consent-verifier", on: .macos) == [])
    }

    /// WebAuthNGetErrorName, which names the page's error for each.
    @Test(
        arguments: [
            ("credentialExcluded", 0x8009_000F, "InvalidStateError"), ("noCredentials", 0x8009_0011, "NotAllowedError"),
            ("userCancelled", 0x8009_0036, "NotAllowedError"), ("userCancelled", 0x8007_04C7, "NotAllowedError"),
            ("timedOut", 0x8007_05B4, "NotAllowedError"), ("residentKeyImpossible", 0x8009_0029, "ConstraintError"),
            ("noSupportedAlgorithm", 0x8009_0027, "NotSupportedError"),
        ])
    func resultMapsToTheExceptionOfItsHeader(cause: String, code: Int, exception: String) {
        let errors = PlatformErrorVocabulary(platform: .windows).errors(of: Cause(cause))
        #expect(errors.contains { $0.interface == "webauthn-dll" && $0.code == code })
        #expect(errors.contains { $0.interface == "dom-exception" && $0.name == exception })
    }

    @Test func resultsAreWrittenInHexadecimal() {
        let errors = PlatformErrorVocabulary(platform: .windows).errors(of: "credentialExcluded")
        #expect(errors.contains { $0.text == "webauthn.dll 0x8009000F NTE_EXISTS" })
    }

    /// All refusals by the user or on the user's behalf are one exception.
    @Test(arguments: ["userCancelled", "lockedOut.permanent", "timedOut", "attemptsExhausted", "sensorAbsent"])
    func pageReceivesOnlyNotAllowedError(cause: String) {
        #expect(Errors.of(cause, "dom-exception", on: .windows) == ["NotAllowedError"])
    }
}
