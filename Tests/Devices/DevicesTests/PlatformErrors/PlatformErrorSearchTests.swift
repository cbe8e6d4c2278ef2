import Causes
import PlatformErrors
import TestSupport
import Testing

@Suite("From a code in a log to its causes")
struct PlatformErrorSearchTests {
    private static func causes(_ query: String, on platform: Platform? = nil) -> Set<String> {
        Set(
            PlatformErrorTable.shared.search(query).filter { match in
                platform.map(match.cell.platforms.contains) ?? true
            }.filter { !$0.cell.isUnverified }.map(\.outcome.cause.rawValue))
    }

    @Test(
        arguments: [
            ("LAError -8", ["lockedOut.permanent"]), ("la-error -8", ["lockedOut.permanent"]),
            ("biometryLockout", ["lockedOut.permanent"]), ("BiometricPrompt 7", ["lockedOut.timed"]),
            ("ASAuthorizationError 1006", ["credentialExcluded"]), ("WKErrorDomain 31", ["securityKeyTimedOut"]),
            ("KeyPermanentlyInvalidatedException", ["keyInvalidated"]), ("NTE_EXISTS", ["credentialExcluded"]),
            ("webauthn.dll 0x8009000f", ["credentialExcluded"]), ("webauthn.dll -2146893809", ["credentialExcluded"]),
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

    @Test func numberIsSearchedAtEveryInterface() {
        let layers = Set(PlatformErrorTable.shared.search("7").map(\.interface.id))
        #expect(layers.isSuperset(of: ["biometric-prompt", "biometric-manager", "hal-error"]))
        #expect(PlatformErrorTable.shared.search("7").allSatisfy { $0.cell.code.number == 7 })
    }

    @Test func searchCanBeRestrictedToAPlatform() {
        #expect(Self.causes("temporaryLockout", on: .ios) == [])
        #expect(Self.causes("temporaryLockout", on: .android) == ["lockedOut.timed"])
    }
}
