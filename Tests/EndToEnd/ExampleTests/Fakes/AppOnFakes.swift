import Foundation

/// The app on fakes.
@MainActor
final class AppOnFakes {
    let context = FakeContext()
    let keychain = FakeKeychain()
    let passkeys = FakePasskeys()
    let server = FakeServer()
    let session: AppSession
    let settings = AppSettings(Values())
    var now = Duration.zero
    var isOnline = true

    init() {
        let vault = TokenVault(keychain)
        let unlock = SessionUnlock(settings: settings, vault: vault) { [context] in context }
        var clock: () -> Duration = { .zero }
        var network: () -> Bool = { true }
        session = AppSession(
            unlock: unlock, settings: settings, vault: vault, now: { clock() }, isOnline: { network() })
        clock = { [unowned self] in now }
        network = { [unowned self] in isOnline }
    }

    var passkeySignIn: PasskeySignIn { PasskeySignIn(server: server, passkeys: passkeys, session: session) }

    /// An app with a signed-in user, whose unlock is on.
    static func signedIn() async throws -> AppOnFakes {
        let app = AppOnFakes()
        try await app.session.launch()
        try app.session.signedIn("eva", token: Data("token".utf8))
        try await app.session.switchUnlockOn()
        return app
    }
}
