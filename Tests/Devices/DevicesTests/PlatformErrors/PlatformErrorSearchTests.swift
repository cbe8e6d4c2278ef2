import Causes
import ErrorSearch
import PlatformErrors
import TestSupport
import Testing

@Suite("From a code in a log to its causes")
struct PlatformErrorSearchTests {
    private static func causes(_ query: String, on platform: Platform? = nil) -> Set<String> {
        Set(Lookup.verified(query, on: platform).map(\.outcome.cause.rawValue))
    }

    @Test(
        arguments: [
            ("LAError -8", ["lockedOut.permanent"]), ("la-error -8", ["lockedOut.permanent"]),
            ("biometryLockout", ["lockedOut.permanent"]), ("BiometricPrompt 7", ["lockedOut.timed"]),
            ("ASAuthorizationError 1006", ["credentialExcluded"]), ("WKErrorDomain 31", ["securityKeyTimedOut"]),
            ("NTE_EXISTS", ["credentialExcluded"]), ("webauthn.dll 0x8009000f", ["credentialExcluded"]),
            ("webauthn.dll -2146893809", ["credentialExcluded"]),
            ("CTAP 0x3C", ["lockedOut.timed", "lockedOut.permanent"]),
            ("UV_BLOCKED (0x3C)", ["lockedOut.timed", "lockedOut.permanent"]), ("KEY_REVOKED", ["keyInvalidated"]),
            ("errSecItemNotFound", ["keyInvalidated", "itemMissing"]),
            ("userconsentverificationresult 4", ["sensorBusy"]),
            ("LAErrorDomain Code=-8", ["lockedOut.permanent"]), ("LAError.biometryLockout", ["lockedOut.permanent"]),
            ("LAErrorBiometryLockout", ["lockedOut.permanent"]),
            ("FIDO_ERR_UV_BLOCKED", ["lockedOut.timed", "lockedOut.permanent"]),
            ("CTAP2_ERR_UV_BLOCKED 0x3c", ["lockedOut.timed", "lockedOut.permanent"]),
            ("clientPIN.builtInUV.lockedOut.timed", ["lockedOut.timed"]),
            ("LAError -99", []), ("", []), ("nothing like it", []),
        ] as [(String, Set<String>)])
    func codeFindsItsCauses(query: String, causes: Set<String>) {
        #expect(Self.causes(query) == causes)
    }

    @Test(
        arguments: [
            (
                "Error Domain=com.apple.LocalAuthentication Code=-8 \"Biometry is locked out.\" "
                    + "UserInfo={NSDebugDescription=Biometry is locked out., NSLocalizedDescription=Biometry is locked.}",
                ["lockedOut.permanent"]
            ),
            (
                "2026-03-01 09:12:44.713 App[412:99] Error Domain=WKErrorDomain Code=31 \"(null)\"",
                ["securityKeyTimedOut"]
            ),
            (
                "Error Domain=com.apple.AuthenticationServices.AuthorizationError Code=1006 \"(null)\"",
                ["credentialExcluded"]
            ),
            (
                "android.security.keystore.KeyPermanentlyInvalidatedException: Key permanently invalidated",
                ["keyInvalidated"]
            ),
            (
                "E/Login(7): android.security.keystore.KeyPermanentlyInvalidatedException at java.lang.Thread.run",
                ["keyInvalidated"]
            ),
            (
                "03-01 09:12:44.713 E/BiometricPrompt: errorCode=7 errString=Too many attempts. Try again later.",
                ["lockedOut.timed"]
            ),
            (
                "11-22 14:55:01.123 1000 5678 E BiometricPrompt: onAuthenticationError: 7 Too many attempts.",
                ["lockedOut.timed"]
            ),
            (
                "fido2-assert: fido_dev_get_assert: FIDO_ERR_UV_BLOCKED (0x3c)",
                ["lockedOut.timed", "lockedOut.permanent"]
            ),
            ("onAuthenticationError(13…)", ["fallbackChosen"]),
            ("onAuthenticationError(7, \"Too many attempts.\")", ["lockedOut.timed"]),
            ("The operation was canceled by the user after 7 seconds", []),
            ("Error Domain=com.apple.LocalAuthentication Code=-99 \"?\"", []),
        ] as [(String, Set<String>)])
    func aLineOfALogLeadsToItsCauses(line: String, causes: Set<String>) {
        #expect(Self.causes(line) == causes)
    }

    @Test func aClassWithItsPackageLeadsToItsCauses() {
        let line = "androidx.credentials.exceptions.NoCredentialException: No credentials available"
        #expect(Self.causes(line) == ["noCredentials"])
        let page =
            "NotAllowedError: The operation either timed out or was not allowed. See: https://www.w3.org/TR/webauthn-2/"
        #expect(Self.causes(page) == Self.causes("NotAllowedError"))
    }

    @Test func numberIsSearchedAtEveryInterface() {
        let cells = PlatformErrorSearch.shared.find("7").findings.flatMap(\.cells)
        #expect(Set(cells.map(\.interface)).isSuperset(of: ["biometric-prompt", "biometric-manager", "hal-error"]))
        #expect(cells.allSatisfy { $0.code.number == 7 })
    }

    @Test func searchCanBeRestrictedToAPlatform() {
        #expect(Self.causes("temporaryLockout", on: .ios) == [])
        #expect(Self.causes("temporaryLockout", on: .android) == ["lockedOut.timed"])
    }

    @Test func aStackTraceGivesARowForEachOfItsCodes() {
        let trace = """
            E/Login   ( 4711): sign-in failed
            androidx.credentials.exceptions.GetCredentialCancellationException: activity is cancelled by the user.
                at androidx.credentials.CredentialManagerImpl.onError(CredentialManagerImpl.kt:128)
            Caused by: android.security.keystore.KeyPermanentlyInvalidatedException: Key permanently invalidated
                at android.security.KeyStore2.a(KeyStore2.java:371)
            """
        let findings = PlatformErrorSearch.shared.find(trace).findings
        let causes = findings.map(\.outcome.cause.rawValue)
        #expect(causes.first == "userCancelled" && causes.contains("keyInvalidated"))
        #expect(findings.flatMap(\.cells).allSatisfy { ![128, 371, 4711].contains($0.code.number) })
    }

    @Test func anUnderlyingErrorHasARowOfItsOwn() {
        let line = """
            Error Domain=com.apple.AuthenticationServices.AuthorizationError Code=1004 "(null)" \
            UserInfo={NSUnderlyingError=0x600003f2c {Error Domain=com.apple.LocalAuthentication Code=-7 "No identities are enrolled."}}
            """
        let findings = PlatformErrorSearch.shared.find(line).findings
        #expect(findings.first?.outcome.cause == "notEnrolled")
        let cells = findings.flatMap(\.cells).map { "\($0.interface) \($0.code.number ?? 0)" }
        #expect(Set(cells).isSuperset(of: ["la-error -7", "as-authorization-error 1004"]))
    }

    @Test func aSentenceNarrowsDownTheCausesOfItsCode() {
        let line = "NotAllowedError: This request has been cancelled by the user."
        #expect(PlatformErrorSearch.shared.find(line).findings.map(\.outcome.cause) == ["userCancelled"])
    }

    @Test(
        arguments: [
            ("errSecItemNotFond", "errSecItemNotFound"), ("FIDO_ERR_PIN_INVALD", "FIDO_ERR_PIN_INVALID"),
            ("NotAlowedError", "NotAllowedError"), ("LAError -99", "LAError"), ("OSStatus -25288", "Keychain -25291"),
            ("4294942008", "Keychain -25291"), ("lockdOut.timed", "lockedOut.timed"),
            (
                "either the operation was timed out or it was not allowed",
                "“The operation either timed out or was not allowed”"
            ),
        ])
    func whereNothingFitsNearNamesAreGiven(query: String, near: String) {
        let answer = PlatformErrorSearch.shared.find(query)
        #expect(answer.findings.isEmpty)
        #expect(answer.near.contains { $0.hasPrefix(near) }, "\(answer.near)")
    }
}
