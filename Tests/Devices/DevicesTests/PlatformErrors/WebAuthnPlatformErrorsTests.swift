import PlatformErrors
import TestSupport
import Testing

@Suite("Platform errors of a page")
struct WebAuthnPlatformErrorsTests {
    /// WebAuthn L3 §5.1.3 for create(), §5.1.4 for get().
    @Test(
        arguments: [
            ("userCancelled", "NotAllowedError", "NotAllowedError"),
            ("attemptsExhausted", "NotAllowedError", "NotAllowedError"),
            ("lockedOut.timed", "NotAllowedError", "NotAllowedError"),
            ("lockedOut.permanent", "NotAllowedError", "NotAllowedError"),
            ("timedOut", "NotAllowedError", "NotAllowedError"), ("noCredentials", nil, "NotAllowedError"),
            ("credentialExcluded", "InvalidStateError", nil), ("excludedWithoutConsent", "NotAllowedError", nil),
            ("notEnrolled", "ConstraintError", "NotAllowedError"), ("residentKeyImpossible", "ConstraintError", nil),
            ("noSupportedAlgorithm", "NotSupportedError", nil),
            ("relyingPartyNotAllowed", "SecurityError", "SecurityError"),
            ("client.rpIDMismatch", "SecurityError", "SecurityError"), ("appCancelled", "AbortError", "AbortError"),
            ("requestMalformed", "UnknownError", "UnknownError"), ("optionsInvalid", "TypeError", "TypeError"),
            ("client.userIDLength", "TypeError", "TypeError"),
        ] as [(String, String?, String?)])
    func createAndGetHaveTheirExceptions(cause: String, create: String?, get: String?) {
        for platform in Platform.allCases {
            #expect(Errors.of(cause, "dom-exception", on: platform, during: .create) == [create].compactMap(\.self))
            #expect(Errors.of(cause, "dom-exception", on: platform, during: .get) == [get].compactMap(\.self))
        }
    }

    @Test func impossibleRequirementFollowsTheChosenVariant() {
        let hides = ["impossible-requirement": "notAllowedError"]
        for cause in ["notEnrolled", "residentKeyImpossible"] {
            #expect(
                Errors.of(cause, "dom-exception", on: .macos, during: .create, choosing: hides) == ["NotAllowedError"])
        }
    }

    /// Chromium's mapping of NTE_TOKEN_KEYSET_STORAGE_FULL.
    @Test func aFullKeyStoreIsAConstraintErrorOnWindows() {
        #expect(Errors.of("keyStoreFull", "dom-exception", on: .windows) == ["ConstraintError"])
        #expect(Errors.of("keyStoreFull", "dom-exception", on: .securityKey) == ["NotAllowedError"])
    }

    @Test func storageCausesHaveNoExceptions() {
        for row in PlatformErrorTable.shared.outcomes where row.group == "storage" {
            #expect(!row.cells.contains { $0.interface == "dom-exception" }, "\(row.cause)")
        }
    }

    /// Pages distinguish only the causes that WebAuthn exposes.
    @Test func gateCausesShowOnlyNotAllowedExceptAborts() {
        for row in PlatformErrorTable.shared.outcomes where row.group == "gate" && row.cause != "success" {
            let names = Set(row.cells.filter { $0.interface == "dom-exception" }.map(\.code.name))
            switch row.cause {
            case "appCancelled": #expect(names == ["AbortError"])
            case "notEnrolled": #expect(names == ["ConstraintError", "NotAllowedError"])
            case "notRecognised": #expect(names == [])
            default: #expect(names == ["NotAllowedError"], "\(row.cause)")
            }
        }
    }
}
