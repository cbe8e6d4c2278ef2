import Biometrics
import CTAP
import Devices
import Testing

@Suite("One cause, many faces")
struct OutcomeFacesTests {
    /// The platforms' own lists.
    static let laErrors: [Int: String] = [
        -1: "authenticationFailed", -2: "userCancel", -3: "userFallback", -4: "systemCancel", -5: "passcodeNotSet",
        -6: "biometryNotAvailable", -7: "biometryNotEnrolled", -8: "biometryLockout", -9: "appCancel",
        -10: "invalidContext", -1004: "notInteractive",
    ]
    static let asErrors: [Int: String] = [
        1000: "unknown", 1001: "canceled", 1002: "invalidResponse", 1003: "notHandled", 1004: "failed",
        1005: "notInteractive", 1006: "matchedExcludedCredential", 1010: "deviceNotConfiguredForPasskeyCreation",
    ]
    static let promptErrors: [Int: String] = [
        1: "ERROR_HW_UNAVAILABLE", 2: "ERROR_UNABLE_TO_PROCESS", 3: "ERROR_TIMEOUT", 4: "ERROR_NO_SPACE",
        5: "ERROR_CANCELED", 7: "ERROR_LOCKOUT", 8: "ERROR_VENDOR", 9: "ERROR_LOCKOUT_PERMANENT",
        10: "ERROR_USER_CANCELED", 11: "ERROR_NO_BIOMETRICS", 12: "ERROR_HW_NOT_PRESENT", 13: "ERROR_NEGATIVE_BUTTON",
        14: "ERROR_NO_DEVICE_CREDENTIAL", 15: "ERROR_SECURITY_UPDATE_REQUIRED",
    ]

    @Test(arguments: OutcomeFaces.table)
    func everyCodeIsThePlatformsOwn(row: OutcomeFaces) {
        if let code = row.laError { #expect(Self.laErrors[code.code] == code.name) }
        if let code = row.asAuthorizationError { #expect(Self.asErrors[code.code] == code.name) }
        if let code = row.biometricPrompt { #expect(Self.promptErrors[code.code] == code.name) }
    }

    /// What an app hears that asks for the person itself.
    @Test(
        arguments: [
            ("userCancelled", -2, 10), ("systemCancelled", -4, 5), ("appCancelled", -9, 5), ("fallbackChosen", -3, 13),
            // A prompt of Android's has no limit of its own, and one of Apple's no timed lockout.
            ("attemptsExhausted", -1, nil), ("lockedOut.timed", nil, 7), ("lockedOut.permanent", -8, 9),
            ("notEnrolled", -7, 11), ("noDeviceCredential", -5, 14), ("sensorAbsent", -6, 12), ("sensorBusy", -6, 1),
            ("sensorFailed", -6, 1), ("disabledByPolicy", -6, 1),
        ] as [(String, Int?, Int?)])
    func everyCauseHasTheCodesOfBothPlatforms(cause: String, la: Int?, prompt: Int?) {
        let faces = OutcomeFaces.of(cause)
        #expect(faces.cause == cause)
        #expect(faces.laError?.code == la)
        #expect(faces.biometricPrompt?.code == prompt)
    }

    @Test func pagesCanTellApartOnlyWhatTheyMay() {
        let exceptions = Dictionary(grouping: OutcomeFaces.table, by: \.domException).mapValues { $0.map(\.cause) }
        #expect(exceptions["AbortError"] == ["appCancelled"])
        #expect(exceptions["InvalidStateError"] == ["credentialExcluded"])
        #expect(exceptions[nil] == ["keyInvalidated"])
        #expect(Set(exceptions.keys) == ["NotAllowedError", "AbortError", "InvalidStateError", nil])
    }

    @Test func aDeadKeyLooksDifferentOnEachPlatform() {
        let faces = OutcomeFaces.of("keyInvalidated")
        #expect(faces.told(on: .ios) == ["Keychain errSecItemNotFound (-25300)"])
        #expect(faces.told(on: .android) == ["Keystore KeyPermanentlyInvalidatedException"])
        #expect(faces.told(on: .securityKey) == [])
    }

    @Test func anAppIsToldInTheWordsOfItsPlatform() {
        let faces = OutcomeFaces.of("lockedOut.permanent")
        #expect(
            faces.told(on: .ios) == [
                "DOMException NotAllowedError", "LAError -8 biometryLockout", "ASAuthorizationError 1001 canceled",
            ])
        #expect(
            faces.told(on: .android) == [
                "DOMException NotAllowedError", "BiometricPrompt 9 ERROR_LOCKOUT_PERMANENT",
                "CredentialManager TYPE_USER_CANCELED",
            ])
        #expect(faces.told(on: .securityKey) == ["DOMException NotAllowedError"])
    }

    @Test func aCauseWithoutARowIsWhatWebAuthnMakesOfEveryOtherFailure() {
        let faces = OutcomeFaces.of("something new")
        #expect(faces.told(on: .ios) == ["DOMException NotAllowedError"])
    }

    @Test func everyWordOfTheGateHasARow() {
        let failures: [GateFailure] = [
            .attemptsExhausted, .lockedOut(until: .zero), .lockedOutPermanently, .wrongCredential, .noDeviceCredential,
            .userCancelled, .systemCancelled, .appCancelled, .fallbackChosen, .timedOut, .sensorAbsent, .sensorBusy,
            .sensorFailed, .disabledByPolicy, .notEnrolled,
        ]
        let causes = OutcomeFaces.table.map(\.cause)
        for failure in failures { #expect(causes.contains(failure.label), "\(failure.label)") }
        #expect(Set(causes).count == causes.count)
    }

    @Test(arguments: [
        ("getAssertion.builtInUV.lockedOut.timed", "lockedOut.timed"),
        ("clientPIN.builtInUV.userCancelled", "userCancelled"), ("makeCredential.userDeclined", "userCancelled"),
        ("getAssertion.noAccountChosen", "userCancelled"), ("reset.userActionTimeout", "timedOut"),
        ("person.cancelledByPlatform", "appCancelled"), ("person.powerLost", "systemCancelled"),
        ("clientPIN.uvNotConfigured", "notEnrolled"), ("makeCredential.alwaysUvUnprotected", "notEnrolled"),
        ("makeCredential.credentialExcluded", "credentialExcluded"), ("getAssertion.noCredentials", "noCredentials"),
        ("message.truncated", "truncated"),
    ])
    func aRefusalHasTheCauseOfItsReason(label: String, cause: String) {
        #expect(Refusal(.other, RefusalReason(label, "")).cause == cause)
    }
}
