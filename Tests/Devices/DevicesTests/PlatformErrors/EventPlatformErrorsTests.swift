import Biometrics
import CTAP
import Causes
import DeviceProfiles
import Documents
import Foundation
import PlatformErrors
import ProfileFiles
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator

@Suite("Platform errors in a device's log")
struct EventPlatformErrorsTests {
    private static func events(_ device: Device) -> [EventDescription] {
        device.device.log.all.map { EventDescription($0, in: device.device.profile.platformErrors) }
    }

    private static func texts(_ event: EventDescription?, _ kinds: Set<PlatformInterface.Kind>) -> [String] {
        (event?.platformErrors ?? []).filter { $0.kind.map(kinds.contains) ?? false }.map(\.text)
    }

    @Test func lockoutCarriesEveryErrorOfItsPlatform() async throws {
        let phone = try Device("samsung-fingerprint")
        try await phone.register()
        phone.person.willDo(Array(repeating: .nonMatch, count: 5))
        _ = try await phone.signIn()
        let gate = try #require(Self.events(phone).last { $0.kind == "gate" })
        #expect(gate.cause == "lockedOut.timed")
        let platform = Self.texts(gate, [.platform])
        #expect(platform.first == "BiometricPrompt 7 ERROR_LOCKOUT")
        #expect(platform.contains("CredentialManager TYPE_USER_CANCELED"))
        #expect(Self.texts(gate, [.sdk]).contains("Flutter local_auth temporaryLockout"))
        #expect(!platform.contains { $0.hasPrefix("LAError") })
    }

    @Test func refusalShowsTheSentStatus() async throws {
        let phone = try Device("iphone-face-id")
        try await phone.register()
        phone.person.willDo([.cancelByUser])
        _ = try await phone.signIn()
        let answer = try #require(Self.events(phone).last)
        #expect(answer.kind == "answer")
        #expect(answer.cause == "userCancelled")
        let errors = try #require(answer.platformErrors)
        #expect(errors.first?.text == "DOMException NotAllowedError")
        #expect(errors.dropFirst().first?.text == "CTAP 0x27 OPERATION_DENIED")
        #expect(errors.contains { $0.interface == "la-error" && $0.code == -2 })
        #expect(errors.contains { $0.interface == "authsignal" && $0.name == "user_canceled" })
    }

    /// With a PIN the option's status differs from the table's.
    @Test func sentStatusReplacesTheTablesStatus() {
        let event = AuthenticatorEvent(
            at: .zero,
            kind: .answer(
                .getAssertion, .puatRequired,
                Refusal(.puatRequired, RefusalReason("getAssertion.builtInUV", "timedOut", ""))))
        let errors = EventDescription(event, in: PlatformErrorVocabulary(platform: .securityKey)).platformErrors ?? []
        #expect(errors.filter { $0.interface == "ctap" }.map(\.code) == [0x36])
    }

    @Test func ceremonyShowsOnlyItsOwnErrors() {
        func exceptions(_ command: CTAPCommand) -> [String] {
            let refusal = Refusal(.invalidOption, RefusalReason("x", "notEnrolled", as: "uvNotConfigured", ""))
            let event = AuthenticatorEvent(at: .zero, kind: .answer(command, refusal.status, refusal))
            return (EventDescription(event, in: PlatformErrorVocabulary(platform: .android)).platformErrors ?? [])
                .filter { $0.interface == "dom-exception" }.map(\.name)
        }
        #expect(exceptions(.makeCredential) == ["ConstraintError"])
        #expect(exceptions(.getAssertion) == ["NotAllowedError"])
        #expect(exceptions(.clientPIN) == ["ConstraintError", "NotAllowedError"])
    }

    @Test func refusedPromptAndUnreadSecretAreOutcomes() async throws {
        let phone = try Device("iphone-face-id")
        try await phone.storage.store([1], as: "token", protection: .init(.currentSet))
        await phone.device.setSensor(.absent)
        _ = await phone.storage.read("token")
        let events = Self.events(phone)
        #expect(events.first { $0.kind == "gate" && $0.text.contains("refused") }?.cause == "sensorAbsent")
        let read = try #require(events.last)
        #expect(read.kind == "device")
        #expect(read.text == "app cannot read token: sensorAbsent")
        #expect(Self.texts(read, [.platform]).contains("LAError -6 biometryNotAvailable"))
    }

    @Test func destroyedKeyHasAnErrorOnEachPlatform() async throws {
        for (profile, expected) in [
            ("iphone-face-id", ["Keychain -25300 errSecItemNotFound"]),
            ("pixel-fingerprint", ["Keystore KeyPermanentlyInvalidatedException"]),
        ] {
            let phone = try Device(profile)
            try await phone.storage.store([1], as: "token", protection: .init(.currentSet))
            try await phone.device.enrol("another")
            _ = await phone.storage.read("token")
            let event = Self.events(phone).last
            #expect(event?.cause == "keyInvalidated")
            #expect(Self.texts(event, [.platform]) == expected)
        }
    }

    @Test func hintHasTheNumbersOfItsSensor() async throws {
        let phone = try Device("pixel-fingerprint")
        try await phone.register()
        phone.person.willDo([.badCapture(.tooFast), .match(templateID: nil)])
        _ = try await phone.signIn()
        let event = Self.events(phone).first { $0.text.contains("tooFast") }
        #expect(event?.cause == nil)
        #expect(
            Self.texts(event, [.hint]) == ["fingerprint acquired 5 TOO_FAST", "fingerprint HAL acquired 6 TOO_FAST"])
    }

    @Test func matchIsSuccessAndNonMatchHasNoCode() async throws {
        let phone = try Device("pixel-fingerprint")
        try await phone.register()
        phone.person.willDo([.nonMatch, .match(templateID: nil)])
        _ = try await phone.signIn()
        let gate = Self.events(phone).filter { $0.kind == "gate" }.compactMap(\.cause)
        #expect(gate.suffix(2) == ["notRecognised", "verified.biometric"])
    }

    @Test func eventsKeepTheirErrorsAsJSON() async throws {
        let phone = try Device("iphone-touch-id")
        try await phone.register()
        phone.person.willDo([.cancelByUser])
        _ = try await phone.signIn()
        let event = try #require(Self.events(phone).last)
        let data = try JSONEncoder().encode(event)
        let decoded = try JSONDecoder().decode(EventDescription.self, from: data)
        #expect(decoded == event)
        #expect(decoded.platformErrors?.isEmpty == false)
        // Without a platform no errors exist, and the JSON is unchanged.
        #expect(EventDescription(phone.device.log.all[0]).platformErrors == nil)
    }

    @Test(arguments: [
        (RefusalReason("getAssertion.builtInUV", .lockedOutTimed, ""), "getAssertion.builtInUV.lockedOut.timed"),
        (RefusalReason("makeCredential", .userCancelled, as: "userDeclined", ""), "makeCredential.userDeclined"),
        (RefusalReason("makeCredential", .credentialExcluded, ""), "makeCredential.credentialExcluded"),
        (RefusalReason(Cause("ctap.noCredentials"), ""), "ctap.noCredentials"),
    ])
    func aReasonKeepsItsCauseBesideItsLabel(reason: RefusalReason, label: String) {
        #expect(reason.label == label)
        #expect(Refusal(.other, reason).cause == reason.cause)
    }

    // MARK: Profiles that choose

    private static func profile(faces: String) throws -> DeviceProfile {
        try DeviceProfile(parsing: ProfileParsingTests.good + "\nfaces:\n  \(faces)\n", file: "p.yaml")
    }

    @Test func profileChoosesWhereSourcesDisagree() throws {
        let profile = try Self.profile(faces: "no-credential: notInteractive")
        #expect(
            profile.platformErrors.errors(of: "noCredentials", during: .get).contains {
                $0.text == "ASAuthorizationError 1005 notInteractive"
            })
        #expect(
            try Self.profile(faces: "passkey-without-setup: 1004").platformErrors.choices == [
                "passkey-without-setup": "1004"
            ])
    }

    @Test(arguments: [
        ("no-credential: maybe", "faces.no-credential: expected one of canceled, notInteractive, found \"maybe\""),
        ("nocredential: canceled", "unknown key nocredential in faces; expected one of allowed-credential-missing"),
        ("no-credential: [canceled]", "faces.no-credential: expected text, found a list"),
    ])
    func unknownChoiceIsRefusedWithTheValidOnes(line: String, says: String) throws {
        let error = #expect(throws: SourceError.self) { try Self.profile(faces: line) }
        #expect(error?.message.hasPrefix(says) == true, "\(String(describing: error))")
        #expect(error?.line == ProfileParsingTests.good.split(separator: "\n").count + 2)
    }
}
