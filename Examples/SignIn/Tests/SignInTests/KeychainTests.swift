import Foundation
import SignIn
import SimulatedPhone
import Testing

@MainActor
@Suite("Secrets in the Keychain")
struct KeychainTests {
    private let token = Data("a token".utf8)

    @Test("The session's token opens for the enrolled faces of its time, and for nothing else")
    func currentSet() async throws {
        let app = try await AppOnPhone()
        let vault = app.vault
        try vault.storeSession(token, of: "eva")
        let before = app.prompts
        #expect(try vault.openSession(of: "eva", with: SimulatedLAContext(phone: app.phone)) == token)
        #expect(app.prompts == before + 1)

        app.phone.person.will(.cancel)
        #expect(throws: TokenVault.Problem.cancelled) {
            try vault.openSession(of: "eva", with: SimulatedLAContext(phone: app.phone))
        }
        try app.phone.lockOut()
        #expect(throws: TokenVault.Problem.refused) {
            try vault.openSession(of: "eva", with: SimulatedLAContext(phone: app.phone))
        }
        try app.lockAndUnlock()
        try app.phone.enrol("a stranger")
        #expect(throws: TokenVault.Problem.missing) {
            try vault.openSession(of: "eva", with: SimulatedLAContext(phone: app.phone))
        }
        try app.phone.checkActs()
    }

    @Test("A new token replaces one that the phone no longer opens, and none is stored without a passcode")
    func replacement() async throws {
        let app = try await AppOnPhone()
        let vault = app.vault
        try vault.storeSession(Data("old".utf8), of: "eva")
        try vault.storeSession(token, of: "eva")
        #expect(app.keptToken == token)
        try app.phone.enrol("second face")
        try vault.storeSession(token, of: "eva")
        #expect(app.keptToken == token)
        try app.phone.removePasscode()
        #expect(throws: TokenVault.Problem.self) { try vault.storeSession(token, of: "eva") }
    }

    @Test("Each account has its own token, and a sign-out removes one")
    func accounts() async throws {
        let app = try await AppOnPhone.signedIn()
        try app.vault.storeSession(token, of: "ida")
        try app.session.signOut()
        #expect(app.keptToken == nil)
        #expect(try app.vault.openSession(of: "ida", with: SimulatedLAContext(phone: app.phone)) == token)
        // Another user of the same phone has to switch the unlock on.
        let other = try await AppOnPhone.signedIn()
        try other.session.signedIn("ida", token: token)
        #expect(other.session.unlock.isOn == false)
        #expect(other.keptToken == nil)
    }

    @Test("Background work reads the device's token behind a locked screen, but not before the first unlock")
    func backgroundWork() async throws {
        let app = try await AppOnPhone()
        try app.vault.storeDeviceToken(Data("old".utf8))
        try app.vault.storeDeviceToken(token)
        try app.phone.lock()
        #expect(try app.vault.readDeviceToken() == token)
        try app.phone.reboot()
        try app.phone.wake()
        #expect(throws: TokenVault.Problem.locked) { try app.vault.readDeviceToken() }
        try app.phone.unlock()
        try app.phone.launch()
        #expect(try app.vault.readDeviceToken() == token)
        let newPhone = try await AppOnPhone()
        try newPhone.phone.takeOver(from: app.phone)
        try newPhone.phone.launch()
        #expect(throws: TokenVault.Problem.missing) { try newPhone.vault.readDeviceToken() }
    }

    @Test("An app that was removed and installed again starts without its old secrets")
    func reinstallation() async throws {
        let app = try await AppOnPhone.signedIn()
        try app.vault.storeDeviceToken(token)
        try await app.reinstall()
        #expect(app.session.screen == .signIn(SignInWay.allCases, nil))
        #expect(app.keptToken == nil)
        #expect(throws: TokenVault.Problem.missing) { try app.vault.readDeviceToken() }
        // A launch removes nothing later.
        try app.vault.storeDeviceToken(token)
        try await app.relaunch()
        #expect(try app.vault.readDeviceToken() == token)
    }
}
