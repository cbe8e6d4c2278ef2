import Foundation
import SignIn
import SimulatedAppleNames
import SimulatedPhone

/// The app on a simulated phone.
@MainActor
final class AppOnPhone {
    let phone: Phone
    let values = Values()
    let server = TestServer()
    private(set) var session: AppSession
    private(set) var passkeys: PasskeySignIn

    /// Switches a phone on, and starts the app.
    init(_ profile: String = "iphone-face-id") async throws {
        phone = try Phone(profile)
        session = Self.session(on: phone, values)
        passkeys = Self.passkeys(on: phone, server, session)
        try await session.launch()
    }

    /// An app with a signed-in user, whose unlock is on.
    static func signedIn(on profile: String = "iphone-face-id") async throws -> AppOnPhone {
        let app = try await AppOnPhone(profile)
        try app.session.signedIn("eva", token: Data("token of Eva".utf8))
        try await app.session.switchUnlockOn()
        return app
    }

    var settings: AppSettings { AppSettings(values) }
    var vault: TokenVault { TokenVault(SimulatedKeychain(phone: phone)) }
    var keptToken: Data? { try? vault.openSession(of: "eva", with: SimulatedLAContext(phone: phone)) }

    /// The number of prompts so far.
    var prompts: Int { phone.person.prompts.count }

    /// The user leaves the app for a time.
    func leave(for span: Duration) async throws {
        try phone.background()
        session.didEnterBackground()
        try phone.wait(span)
        try phone.resume()
        await session.willEnterForeground()
    }

    /// The system stops the app, and the user opens it again.
    func relaunch() async throws {
        try phone.kill()
        try phone.launch()
        try await start()
    }

    /// The user removes the app, installs it again and opens it.
    func reinstall() async throws {
        try phone.reinstall()
        try phone.launch()
        values.removeAll()
        try await start()
    }

    /// The user locks the phone and enters its passcode, which ends a lockout.
    func lockAndUnlock() throws {
        try phone.lock()
        try phone.unlock()
    }

    private func start() async throws {
        session = Self.session(on: phone, values)
        passkeys = Self.passkeys(on: phone, server, session)
        try await session.launch()
    }

    private static func session(on phone: Phone, _ values: Values) -> AppSession {
        let settings = AppSettings(values)
        let vault = TokenVault(SimulatedKeychain(phone: phone))
        let unlock = SessionUnlock(settings: settings, vault: vault) { SimulatedLAContext(phone: phone) }
        return AppSession(
            unlock: unlock, settings: settings, vault: vault, now: { phone.uptime }, isOnline: { phone.isOnline })
    }
    private static func passkeys(on phone: Phone, _ server: TestServer, _ session: AppSession) -> PasskeySignIn {
        let window = ASPresentationAnchor()
        let system = SystemPasskeys(relyingParty: "example.com", window: { window }) {
            ASAuthorizationController(authorizationRequests: $0, phone: phone)
        }
        return PasskeySignIn(server: server, passkeys: system, session: session)
    }
}
