import Foundation
import SimulatedAppleNames
import Testing

/// The tests that apps with such fakes have: a success, a failure, what is not available, the name of the sensor, and the
/// round trip of a secret.
@MainActor
@Suite("The app on the usual fakes")
struct FakeTests {
    @Test("A success opens the session")
    func success() async throws {
        let app = try await AppOnFakes.signedIn()
        await app.session.ask()
        #expect(app.session.screen == .home)
        #expect(app.session.token == Data("token".utf8))
    }

    @Test("A failure shows the locked session")
    func failure() async throws {
        let app = try await AppOnFakes.signedIn()
        app.context.evaluates = false
        app.context.evaluationError = .authenticationFailed
        await app.session.ask()
        #expect(app.session.screen == .locked(triesLeft: 2))
        #expect(app.session.token == nil)
    }

    @Test("A third failure shows the other ways")
    func thirdFailure() async throws {
        let app = try await AppOnFakes.signedIn()
        app.context.evaluates = false
        app.context.evaluationError = .authenticationFailed
        for _ in 1...3 { await app.session.ask() }
        #expect(app.session.screen == .signIn(SignInWay.allCases, .tooManyTries))
    }

    @Test("The user's cancellation shows the locked session")
    func cancellation() async throws {
        let app = try await AppOnFakes.signedIn()
        app.context.evaluates = false
        app.context.evaluationError = .userCancel
        await app.session.ask()
        #expect(app.session.screen == .locked(triesLeft: nil))
    }

    @Test("The fallback button shows the other ways")
    func fallback() async throws {
        let app = try await AppOnFakes.signedIn()
        app.context.evaluates = false
        app.context.evaluationError = .userFallback
        await app.session.ask()
        #expect(app.session.screen == .signIn(SignInWay.allCases, .userChoice))
    }

    @Test("Without biometrics the app does not offer the unlock")
    func notAvailable() async throws {
        let app = AppOnFakes()
        app.context.canEvaluate = false
        app.context.canEvaluateError = .biometryNotEnrolled
        try app.session.signedIn("eva", token: Data("token".utf8))
        #expect(app.session.offersUnlock == false)
        #expect(app.session.unlock.obstacle == .notEnrolled)
    }

    @Test("A lockout shows the other ways")
    func lockout() async throws {
        let app = try await AppOnFakes.signedIn()
        app.context.canEvaluate = false
        app.context.canEvaluateError = .biometryLockout
        await app.session.ask()
        #expect(app.session.screen == .signIn(SignInWay.allCases, .lockedOut))
    }

    @Test("The app names the sensor")
    func sensorName() {
        let app = AppOnFakes()
        #expect(app.session.unlock.sensorName == "Face ID")
        app.context.biometryType = .touchID
        #expect(app.session.unlock.sensorName == "Touch ID")
    }

    @Test("A secret is stored, read and removed")
    func roundTrip() throws {
        let vault = TokenVault(FakeKeychain())
        try vault.storeSession(Data("token".utf8), of: "eva")
        #expect(try vault.openSession(of: "eva", with: FakeContext()) == Data("token".utf8))
        try vault.removeSession(of: "eva")
        #expect(throws: TokenVault.Problem.missing) { try vault.openSession(of: "eva", with: FakeContext()) }
    }

    @Test("An error of the Keychain is reported")
    func keychainError() {
        let keychain = FakeKeychain()
        keychain.status = errSecMissingEntitlement
        #expect(throws: TokenVault.Problem.status(errSecMissingEntitlement)) {
            try TokenVault(keychain).storeDeviceToken(Data("token".utf8))
        }
    }

    @Test("A long absence locks the session")
    func absence() async throws {
        let app = try await AppOnFakes.signedIn()
        app.context.evaluates = false
        app.context.evaluationError = .userCancel
        app.session.didEnterBackground()
        app.now = .seconds(600)
        await app.session.willEnterForeground()
        #expect(app.session.screen == .locked(triesLeft: nil))
    }

    @Test("A sign-out removes the token")
    func signOut() async throws {
        let app = try await AppOnFakes.signedIn()
        try app.session.signOut()
        #expect(app.session.screen == .signIn(SignInWay.allCases, nil))
        #expect(app.keychain.items.isEmpty)
    }

    @Test("A passkey is added")
    func passkey() async throws {
        let app = try await AppOnFakes.signedIn()
        #expect(await app.passkeySignIn.add() == .done)
        #expect(app.server.passkeys.count == 1)
    }

    @Test("A passkey signs in")
    func passkeySignIn() async {
        let app = AppOnFakes()
        #expect(await app.passkeySignIn.signIn() == .done)
        #expect(app.session.screen == .home)
    }

    @Test("The cancellation of a passkey shows the form, and a failure a message")
    func passkeyErrors() async {
        let app = AppOnFakes()
        app.passkeys.error = ASAuthorizationError(.canceled)
        #expect(await app.passkeySignIn.signIn() == .form)
        app.passkeys.error = ASAuthorizationError(.failed)
        #expect(await app.passkeySignIn.signIn() == .failed)
    }
}
