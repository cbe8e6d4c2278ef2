import Biometrics
import CTAP
import Causes
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator

/// A phone's lockout policy as seen through CTAP.
@Suite("Lockout policies through CTAP")
struct GateThroughTheAuthenticatorTests {
    typealias Outcome = Device.Outcome

    // MARK: iPhone

    @Test func faceIDTriesTwiceAndThenAsksForThePasscode() async throws {
        let phone = try Device("iphone-face-id")
        try await phone.register()
        phone.person.willDo([.nonMatch, .nonMatch, .passcode(correct: true)])
        #expect(try await phone.signIn() == .ok)
        #expect(phone.person.remainingActs.isEmpty)
        #expect(await phone.failures() == 0)
    }

    @Test func fiveFailuresOverSeveralPromptsLockFaceIDUntilThePasscode() async throws {
        let phone = try Device("iphone-face-id")
        try await phone.register()
        for failures in [2, 4] {
            phone.person.willDo([.nonMatch, .nonMatch, .cancelByUser])
            #expect(try await phone.signIn() == Outcome(.operationDenied, "userCancelled"))
            #expect(await phone.failures() == failures)
        }
        // The fifth locks the sensor at once; the prompt asks for the passcode.
        phone.person.willDo([.nonMatch, .cancelByUser])
        #expect(try await phone.signIn() == Outcome(.operationDenied, "userCancelled"))
        #expect(await phone.device.authenticator.snapshot().lockout == .permanent)
        // An app that accepts only the face gets the lockout; a passkey's prompt starts with the passcode.
        let app = await phone.device.authenticator.verifyUser(PromptOptions(allowsDeviceCredential: false))
        #expect(app == .refused(.lockedOutPermanently))
        #expect(app?.cause == "lockedOut.permanent")
        let prompts = phone.person.verificationPrompts
        phone.person.willDo([.passcode(correct: true)])
        #expect(try await phone.signIn() == .ok)
        #expect(phone.person.verificationPrompts == prompts + 1)
        #expect(await phone.device.authenticator.snapshot().lockout == Lockout.none)
        #expect(await phone.failures() == 0)
    }

    @Test func theSixthWrongPasscodeEndsThePromptAndCausesADelay() async throws {
        let phone = try Device("iphone-face-id")
        try await phone.register()
        let wrong = [GateAct](repeating: .passcode(correct: false), count: 6)
        phone.person.willDo([.nonMatch, .nonMatch] + wrong)
        #expect(try await phone.signIn() == Outcome(.operationDenied, "credentialLockedOut.timed"))
        phone.person.willDo([.nonMatch, .nonMatch])
        #expect(try await phone.token() == Outcome(.uvInvalid, "credentialLockedOut.timed"))
        #expect(phone.person.remainingActs.isEmpty)
        // With the face also locked no attempt is left, until the minute has passed.
        phone.person.willDo([.nonMatch])
        #expect(try await phone.token() == Outcome(.uvBlocked, "credentialLockedOut.timed"))
        #expect(try await phone.pins.uvRetries() == 0)
        phone.clock.advance(by: .seconds(60))
        #expect(try await phone.pins.uvRetries() == 1)
        phone.person.willDo([.passcode(correct: true)])
        #expect(try await phone.signIn() == .ok)
    }

    @Test func aLockedFaceLeavesAnAttemptBecauseThePasscodeVerifies() async throws {
        let phone = try Device("iphone-face-id")
        try await phone.register()
        for _ in 0..<3 {
            phone.person.willDo([.nonMatch, .nonMatch, .cancelByUser])
            _ = try await phone.signIn()
            phone.person.forget()
        }
        #expect(await phone.device.authenticator.snapshot().lockout == .permanent)
        #expect(try await phone.pins.uvRetries() == 1)
        #expect(try await phone.token() == .ok)
    }

    @Test func touchIDTriesThreeFingersAndOffersThePasscodeAfterTheFirst() async throws {
        let phone = try Device("iphone-touch-id")
        try await phone.register()
        phone.person.willDo([.nonMatch, .nonMatch, .nonMatch, .passcode(correct: true)])
        #expect(try await phone.signIn() == .ok)
        phone.person.willDo([.nonMatch, .fallback, .passcode(correct: true)])
        #expect(try await phone.signIn() == .ok)
        #expect(phone.person.remainingActs.isEmpty)
    }

    @Test func aPhoneWithoutFaceAndPasscodeCannotVerifyTheUser() async throws {
        let phone = try Device("iphone-face-id")
        try await phone.register()
        await phone.device.removeAllTemplates()
        #expect(try await phone.signIn() == .ok)
        try await phone.device.authenticator.changeGate { gate, now in gate.removeDeviceCredential(at: now) }
        #expect(try await phone.signIn() == Outcome(.operationDenied, "noDeviceCredential"))
        #expect(try await phone.token() == Outcome(.notAllowed, "notEnrolled"))
    }

    @Test func anUnansweredPromptEndsAfterAMinute() async throws {
        let phone = try Device("iphone-face-id")
        try await phone.register()
        let before = phone.clock.now()
        phone.person.willDo([.noAnswer])
        #expect(try await phone.signIn() == Outcome(.userActionTimeout, "timedOut"))
        #expect(phone.clock.now() - before == .seconds(60))
        #expect(await phone.failures() == 0)
    }

    // MARK: Galaxy, whose passkeys take no screen lock

    @Test func everyFifthFailureLocksTheGalaxyForThirtySecondsAndTheTwentiethPermanently() async throws {
        let phone = try Device("samsung-fingerprint")
        try await phone.register()
        for round in 1...3 {
            phone.person.willDo([GateAct](repeating: .nonMatch, count: 5))
            #expect(try await phone.signIn() == Outcome(.pinBlocked, "lockedOut.timed"))
            #expect(phone.person.remainingActs.isEmpty)
            #expect(await phone.failures() == 5 * round)
            let prompts = phone.person.verificationPrompts
            phone.clock.advance(by: .milliseconds(29_999))
            #expect(try await phone.signIn() == Outcome(.pinBlocked, "lockedOut.timed"))
            #expect(try await phone.token() == Outcome(.uvBlocked, "lockedOut.timed"))
            #expect(try await phone.pins.uvRetries() == 0)
            #expect(phone.person.verificationPrompts == prompts)
            phone.clock.advance(by: .milliseconds(1))
            // Time alone removes no failure.
            #expect(try await phone.pins.uvRetries() == 20 - 5 * round)
        }
        phone.person.willDo([GateAct](repeating: .nonMatch, count: 5))
        #expect(try await phone.token() == Outcome(.uvBlocked, "lockedOut.permanent"))
        phone.clock.advance(by: .seconds(86_400))
        #expect(try await phone.signIn() == Outcome(.pinBlocked, "lockedOut.permanent"))
        // A wrong screen lock changes nothing, the correct one clears everything.
        await #expect(throws: GateFailure.wrongCredential) { _ = try await phone.device.unlock(correctly: false) }
        #expect(try await phone.signIn() == Outcome(.pinBlocked, "lockedOut.permanent"))
        _ = try await phone.device.unlock(correctly: true)
        #expect(try await phone.signIn() == .ok)
        #expect(await phone.failures() == 0)
    }

    @Test func aMatchBeforeTheFifthFailureResetsTheGalaxysCount() async throws {
        let phone = try Device("samsung-fingerprint")
        try await phone.register()
        for _ in 0..<3 {
            phone.person.willDo([.nonMatch, .nonMatch, .badCapture(.tooFast), .nonMatch, .nonMatch, .match()])
            #expect(try await phone.signIn() == .ok)
            #expect(await phone.failures() == 0)
        }
    }

    @Test(arguments: [
        (GateAct.cancelByUser, "userCancelled"), (.cancelBySystem, "systemCancelled"), (.cancelByApp, "appCancelled"),
        (.fallback, "fallbackChosen"),
    ])
    func aCancelledPromptOnTheGalaxyIsDenied(act: GateAct, cause: String) async throws {
        let phone = try Device("samsung-fingerprint")
        try await phone.register()
        phone.person.willDo([act, act])
        #expect(try await phone.signIn() == Outcome(.operationDenied, Cause(cause)))
        #expect(try await phone.token() == Outcome(.operationDenied, Cause(cause)))
        #expect(await phone.failures() == 0)
    }

    @Test(arguments: [
        (SensorAvailability.busy, "sensorBusy"), (.failed, "sensorFailed"),
    ])
    func anUnusableSensorIsNamed(availability: SensorAvailability, cause: String) async throws {
        let phone = try Device("samsung-fingerprint")
        try await phone.register()
        await phone.device.setSensor(availability)
        #expect(try await phone.signIn() == Outcome(.operationDenied, Cause(cause)))
        await phone.device.setSensor(.present)
        #expect(try await phone.signIn() == .ok)
    }

    // MARK: Security key

    @Test func threeWrongFingersBlockTheKeyUntilItsPIN() async throws {
        let key = try Device("security-key-bio")
        try await key.register()
        try await key.pins.setPIN("2468")
        key.person.willDo([.nonMatch, .nonMatch, .nonMatch])
        #expect(try await key.token() == Outcome(.uvInvalid, "attemptsExhausted"))
        #expect(try await key.token() == Outcome(.uvInvalid, "attemptsExhausted"))
        #expect(try await key.token() == Outcome(.uvBlocked, "lockedOut.permanent"))
        #expect(try await key.signIn() == Outcome(.puatRequired, "lockedOut.permanent"))
        _ = try await key.pins.token(pin: "2468", permissions: nil)
        #expect(try await key.signIn() == Outcome(.noCredentials, "noCredentials"))
    }
}
