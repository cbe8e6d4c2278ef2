import Foundation
import SignIn
import SimulatedPhone
import Testing

@MainActor
@Suite("The session while the app comes and goes")
struct SessionTests {
    @Test("An absence of less than five minutes asks for nothing, and absences do not add up")
    func shortAbsence() async throws {
        let app = try await AppOnPhone.signedIn()
        let before = app.prompts
        try await app.leave(for: 3 * .minutes)
        try await app.leave(for: 299 * .seconds)
        #expect(app.session.screen == .home)
        #expect(app.session.token != nil)
        #expect(app.prompts == before)
        try await app.leave(for: 300 * .seconds)
        #expect(app.prompts == before + 1)
    }

    @Test("A prompt that the home button or a locked screen interrupts comes again once, and counts as no failure")
    func interruption() async throws {
        let app = try await AppOnPhone.signedIn()
        let before = app.prompts
        for _ in 1...3 {
            app.phone.person.duringNextPrompt {
                try app.phone.background()
                await app.session.didEnterBackground()
            }
            await app.session.ask()
            #expect(app.session.screen == .locked(triesLeft: nil))
            try app.phone.resume()
        }
        await app.session.willEnterForeground()
        #expect(app.session.screen == .home)
        try await app.leave(for: 1 * .minutes)
        #expect(app.prompts == before + 4)
        app.phone.person.duringNextPrompt { try app.phone.lock() }
        await app.session.ask()
        app.phone.person.will(.cancel)
        try app.phone.unlock()
        await app.session.willEnterForeground()
        #expect(app.session.screen == .locked(triesLeft: nil))
        #expect(app.prompts == before + 6)
        try app.phone.checkActs()
    }

    @Test("The user's cancellation is respected: the app asks when the button is pressed")
    func cancellation() async throws {
        let app = try await AppOnPhone.signedIn()
        app.phone.person.will(.cancel)
        await app.session.ask()
        let before = app.prompts
        try await app.leave(for: 1 * .minutes)
        #expect(app.session.screen == .locked(triesLeft: nil))
        #expect(app.prompts == before)
        await app.session.ask()
        #expect(app.session.screen == .home)
        try app.phone.checkActs()
    }

    @Test("An app that the system stopped asks at its start")
    func relaunch() async throws {
        let app = try await AppOnPhone.signedIn()
        app.phone.person.will(.cancel)
        try await app.relaunch()
        #expect(app.session.screen == .locked(triesLeft: nil))
        #expect(app.session.token == nil)
        try app.phone.reboot()
        try app.phone.unlock()
        try app.phone.launch()
        try await app.session.launch()
        #expect(app.session.screen == .home)
        try app.phone.checkActs()
    }

    @Test("A session that the server ends during the prompt stays closed")
    func endedSession() async throws {
        let app = try await AppOnPhone.signedIn()
        app.phone.person.duringNextPrompt { try await app.session.ended() }
        await app.session.ask()
        try app.phone.checkActs()
        #expect(app.session.screen == .signIn(SignInWay.allCases, nil))
        #expect(app.session.token == nil)
        #expect(app.settings.account == nil)
        #expect(app.keptToken == nil)
        let before = app.prompts
        try await app.relaunch()
        #expect(app.prompts == before)
    }

    @Test("A second press of the button shows no second prompt")
    func twoPresses() async throws {
        let app = try await AppOnPhone.signedIn()
        let before = app.prompts
        app.phone.person.duringNextPrompt { await app.session.ask() }
        await app.session.ask()
        #expect(app.session.screen == .home)
        #expect(app.prompts == before + 1)
        try app.phone.checkActs()
    }
}
