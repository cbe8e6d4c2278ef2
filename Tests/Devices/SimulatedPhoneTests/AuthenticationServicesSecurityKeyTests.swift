import Causes
import Foundation
import RelyingParty
import SimulatedPhone
import Testing

@Suite("Security keys in an app's test")
struct AuthenticationServicesSecurityKeyTests {
    private let app: PasskeyApp
    private let provider = SimulatedASAuthorizationSecurityKeyPublicKeyCredentialProvider(
        relyingPartyIdentifier: "example.com")

    init() throws { app = try PasskeyApp() }

    private func registration() -> SimulatedASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest {
        let request = provider.createCredentialRegistrationRequest(
            challenge: app.site.challenge(), displayName: "Alice", name: "alice",
            userID: app.site.userID(of: "alice"))
        request.credentialParameters = [.init(algorithm: .ES256)]
        return request
    }

    private func assertion(
        over transports: [SimulatedASAuthorizationSecurityKeyPublicKeyCredentialDescriptor.Transport] = []
    ) -> SimulatedASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest {
        let request = provider.createCredentialAssertionRequest(challenge: app.site.challenge())
        request.allowedCredentials = app.site.credentialIDs(of: "alice").map {
            .init(credentialID: $0, transports: transports)
        }
        return request
    }

    private func register() async throws {
        try await app.site.register(try await app.controller(registration()).perform(), account: "alice")
    }

    @Test("register and sign in with a PIN that the user types")
    func ceremonies() async throws {
        let key = try app.phone.plugIn("yubikey-5-nfc-5.7")
        try key.setPIN("123456")
        let made = try await app.controller(registration()).perform()
        let registration = try #require(
            made.credential as? SimulatedASAuthorizationSecurityKeyPublicKeyCredentialRegistration)
        #expect(registration.transports.contains(.usb) && registration.transports.contains(.nfc))
        #expect(try await app.site.register(made, account: "alice").record.uvInitialized)

        key.willTypePIN("000000")
        let signedIn = try await app.controller(assertion()).perform()
        #expect(signedIn.credential is SimulatedASAuthorizationSecurityKeyPublicKeyCredentialAssertion)
        #expect(try app.site.signIn(signedIn, account: "alice").userVerified)
        #expect(!app.phone.hasPasskey(of: "example.com"))
        try app.phone.checkActs()

        key.willTypePIN("000000")
        #expect(throws: UnusedActs.self) { try app.phone.checkActs() }
    }

    @Test("register discoverable credentials with an attestation")
    func options() async throws {
        let key = try app.phone.plugIn("yubikey-5-nfc-5.7")
        try key.setPIN("123456")
        let request = registration()
        request.residentKeyPreference = .required
        request.attestationPreference = .direct
        request.userVerificationPreference = .required
        let credential = try await app.site.register(
            try await app.controller(request).perform(), account: "alice")
        #expect(credential.attestationFormat == "packed")
        let signIn = provider.createCredentialAssertionRequest(challenge: app.site.challenge())
        let answer = try await app.controller(signIn).perform()
        #expect(try app.site.signIn(answer).userHandle == app.site.userID(of: "alice").map { $0 })
    }

    @Test("are refused, cancelled and missed with the errors of the system")
    func errors() async throws {
        let key = try app.phone.plugIn("yubikey-5-nfc-5.7")
        try key.setPIN("123456")
        try await register()
        func code(
            _ request: SimulatedASAuthorizationRequest,
            _ prepare: () throws -> Void = {}
        ) async throws -> Int {
            try prepare()
            let error = await #expect(throws: (any Error).self) { try await app.controller(request).perform() }
            return try #require(error as NSError?).code
        }
        #expect(try await code(assertion()) { key.willTypePIN(nil) } == 1001)
        #expect(try await code(assertion()) { key.person.will(.cancel) } == 1001)
        let excluded = registration()
        excluded.excludedCredentials = app.site.credentialIDs(of: "alice").map {
            .init(credentialID: $0, transports: [.usb])
        }
        #expect(try await code(excluded) == 1006)
        #expect(try await code(assertion(over: [.nfc])) == 1001)
        #expect(try await code(assertion()) { try app.phone.unplug() } == 31)
        #expect(throws: PhoneRefusal.self) { try app.phone.unplug() }
        try app.phone.tap(key)
        try app.site.signIn(try await app.controller(assertion(over: [.nfc])).perform(), account: "alice")
        try app.phone.checkActs()
    }

    @Test("take PINs that fit, and say what to do about others")
    func pins() async throws {
        let key = try app.phone.plugIn("yubikey-5-nfc-5.7")
        func refusal(_ act: () throws -> Void) -> String {
            (#expect(throws: PhoneRefusal.self) { try act() })?.sentence ?? ""
        }
        #expect(refusal { try key.changePIN("123456") }.contains("set one with setPIN"))
        #expect(refusal { try key.setPIN("12") }.contains("2 characters; choose one of at least 4"))
        let request = registration()
        request.userVerificationPreference = .required
        let error = await #expect(throws: (any Error).self) { try await app.controller(request).perform() }
        #expect(error?.localizedDescription.contains("has no PIN") == true, "\(error.map { "\($0)" } ?? "")")
        #expect(error?.localizedDescription.contains("key.setPIN") == true)
        try key.setPIN("123456")
        #expect(refusal { try key.setPIN("123456") }.contains("changePIN"))
        try key.changePIN("654321")
        try await register()
        key.willTypePIN("123456")
        _ = try await app.controller(assertion()).perform()
        #expect(key.events.contains { $0.contains("PIN") }, "\(key.events)")
        try app.phone.checkActs()
    }

    @Test("lose their power when the user unplugs them: three wrong PINs need that, eight block the key")
    func powerCycle() async throws {
        let key = try app.phone.plugIn("yubikey-5-nfc-5.7")
        try key.setPIN("123456")
        try await register()
        func failure(after wrongPINs: Int) async -> String {
            for _ in 0..<wrongPINs { key.willTypePIN("000000") }
            let error = await #expect(throws: (any Error).self) { try await app.controller(assertion()).perform() }
            return error?.localizedDescription ?? ""
        }
        func replug() throws {
            try app.phone.unplug()
            try app.phone.plugIn(key)
        }
        #expect(await failure(after: 3).contains("must be power-cycled"))
        #expect(await failure(after: 0).contains("must be power-cycled"))
        try replug()
        try app.site.signIn(try await app.controller(assertion()).perform(), account: "alice")
        for round in [3, 3, 2] {
            _ = await failure(after: round)
            try replug()
        }
        // The PIN stays blocked.
        #expect(await failure(after: 0).contains("must be reset"))
        try app.phone.checkActs()
    }

    @Test("stand beside passkeys on one sheet")
    func mixed() async throws {
        let key = try app.phone.plugIn("yubikey-5-nfc-5.7")
        try key.setPIN("123456")
        app.phone.person.willPick(.securityKey)
        let made = try await app.controller(app.registration(), registration()).perform()
        #expect(made.credential is SimulatedASAuthorizationSecurityKeyPublicKeyCredentialRegistration)
        try await app.site.register(made, account: "alice")
        // Apple's system ignores the option beside a request for security keys.
        let signedIn = try await app.controller(app.assertion(), assertion())
            .perform(options: .preferImmediatelyAvailableCredentials)
        #expect(try app.site.signIn(signedIn, account: "alice").userVerified)
        try app.phone.unplug()
        let error = await #expect(throws: ASAuthorizationError.self) {
            try await app.controller(app.assertion(), assertion())
                .perform(options: .preferImmediatelyAvailableCredentials)
        }
        #expect(error?.localizedDescription.contains("closes the sheet") == true)
        // A user who picks the key without connecting it lets the sheet wait.
        app.phone.person.willPick(.securityKey)
        let start = app.phone.uptime
        let timeout = await #expect(throws: NSError.self) {
            try await app.controller(app.assertion(), assertion()).perform()
        }
        #expect(timeout?.domain == "WKErrorDomain" && timeout?.code == 31)
        #expect(app.phone.uptime - start >= .seconds(120))
        try app.phone.checkActs()
    }

    @Test("are refused where they do not fit the phone")
    func refusals() throws {
        let cases: [(String, () throws -> Void)] = [
            ("yubikey-5-nfc-5.7", { try app.phone.plugIn("yubikey-5-nfc-57") }),
            ("not a security key", { try app.phone.plugIn("iphone-face-id") }),
            ("belongs to another phone", { try app.phone.plugIn(try Phone("iphone-face-id").securityKey("solo-2")) }),
            ("has no nfc", { try app.phone.tap(try app.phone.securityKey("yubikey-bio")) }),
        ]
        for (words, act) in cases {
            let refusal = #expect(throws: PhoneRefusal.self) { try act() }
            #expect(refusal?.sentence.contains(words) == true, "\(refusal?.sentence ?? "")")
        }
    }
}
