import Foundation
import RelyingParty
import SimulatedPhone
import Testing

@Suite("Suggestions at a field")
@MainActor
struct AutoFillTests {
    private func armed(_ app: PasskeyApp) -> (Listener, SimulatedASAuthorizationController) {
        let listener = Listener()
        let controller = app.controller(app.assertion())
        controller.delegate = listener
        controller.performAutoFillAssistedRequests()
        return (listener, controller)
    }

    @Test("wait for the user to pick one")
    func pick() async throws {
        let app = try PasskeyApp()
        try await app.register()
        let (listener, controller) = armed(app)
        await app.phone.finishAuthorizations()
        #expect(listener.heard.isEmpty && app.phone.offersSuggestions)
        try app.phone.background()
        try app.phone.wait(1 * .hours)
        try app.phone.resume()
        #expect(throws: PhoneRefusal.self) { try app.phone.person.picks(.passkey(account: "bob")) }
        try app.phone.person.picks(.passkey)
        await app.phone.finishAuthorizations()
        try app.site.signIn(try #require(listener.heard.first).get())
        #expect(!app.phone.offersSuggestions)
        #expect(throws: PhoneRefusal.self) { try app.phone.person.picks(.passkey) }
        controller.cancel()
        await app.phone.finishAuthorizations()
        #expect(listener.heard.count == 1)
    }

    @Test("stay after a cancelled verification")
    func staysArmed() async throws {
        let app = try PasskeyApp()
        try await app.register()
        let (listener, controller) = armed(app)
        await app.phone.finishAuthorizations()
        app.phone.person.will(.cancel)
        try app.phone.person.picks(.passkey)
        await app.phone.finishAuthorizations()
        #expect(listener.heard.isEmpty && app.phone.offersSuggestions)
        controller.cancel()
        await app.phone.finishAuthorizations()
        #expect(listener.codes == [1001])
        try app.phone.checkActs()
    }

    @Test("make other requests of the app fail, until the app cancels")
    func collision() async throws {
        let app = try PasskeyApp()
        try await app.register()
        let (waiting, controller) = armed(app)
        let (second, _) = armed(app)
        await app.phone.finishAuthorizations()
        #expect(second.codes == [1004])
        let error = await #expect(throws: ASAuthorizationError.self) { try await app.signIn() }
        #expect(error?.code == .failed)
        #expect(error?.localizedDescription.contains("Request already in progress") == true)
        #expect(waiting.heard.isEmpty)
        controller.cancel()
        try app.site.signIn(try await app.signIn())
        await app.phone.finishAuthorizations()
        #expect(waiting.codes == [1001])
    }

    @Test("end with their app")
    func stoppedApp() async throws {
        let app = try PasskeyApp()
        try await app.register()
        let (listener, _) = armed(app)
        try app.phone.kill()
        try app.phone.launch()
        #expect(!app.phone.offersSuggestions)
        _ = try await app.signIn()
        await app.phone.finishAuthorizations()
        #expect(listener.codes == [1001])
        try app.phone.checkActs()
    }

    @Test("are awaited until the app asks for them")
    func waiting() async throws {
        let app = try PasskeyApp()
        try await app.register()
        let task = Task {
            await Task.yield()
            return armed(app)
        }
        try await app.phone.waitForSuggestions()
        try app.phone.person.picks(.passkey)
        let (listener, _) = await task.value
        await app.phone.finishAuthorizations()
        #expect(listener.heard.count == 1 && listener.codes.isEmpty)
        let refusal = await #expect(throws: PhoneRefusal.self) { try await app.phone.waitForSuggestions() }
        #expect(refusal?.sentence.contains("performAutoFillAssistedRequests") == true)
    }

    @Test("are for sign-ins with passkeys, on iOS")
    func refused() async throws {
        let app = try PasskeyApp()
        let listener = Listener()
        let controller = app.controller(app.registration())
        controller.delegate = listener
        controller.performAutoFillAssistedRequests()
        await app.phone.finishAuthorizations()
        #expect(listener.codes == [1004])
        let mac = try PasskeyApp("macbook-touch-id")
        let (onMac, _) = armed(mac)
        await mac.phone.finishAuthorizations()
        #expect(throws: PhoneRefusal.self) { try onMac.heard.first?.get() }
    }
}

@Suite("Passwords beside passkeys")
struct PasswordSignInTests {
    private func request(_ app: PasskeyApp) -> SimulatedASAuthorizationController {
        app.controller(app.assertion(), SimulatedASAuthorizationPasswordProvider().createRequest())
    }

    @Test("are offered where the phone has no passkey, and after passkeys where it has one")
    func mixed() async throws {
        let app = try PasskeyApp()
        app.phone.savePassword("secret", account: "alice", for: "example.com")
        app.phone.savePassword("other", account: "alice", for: "example.org")
        let filled = try await request(app).perform(options: .preferImmediatelyAvailableCredentials)
        let password = try #require(filled.credential as? SimulatedASPasswordCredential)
        #expect(password.user == "alice" && password.password == "secret")
        #expect(filled.provider is SimulatedASAuthorizationPasswordProvider)
        try await app.register()
        #expect(
            try await request(app).perform().credential
                is SimulatedASAuthorizationPlatformPublicKeyCredentialAssertion)
        app.phone.person.willPick(.password(account: "alice"))
        #expect(try await request(app).perform().credential is SimulatedASPasswordCredential)
        try app.phone.checkActs()
    }

    @Test("are given to a verified user only")
    func verification() async throws {
        let app = try PasskeyApp()
        app.phone.savePassword("secret", account: "alice", for: "example.com")
        app.phone.person.will(.cancel)
        let error = await #expect(throws: ASAuthorizationError.self) { try await request(app).perform() }
        #expect(error?.code == .canceled)
        try app.phone.checkActs()
    }

    @Test("lead to a passkey without a prompt, for five minutes")
    func upgrade() async throws {
        let app = try PasskeyApp()
        app.phone.savePassword("secret", account: "alice", for: "example.com")
        func upgrade(_ account: String) async throws -> SimulatedASAuthorization {
            let request = app.provider.createCredentialRegistrationRequest(
                challenge: app.site.challenge(), name: account, userID: app.site.userID(of: account),
                requestStyle: .conditional)
            return try await app.controller(request).perform()
        }
        #expect(throws: PhoneRefusal.self) { try app.phone.fillPassword(account: "bob", for: "example.com") }
        #expect(try app.phone.fillPassword(account: "alice", for: "example.com") == "secret")
        await #expect(throws: ASAuthorizationError.self) { try await upgrade("bob") }
        try app.phone.wait(6 * .minutes)
        await #expect(throws: ASAuthorizationError.self) { try await upgrade("alice") }
        try app.phone.fillPassword(account: "alice", for: "example.com")
        let made = try await upgrade("alice")
        let record = try await app.site.register(made, account: "alice", isConditional: true).record
        #expect(!record.uvInitialized)
        try app.site.signIn(try await app.signIn())
        await #expect(throws: ASAuthorizationError.self) { try await upgrade("alice") }
        try app.phone.checkActs()
    }
}

@Suite("New accounts with a passkey")
struct AccountCreationTests {
    @Test("have the user's contact and name")
    func account() async throws {
        let app = try PasskeyApp()
        var name = PersonNameComponents()
        name.givenName = "Alice"
        app.phone.setContact(email: "alice@example.com", name: name)
        let authorization = try await app.controller(app.accountCreation()).perform()
        let created = try #require(
            authorization.credential as? SimulatedASAuthorizationAccountCreationPlatformPublicKeyCredential)
        #expect(created.contactIdentifier == .email(.init(value: "alice@example.com")))
        #expect(created.name?.givenName == "Alice")
        try await app.site.register(created, account: "new")
        try app.site.signIn(try await app.signIn())
        try app.phone.forgetPasskeys(account: "alice@example.com")
    }

    @Test("are refused where the phone cannot make passkeys")
    func unprepared() async throws {
        let app = try PasskeyApp()
        try app.phone.removePasscode()
        let error = await #expect(throws: ASAuthorizationError.self) {
            try await app.controller(app.accountCreation()).perform()
        }
        #expect(error?.code == .deviceNotConfiguredForPasskeyCreation)
    }
}

@Suite("An app's news about credentials")
struct CredentialDataTests {
    @Test("removes and renames passkeys, and removes passwords")
    func news() async throws {
        let app = try PasskeyApp()
        let manager = SimulatedASCredentialDataManager(phone: app.phone)
        let first = try await app.register("alice").credentialID
        try await app.register("bob")
        try await manager.reportPublicKeyCredentialUpdate(
            relyingPartyIdentifier: "example.com", userHandle: app.site.userID(of: "bob"), newName: "robert")
        app.phone.person.willPick(.passkey(account: "robert"))
        try app.site.signIn(try await app.signIn(), account: "bob")
        try await manager.reportUnknownPublicKeyCredential(
            relyingPartyIdentifier: "example.com", credentialID: first)
        #expect(throws: PhoneRefusal.self) { try app.phone.forgetPasskeys(account: "alice") }
        try await manager.reportAllAcceptedPublicKeyCredentials(
            relyingPartyIdentifier: "example.com", userHandle: app.site.userID(of: "bob"), acceptedCredentialIDs: [])
        #expect(!app.phone.hasPasskey(of: "example.com"))
        app.phone.savePassword("secret", account: "alice", for: "example.com")
        try await manager.reportUnusedPasswordCredential(domain: "example.com", userName: "alice")
        #expect(throws: PhoneRefusal.self) { try app.phone.fillPassword(account: "alice", for: "example.com") }
        app.phone.associate(with: [])
        let error = await #expect(throws: ASAuthorizationError.self) {
            try await manager.reportUnknownPublicKeyCredential(
                relyingPartyIdentifier: "example.com", credentialID: first)
        }
        #expect(error?.code == .failed)
        try app.phone.checkActs()
    }
}
