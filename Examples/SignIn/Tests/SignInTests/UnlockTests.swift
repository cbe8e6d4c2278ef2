import Foundation
import SignIn
import SimulatedPhone
import Testing

@MainActor
@Suite("Unlocking the session")
struct UnlockTests {
    private let ways = SignInWay.allCases

    @Test("The enrolled face opens the session after five minutes, with one prompt")
    func match() async throws {
        let app = try await AppOnPhone.signedIn()
        let before = app.prompts
        try await app.leave(for: 5 * .minutes)
        #expect(app.session.screen == .home)
        #expect(app.session.token == Data("token of Eva".utf8))
        #expect(app.prompts == before + 1)
        #expect(app.phone.person.prompts.last?.reason == "Open your session")
        #expect(app.phone.person.prompts.last?.fallbackTitle == "Other ways")
    }

    @Test("Each unlock asks again")
    func eachTime() async throws {
        let app = try await AppOnPhone.signedIn()
        try await app.leave(for: 10 * .minutes)
        app.phone.person.will(.cancel)
        try await app.leave(for: 10 * .minutes)
        #expect(app.session.screen == .locked(triesLeft: nil))
        #expect(app.session.token == nil)
        // The unlock of the phone itself is not enough either.
        try app.phone.lock()
        try app.phone.unlock(.biometrics)
        app.phone.person.will(.cancel)
        await app.session.ask()
        #expect(app.session.screen == .locked(triesLeft: nil))
        #expect(app.phone.person.prompts.last?.reason == "Open your session")
        try app.phone.checkActs()
    }

    @Test("Three failed prompts lead to the other ways, even if the phone was unlocked meanwhile")
    func threeTries() async throws {
        let app = try await AppOnPhone.signedIn()
        for triesLeft in [2, 1] {
            app.phone.person.will([.noMatch, .noMatch, .giveUp])
            await app.session.ask()
            #expect(app.session.screen == .locked(triesLeft: triesLeft))
        }
        // The passcode of the lock screen resets the phone's count; the app has its own.
        try app.lockAndUnlock()
        app.phone.person.will([.noMatch, .noMatch, .giveUp])
        await app.session.ask()
        #expect(app.session.screen == .signIn(ways, .tooManyTries))
        let before = app.prompts
        await app.session.ask()
        #expect(app.session.screen == .signIn(ways, .tooManyTries))
        #expect(app.prompts == before)
        // A sign-in in another way starts a new count.
        try app.session.signedIn("eva", token: Data("new token".utf8))
        app.phone.person.will([.noMatch, .noMatch, .giveUp])
        await app.session.ask()
        #expect(app.session.screen == .locked(triesLeft: 2))
        try app.phone.checkActs()
    }

    @Test("A match starts a new count of failed prompts")
    func newCount() async throws {
        let app = try await AppOnPhone.signedIn()
        for _ in 1...3 {
            app.phone.person.will([.noMatch, .noMatch, .giveUp])
            await app.session.ask()
            #expect(app.session.screen == .locked(triesLeft: 2))
            await app.session.ask()
            #expect(app.session.screen == .home)
        }
        try app.phone.checkActs()
    }

    @Test("Five wrong faces lock the sensor until the phone's passcode is entered, and the session survives")
    func lockout() async throws {
        let app = try await AppOnPhone.signedIn()
        for _ in 1...2 {
            app.phone.person.will([.noMatch, .noMatch, .giveUp])
            await app.session.ask()
        }
        app.phone.person.will(.noMatch)
        await app.session.ask()
        #expect(app.session.screen == .signIn(ways, .lockedOut))
        let before = app.prompts
        await app.session.ask()
        #expect(app.session.screen == .signIn(ways, .lockedOut))
        #expect(app.prompts == before)
        #expect(app.session.unlock.isOn)
        #expect(app.session.unlock.obstacle == .lockedOut)
        try app.lockAndUnlock()
        await app.session.ask()
        #expect(app.session.screen == .home)
        try app.phone.checkActs()
    }

    @Test("Cancel and the button for other ways lead where they say, and count as no failure")
    func buttons() async throws {
        let app = try await AppOnPhone.signedIn()
        for _ in 1...4 {
            let before = app.prompts
            app.phone.person.will(.cancel)
            await app.session.ask()
            #expect(app.session.screen == .locked(triesLeft: nil))
            #expect(app.prompts == before + 1)
        }
        app.phone.person.will([.noMatch, .noMatch, .fallback])
        await app.session.ask()
        #expect(app.session.screen == .signIn(ways, .userChoice))
        app.phone.person.will([.noMatch, .noMatch, .giveUp])
        await app.session.ask()
        #expect(app.session.screen == .locked(triesLeft: 2))
        #expect(app.session.unlock.isOn)
        try app.phone.checkActs()
    }

    @Test("A new face ends the unlock without a prompt, and the user can switch it on again")
    func newFace() async throws {
        let app = try await AppOnPhone.signedIn()
        try app.phone.enrol("a stranger")
        let before = app.prompts
        try await app.relaunch()
        #expect(app.session.screen == .signIn(ways, .changed))
        #expect(app.prompts == before)
        #expect(app.session.unlock.isOn == false)
        try app.session.signedIn("eva", token: Data("new token".utf8))
        #expect(app.session.offersUnlock)
        try await app.session.switchUnlockOn()
        #expect(app.session.offersUnlock == false)
        try await app.leave(for: 5 * .minutes)
        #expect(app.session.token == Data("new token".utf8))
    }

    @Test("Each state of the phone has an explanation of its own, and the session survives")
    func obstacles() async throws {
        let app = try await AppOnPhone.signedIn()
        try app.phone.setFaceIDPermission(false)
        await app.session.ask()
        #expect(app.session.screen == .signIn(ways, .notAllowed))
        try app.phone.setFaceIDPermission(true)
        try app.phone.setSensor(.absent)
        await app.session.ask()
        #expect(app.session.screen == .signIn(ways, .noSensor))
        try app.phone.setSensor(.present)
        try app.phone.setAirplaneMode(true)
        app.phone.person.will([.noMatch, .noMatch, .fallback])
        await app.session.ask()
        #expect(app.session.screen == .signIn([], .userChoice))
        // The unlock itself needs no network.
        await app.session.ask()
        #expect(app.session.screen == .home)
        try app.phone.unenrol()
        await app.session.ask()
        #expect(app.session.screen == .signIn([], .notEnrolled))
        #expect(app.session.unlock.isOn)
        try app.phone.checkActs()
        let other = try await AppOnPhone.signedIn()
        try other.phone.removePasscode()
        await other.session.ask()
        #expect(other.session.screen == .signIn(ways, .noPasscode))
    }

    @Test("The app names the sensor of the device")
    func sensorName() async throws {
        for (profile, name) in [("iphone-face-id", "Face ID"), ("iphone-touch-id", "Touch ID")] {
            let app = try await AppOnPhone.signedIn(on: profile)
            #expect(app.session.unlock.sensorName == name)
            #expect(app.phone.person.prompts.first?.reason == "Use \(name) to open the app")
        }
    }
}
