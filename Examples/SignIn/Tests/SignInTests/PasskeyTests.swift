import Foundation
import SignIn
import SimulatedAppleNames
import SimulatedPhone
import Testing

@MainActor
@Suite("Passkeys")
struct PasskeyTests {
    @Test("A passkey is added, and the server verifies each sign-in with it")
    func signIn() async throws {
        let app = try await AppOnPhone.signedIn()
        #expect(await app.passkeys.add() == .done)
        #expect(app.server.site.credentialIDs(of: "eva").count == 1)
        for quietly in [false, true] {
            try app.session.signOut()
            #expect(await app.passkeys.signIn(quietly: quietly) == .done)
            #expect(app.session.screen == .home)
            #expect(app.session.account == "eva")
            #expect(app.session.token == Data("token of eva".utf8))
        }
        try app.phone.checkActs()
    }

    @Test("A phone with a passkey of the account gets no second one")
    func existing() async throws {
        let app = try await AppOnPhone.signedIn()
        #expect(await app.passkeys.add() == .done)
        #expect(await app.passkeys.add() == .exists)
        try app.phone.forgetPasskeys()
        #expect(await app.passkeys.add() == .done)
        #expect(app.server.site.credentialIDs(of: "eva").count == 2)
    }

    @Test("Cancel and a phone without a passkey lead to the form, and a failure to a message")
    func form() async throws {
        let app = try await AppOnPhone.signedIn()
        app.phone.person.willPick(.cancel)
        #expect(await app.passkeys.add() == .form)
        #expect(await app.passkeys.signIn(quietly: true) == .form)
        #expect(await app.passkeys.add() == .done)
        app.phone.person.willPick(.cancel)
        #expect(await app.passkeys.signIn() == .form)
        // The server has revoked the passkey; the phone does not know it.
        for id in app.server.site.credentialIDs(of: "eva") { app.server.site.revoke(id) }
        #expect(await app.passkeys.signIn() == .failed)
        app.phone.associate(with: ["other.example"])
        #expect(await app.passkeys.signIn() == .failed)
        try app.phone.checkActs()
    }

    @Test("A passkey on another phone signs in on the sheet, which does not appear at the launch")
    func otherPhone() async throws {
        let app = try await AppOnPhone.signedIn()
        #expect(await app.passkeys.add() == .done)
        let other = try Phone("iphone-touch-id")
        try app.phone.sharePasskeys(with: other)
        try app.phone.forgetPasskeys()
        app.phone.setNearbyPhone(other)
        #expect(await app.passkeys.signIn(quietly: true) == .form)
        #expect(await app.passkeys.signIn() == .done)
    }

    @Test("A passkey that the user picks at the field signs in, and the button ends the offer")
    func offer() async throws {
        let app = try await AppOnPhone.signedIn()
        #expect(await app.passkeys.add() == .done)
        try app.session.signOut()

        let first = Task { await app.passkeys.offer() }
        try await app.phone.waitForSuggestions()
        #expect(await app.passkeys.signIn() == .done)
        try #require(app.phone.offersSuggestions == false)
        #expect(await first.value == .form)

        try app.session.signOut()
        let second = Task { await app.passkeys.offer() }
        try await app.phone.waitForSuggestions()
        try app.phone.person.picks(.passkey)
        #expect(await second.value == .done)
        #expect(app.session.screen == .home)

        try app.session.signOut()
        let third = Task { await app.passkeys.offer() }
        try await app.phone.waitForSuggestions()
        app.passkeys.leave()
        try #require(app.phone.offersSuggestions == false)
        #expect(await third.value == .form)
    }

    @Test("A step is confirmed with a passkey of the account alone")
    func confirmation() async throws {
        let app = try await AppOnPhone.signedIn()
        #expect(await app.passkeys.add() == .done)
        try app.session.signedIn("ida", token: Data("token of ida".utf8))
        #expect(await app.passkeys.add() == .done)
        #expect(await app.passkeys.confirm() == .done)
        try app.phone.forgetPasskeys(account: "ida")
        #expect(await app.passkeys.confirm() != .done)
        #expect(app.session.account == "ida")
    }

    @Test("A phone without a passcode makes no passkey, and says so")
    func noPasscode() async throws {
        let app = try await AppOnPhone.signedIn()
        try app.phone.removePasscode()
        #expect(await app.passkeys.add() == .needsPasscode)
    }
}
