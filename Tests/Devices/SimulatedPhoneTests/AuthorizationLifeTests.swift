import Foundation
import SimulatedPhone
import Testing

@Suite("The life of requests")
@MainActor
struct AuthorizationLifeTests {
    @Test("ends with its report, so that the phone is released")
    func released() async throws {
        weak var phone: Phone?
        weak var controller: SimulatedASAuthorizationController?
        do {
            let app = try PasskeyApp()
            let listener = Listener()
            let made = app.controller(app.registration())
            made.delegate = listener
            made.performRequests()
            await app.phone.finishAuthorizations()
            #expect(listener.heard.count == 1)
            (phone, controller) = (app.phone, made)
        }
        for _ in 0..<1000 where phone != nil || controller != nil { await Task.yield() }
        #expect(phone == nil && controller == nil)
    }

    @Test("ends with the use of the phone, where suggestions wait")
    func suggestionsAfterUse() async throws {
        weak var phone: Phone?
        let listener = Listener()
        do {
            let app = try PasskeyApp()
            try await app.phone.use {
                try await app.register()
                let controller = app.controller(app.assertion())
                controller.delegate = listener
                controller.performAutoFillAssistedRequests()
                await app.phone.finishAuthorizations()
                try app.phone.use {}
                #expect(app.phone.offersSuggestions)
            }
            #expect(!app.phone.offersSuggestions)
            phone = app.phone
        }
        for _ in 0..<1000 where phone != nil { await Task.yield() }
        #expect(phone == nil && listener.heard.isEmpty)
    }

    @Test("of the first requests goes on where a controller performs more")
    func secondPerformance() async throws {
        let app = try PasskeyApp()
        try await app.register()
        let listener = Listener()
        let controller = app.controller(app.assertion())
        controller.delegate = listener
        controller.performAutoFillAssistedRequests()
        await app.phone.finishAuthorizations()
        controller.performRequests()
        await app.phone.finishAuthorizations()
        #expect(listener.codes == [1004] && app.phone.offersSuggestions)
        controller.cancel()
        await app.phone.finishAuthorizations()
        #expect(listener.codes == [1004, 1001] && !app.phone.offersSuggestions)
        controller.performRequests()
        await app.phone.finishAuthorizations()
        try app.site.signIn(try #require(listener.heard.last).get())
    }

    @Test("takes a pick only while the app is on the screen")
    func obstructedPicks() async throws {
        let app = try PasskeyApp()
        try await app.register()
        let listener = Listener()
        let controller = app.controller(app.assertion())
        controller.delegate = listener
        controller.performAutoFillAssistedRequests()
        await app.phone.finishAuthorizations()
        let obstacles: [(() throws -> Void, () throws -> Void)] = [
            ({ try app.phone.lock() }, { try app.phone.unlock() }),
            ({ try app.phone.background() }, { try app.phone.resume() }),
        ]
        for (begin, end) in obstacles {
            try begin()
            let refusal = #expect(throws: PhoneRefusal.self) { try app.phone.person.picks(.passkey) }
            #expect(refusal?.cause != nil)
            try end()
        }
        try app.phone.person.picks(.passkey)
        await app.phone.finishAuthorizations()
        try app.site.signIn(try #require(listener.heard.first).get())
    }

    @Test("of a conditional registration is its own")
    func mixture() async throws {
        let app = try PasskeyApp()
        app.phone.savePassword("secret", account: "alice", for: "example.com")
        try app.phone.fillPassword(account: "alice", for: "example.com")
        let request = app.provider.createCredentialRegistrationRequest(
            challenge: app.site.challenge(), name: "alice", userID: app.site.userID(of: "alice"),
            requestStyle: .conditional)
        let error = await #expect(throws: ASAuthorizationError.self) {
            try await app.controller(request, app.assertion()).perform()
        }
        #expect(error?.code == .failed)
        #expect(error?.localizedDescription.contains("stands alone") == true)
        #expect(!app.phone.hasPasskey(of: "example.com"))
        _ = try await app.controller(request).perform()
    }

    @Test("ends with the phone that is replaced, and passwords, contacts and domains move")
    func replacement() async throws {
        let old = try PasskeyApp()
        try await old.register()
        old.phone.savePassword("secret", account: "alice", for: "example.com")
        old.phone.setContact(email: "alice@example.com")
        old.phone.associate(with: ["example.com"])
        old.controller(old.assertion()).performAutoFillAssistedRequests()
        await old.phone.finishAuthorizations()
        #expect(old.phone.offersSuggestions)
        let new = try PasskeyApp()
        new.phone.savePassword("own", account: "bob", for: "example.com")
        try new.phone.takeOver(from: old.phone)
        try new.phone.launch()
        #expect(!old.phone.offersSuggestions)
        #expect(try new.phone.fillPassword(account: "alice", for: "example.com") == "secret")
        #expect(try new.phone.fillPassword(account: "bob", for: "example.com") == "own")
        #expect(throws: PhoneRefusal.self) { try old.phone.fillPassword(account: "alice", for: "example.com") }
        let foreign = SimulatedASAuthorizationPlatformPublicKeyCredentialProvider(
            relyingPartyIdentifier: "example.org")
        let request = foreign.createCredentialAssertionRequest(challenge: new.site.challenge())
        let error = await #expect(throws: ASAuthorizationError.self) { try await new.controller(request).perform() }
        #expect(error?.localizedDescription.contains("not associated") == true)
        try new.phone.enrol("face")
        let created = try await new.controller(new.accountCreation()).perform().credential
        let account = try #require(
            created as? SimulatedASAuthorizationAccountCreationPlatformPublicKeyCredential)
        #expect(account.contactIdentifier == .email(.init(value: "alice@example.com")))
    }
}
