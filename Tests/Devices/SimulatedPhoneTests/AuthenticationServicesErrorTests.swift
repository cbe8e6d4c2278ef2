import Causes
import Foundation
import SimulatedPhone
import Testing

/// A situation in which a request fails, and the error that Apple's system reports.
struct AuthorizationTrouble: CustomTestStringConvertible, Sendable {
    let name: String
    var profile = "iphone-face-id"
    var domain = "com.apple.AuthenticationServices.AuthorizationError"
    let code: Int
    /// Words of the reason.
    var words = ""
    let make: @Sendable (PasskeyApp) async throws -> SimulatedASAuthorization

    var testDescription: String { name }

    static let all: [AuthorizationTrouble] = [
        Self(name: "cancel at registration", code: 1001) { app in
            app.phone.person.will(.cancel)
            return try await app.controller(app.registration()).perform()
        },
        Self(name: "cancel at sign-in", code: 1001) { app in
            try await app.register()
            app.phone.person.will(.cancel)
            return try await app.controller(app.assertion()).perform()
        },
        Self(name: "sheet closed", code: 1001) { app in
            app.phone.person.willPick(.cancel)
            return try await app.controller(app.registration()).perform()
        },
        Self(name: "no answer", code: 1001) { app in
            app.phone.person.will(.ignore)
            return try await app.controller(app.registration()).perform()
        },
        Self(name: "no passkey, closed QR code", code: 1001, words: "closes the sheet") { app in
            try await app.controller(app.assertion()).perform()
        },
        Self(name: "no passkey, immediately", code: 1001, words: "No credentials available for login.") { app in
            try await app.controller(app.assertion()).perform(options: .preferImmediatelyAvailableCredentials)
        },
        Self(name: "none of the allowed passkeys, immediately", code: 1001, words: "No credentials available") { app in
            try await app.register()
            let request = app.assertion()
            request.allowedCredentials = [.init(credentialID: Data(count: 16))]
            return try await app.controller(request).perform(options: .preferImmediatelyAvailableCredentials)
        },
        Self(name: "a passkey that is not listed yet", code: 1001, words: "No credentials available") { app in
            try app.phone.delayPasskeys(by: 30 * .seconds)
            try await app.register()
            return try await app.controller(app.assertion()).perform(options: .preferImmediatelyAvailableCredentials)
        },
        Self(name: "excluded passkey", code: 1006) { app in
            try await app.register()
            let request = app.registration()
            request.excludedCredentials = app.site.credentialIDs(of: "alice").map { .init(credentialID: $0) }
            return try await app.controller(request).perform()
        },
        Self(name: "excluded passkey, before iOS 18", profile: "iphone-face-id-older", domain: "WKErrorDomain", code: 8)
        {
            app in
            try await app.register()
            let request = app.registration()
            request.excludedCredentials = app.site.credentialIDs(of: "alice").map { .init(credentialID: $0) }
            return try await app.controller(request).perform()
        },
        Self(name: "no passcode", code: 1010) { app in
            try app.phone.removePasscode()
            return try await app.controller(app.registration()).perform()
        },
        Self(name: "no passcode, before iOS 26", profile: "iphone-face-id-older", code: 1004) { app in
            try app.phone.removePasscode()
            return try await app.controller(app.registration()).perform()
        },
        Self(
            name: "app of another domain", code: 1004,
            words: "Application with identifier app is not associated with domain example.com"
        ) { app in
            app.phone.associate(with: ["example.org"])
            return try await app.controller(app.registration()).perform()
        },
        Self(name: "an RP ID that is a URL", code: 1004, words: "is not associated with domain https://example.com") {
            app in
            let provider = SimulatedASAuthorizationPlatformPublicKeyCredentialProvider(
                relyingPartyIdentifier: "https://example.com")
            return try await app.controller(provider.createCredentialAssertionRequest(challenge: Data(count: 32)))
                .perform()
        },
        Self(name: "a user handle of 65 bytes", code: 1004) { app in
            let request = app.registration()
            request.userID = Data(count: 65)
            return try await app.controller(request).perform()
        },
        Self(name: "app in the background", code: 1005) { app in
            try app.phone.background()
            return try await app.controller(app.registration()).perform()
        },
        Self(name: "locked phone", code: 1005, words: "phone.unlock()") { app in
            try app.phone.lock()
            return try await app.controller(app.registration()).perform()
        },
        Self(name: "phone after its start", code: 1005, words: "phone.unlock()") { app in
            try app.phone.reboot()
            try app.phone.wake()
            return try await app.controller(app.registration()).perform()
        },
        Self(name: "a blob for any passkey", code: 1004, words: "write for 0 allowed credentials") { app in
            try await app.register()
            let request = app.assertion()
            request.largeBlob = .write(Data([1]))
            return try await app.controller(request).perform()
        },
        Self(name: "conditional registration without a sign-in", code: 1001, words: "password") { app in
            let request = app.registration()
            request.requestStyle = .conditional
            return try await app.controller(request).perform()
        },
        Self(name: "Sign in with Apple preferred", code: 1009) { app in
            app.phone.person.willPick(.signInWithApple)
            return try await app.controller(app.accountCreation()).perform()
        },
        Self(name: "no security key", domain: "WKErrorDomain", code: 31, words: "phone.plugIn") { app in
            let provider = SimulatedASAuthorizationSecurityKeyPublicKeyCredentialProvider(
                relyingPartyIdentifier: "example.com")
            return try await app.controller(provider.createCredentialAssertionRequest(challenge: Data(count: 32)))
                .perform()
        },
        Self(name: "no request", domain: "NSInvalidArgumentException", code: 1, words: "authorizationRequests") { app in
            try await app.controller().perform()
        },
    ]
}

extension PasskeyApp {
    func accountCreation() -> SimulatedASAuthorizationAccountCreationPlatformPublicKeyCredentialRequest {
        SimulatedASAuthorizationAccountCreationProvider().createPlatformPublicKeyCredentialRegistrationRequest(
            acceptedContactIdentifiers: [.email, .phoneNumber], shouldRequestName: true,
            relyingPartyIdentifier: site.id, challenge: site.challenge(), userID: site.userID(of: "new"))
    }
}

@Suite("Errors of AuthenticationServices")
struct AuthenticationServicesErrorTests {
    @Test("are Apple's, in each situation", arguments: AuthorizationTrouble.all)
    func codes(trouble: AuthorizationTrouble) async throws {
        let app = try PasskeyApp(trouble.profile)
        let error =
            try #require(
                await #expect(throws: (any Error).self) { _ = try await trouble.make(app) }) as NSError
        #expect(error.domain == trouble.domain && error.code == trouble.code, "\(error)")
        #expect(
            trouble.words.isEmpty || error.localizedDescription.contains(trouble.words), "\(error.localizedDescription)"
        )
        #expect(!error.localizedDescription.isEmpty)
        try app.phone.checkActs()
    }

    @Test("are an ASAuthorizationError with Apple's code, domain and reason")
    func type() async throws {
        let app = try PasskeyApp()
        app.phone.person.will(.cancel)
        let error = await #expect(throws: ASAuthorizationError.self) {
            try await app.controller(app.registration()).perform()
        }
        #expect(error?.code == .canceled)
        let bridged = try #require(error) as NSError
        #expect(bridged.domain == ASAuthorizationError.errorDomain)
        #expect(bridged.userInfo[NSLocalizedFailureReasonErrorKey] is String)
        do {
            app.phone.person.will(.cancel)
            _ = try await app.controller(app.registration()).perform()
        } catch ASAuthorizationError.failed {
            Issue.record("the user cancelled")
        } catch ASAuthorizationError.canceled {
            return
        }
        Issue.record("the error is not \(ASAuthorizationError.Code.canceled)")
    }

    @Test("say why a state of the phone allows no request")
    func refusals() async throws {
        let cases: [(Cause, (Phone) throws -> Void)] = [
            (.appNotRunning, { try $0.kill() }), (.appNotRunning, { try $0.uninstall() }),
        ]
        for (cause, act) in cases {
            let app = try PasskeyApp()
            try act(app.phone)
            let refusal = await #expect(throws: PhoneRefusal.self) {
                try await app.controller(app.registration()).perform()
            }
            #expect(refusal?.cause == cause, "\(cause)")
            #expect(app.phone.takeRefusals() == [try #require(refusal)])
        }
        let android = try PasskeyApp("pixel-fingerprint")
        await #expect(throws: PhoneRefusal.self) { try await android.controller(android.registration()).perform() }
    }

    @Test("tell the place of a choice that the sheet does not offer")
    func choices() async throws {
        let app = try PasskeyApp()
        app.phone.person.willPick(.password)
        await #expect(throws: ASAuthorizationError.self) { try await app.controller(app.registration()).perform() }
        app.phone.person.willPick(.passkey)
        let unused = #expect(throws: UnusedActs.self) { try app.phone.checkActs() }
        let sentences = unused?.sentences.joined(separator: "\n") ?? ""
        #expect(sentences.contains("does not offer a password; it offers a passkey of alice"))
        #expect(sentences.contains("no sheet opened"))
        try app.phone.checkActs()
    }
}
