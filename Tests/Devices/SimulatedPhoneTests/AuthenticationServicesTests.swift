import Biometrics
import Foundation
import RelyingParty
import SimulatedPhone
import Testing
import WebAuthn

/// An app with passkeys on a phone, and its relying party.
struct PasskeyApp {
    let phone: Phone
    let site = SimulatedRelyingParty("example.com")
    let provider = SimulatedASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: "example.com")

    init(_ profile: String = "iphone-face-id") throws { phone = try Phone(profile) }

    func controller(_ requests: SimulatedASAuthorizationRequest...) -> SimulatedASAuthorizationController {
        SimulatedASAuthorizationController(authorizationRequests: requests, phone: phone)
    }

    func registration(
        _ account: String = "alice"
    ) -> SimulatedASAuthorizationPlatformPublicKeyCredentialRegistrationRequest {
        provider.createCredentialRegistrationRequest(
            challenge: site.challenge(), name: account, userID: site.userID(of: account))
    }

    func assertion() -> SimulatedASAuthorizationPlatformPublicKeyCredentialAssertionRequest {
        provider.createCredentialAssertionRequest(challenge: site.challenge())
    }

    @discardableResult
    func register(
        _ account: String = "alice"
    ) async throws -> SimulatedASAuthorizationPlatformPublicKeyCredentialRegistration {
        let authorization = try await controller(registration(account)).perform()
        try await site.register(authorization, account: account)
        return try #require(
            authorization.credential as? SimulatedASAuthorizationPlatformPublicKeyCredentialRegistration)
    }

    func signIn() async throws -> SimulatedASAuthorizationPlatformPublicKeyCredentialAssertion {
        try #require(
            try await controller(assertion()).perform().credential
                as? SimulatedASAuthorizationPlatformPublicKeyCredentialAssertion)
    }
}

/// A delegate that notes what it hears.
@MainActor
final class Listener: SimulatedASAuthorizationControllerDelegate,
    SimulatedASAuthorizationControllerPresentationContextProviding
{
    private(set) var heard: [Result<SimulatedASAuthorization, any Error>] = []
    private(set) var windows = 0
    private(set) weak var phone: Phone?

    var codes: [Int] {
        heard.compactMap { result in
            do {
                _ = try result.get()
                return nil
            } catch {
                return (error as NSError).code
            }
        }
    }

    func authorizationController(
        controller: SimulatedASAuthorizationController,
        didCompleteWithAuthorization authorization: SimulatedASAuthorization
    ) {
        heard.append(.success(authorization))
        phone = Phone.current
    }

    func authorizationController(controller: SimulatedASAuthorizationController, didCompleteWithError error: any Error)
    {
        heard.append(.failure(error))
        phone = Phone.current
    }

    func presentationAnchor(for controller: SimulatedASAuthorizationController) -> SimulatedASPresentationAnchor {
        windows += 1
        return SimulatedASPresentationAnchor()
    }
}

@Suite("Passkeys in an app's test")
struct AuthenticationServicesTests {
    @Test(
        "are made, and sign in at a relying party",
        arguments: ["iphone-face-id", "iphone-touch-id", "iphone-face-id-older", "macbook-touch-id"])
    func ceremonies(profile: String) async throws {
        let app = try PasskeyApp(profile)
        let registration = try await app.register()
        #expect(registration.attachment == .platform)
        #expect(registration.largeBlob == nil && registration.prf == nil)
        #expect(app.phone.hasPasskey(of: "example.com"))

        let assertion = try await app.signIn()
        #expect(assertion.credentialID == registration.credentialID)
        #expect(assertion.userID == app.site.userID(of: "alice"))
        #expect(try app.site.signIn(assertion).userVerified)
        try app.phone.checkActs()
    }

    @Test("have client data as iOS writes it, and synced flags")
    func shape() async throws {
        let app = try PasskeyApp()
        let registration = try await app.register()
        let object = try AttestationObject(parsing: [UInt8](registration.rawAttestationObject ?? Data()))
        #expect(object.format == "none")
        let data = try AuthenticatorData(parsing: object.authenticatorData)
        #expect(data.flags.contains(.backupEligible) && data.flags.contains(.backupState))
        #expect(data.signCount == 0)
        let client = try #require(
            try JSONSerialization.jsonObject(with: registration.rawClientDataJSON) as? [String: Any])
        #expect(client["type"] as? String == "webauthn.create")
        #expect(client["origin"] as? String == "https://example.com")
    }

    @Test("verify the user even where the app discourages it")
    func discouraged() async throws {
        let app = try PasskeyApp()
        let request = app.registration()
        request.userVerificationPreference = .discouraged
        let record = try await app.site.register(try await app.controller(request).perform(), account: "alice").record
        #expect(record.uvInitialized)
        let assertion = app.assertion()
        assertion.userVerificationPreference = .discouraged
        #expect(try app.site.signIn(try await app.controller(assertion).perform()).userVerified)
    }

    @Test("are listed on the phone, and gone after their deletion")
    func deletion() async throws {
        let app = try PasskeyApp()
        try await app.register("alice")
        try await app.register("bob")
        try app.phone.forgetPasskeys(account: "alice", relyingParty: "example.com")
        #expect(try app.site.signIn(try await app.signIn()).userHandle == app.site.userID(of: "bob").map { $0 })
        try app.phone.forgetPasskeys()
        #expect(!app.phone.hasPasskey(of: "example.com"))
        await #expect(throws: ASAuthorizationError.self) { try await app.signIn() }
    }

    @Test("are chosen by the user among several accounts")
    func accounts() async throws {
        let app = try PasskeyApp()
        for account in ["alice", "bob"] { try await app.register(account) }
        func signedIn() async throws -> Data { try #require(try await app.signIn().userID) }
        #expect(try await signedIn() == app.site.userID(of: "bob"))
        app.phone.person.will(.choose(2))
        #expect(try await signedIn() == app.site.userID(of: "alice"))
        app.phone.person.willPick(.passkey(account: "alice"))
        #expect(try await signedIn() == app.site.userID(of: "alice"))
        let request = app.assertion()
        request.allowedCredentials = app.site.credentialIDs(of: "alice").map { .init(credentialID: $0) }
        let allowed = try await app.controller(request).perform()
        #expect(try app.site.signIn(allowed, account: "alice").userHandle == app.site.userID(of: "alice").map { $0 })
        try app.phone.checkActs()
    }

    @Test("reach another phone of the user")
    func sharing() async throws {
        let (app, other) = (try PasskeyApp(), try Phone("iphone-touch-id"))
        try await app.register()
        try app.phone.sharePasskeys(with: other)
        let controller = SimulatedASAuthorizationController(authorizationRequests: [app.assertion()], phone: other)
        try app.site.signIn(try await controller.perform())
    }

    @Test("open for the passcode after a lockout")
    func lockout() async throws {
        let app = try PasskeyApp()
        try await app.register()
        app.phone.person.will(.noMatch, times: 2)
        app.phone.person.will(.passcode(correct: true))
        #expect(try app.site.signIn(try await app.signIn()).userVerified)
        try app.phone.lockOut()
        #expect(try app.site.signIn(try await app.signIn()).userVerified)
        #expect(app.phone.lockout == .none)
        try app.phone.checkActs()
    }

    @Test("have a pseudo-random function and a large blob where the phone has them")
    func extensions() async throws {
        let app = try PasskeyApp()
        let request = app.registration()
        request.prf = .inputValues(.saltInput1(Data("salt".utf8)))
        request.largeBlob = .supportRequired
        let registered = try await app.controller(request).perform()
        try await app.site.register(registered, account: "alice")
        let registration = try #require(
            registered.credential as? SimulatedASAuthorizationPlatformPublicKeyCredentialRegistration)
        #expect(registration.prf?.isSupported == true && registration.largeBlob?.isSupported == true)

        func assert(
            _ change: (SimulatedASAuthorizationPlatformPublicKeyCredentialAssertionRequest) -> Void
        ) async throws -> SimulatedASAuthorizationPlatformPublicKeyCredentialAssertion {
            let request = app.assertion()
            request.allowedCredentials = [.init(credentialID: registration.credentialID)]
            change(request)
            let authorization = try await app.controller(request).perform()
            try app.site.signIn(authorization)
            return try #require(
                authorization.credential as? SimulatedASAuthorizationPlatformPublicKeyCredentialAssertion)
        }
        let evaluated = try await assert {
            $0.prf = .inputValues(.saltInput1(Data("salt".utf8), saltInput2: Data("other".utf8)))
        }
        #expect(evaluated.prf?.first == registration.prf?.first && evaluated.prf?.first != nil)
        #expect(evaluated.prf?.second != nil && evaluated.prf?.second != evaluated.prf?.first)
        let named = try await assert {
            $0.prf = .perCredentialInputValues([registration.credentialID: .saltInput1(Data("other".utf8))])
        }
        #expect(named.prf?.first == evaluated.prf?.second)
        #expect(try await assert { $0.largeBlob = .read }.largeBlob?.result == .read(data: nil))
        let blob = Data("blob".utf8)
        #expect(try await assert { $0.largeBlob = .write(blob) }.largeBlob?.result == .write(success: true))
        #expect(try await assert { $0.largeBlob = .read }.largeBlob?.result == .read(data: blob))

        let older = try PasskeyApp("iphone-face-id-older")
        let old = older.registration()
        old.prf = .checkForSupport
        let answer = try await older.controller(old).perform().credential
        #expect(
            (answer as? SimulatedASAuthorizationPlatformPublicKeyCredentialRegistration)?.prf?.isSupported == false)
    }

    @Test("come from a phone nearby, which scans the code of the sheet")
    func nearbyPhone() async throws {
        let (app, pocket) = (try PasskeyApp("macbook-touch-id"), try PasskeyApp())
        try await pocket.register()
        app.phone.setNearbyPhone(pocket.phone)
        let request = app.provider.createCredentialAssertionRequest(challenge: pocket.site.challenge())
        let authorization = try await app.controller(request).perform()
        let assertion = try #require(
            authorization.credential as? SimulatedASAuthorizationPlatformPublicKeyCredentialAssertion)
        #expect(assertion.attachment == .crossPlatform)
        try pocket.site.signIn(assertion)
        request.shouldShowHybridTransport = false
        await #expect(throws: ASAuthorizationError.self) { try await app.controller(request).perform() }
        try pocket.phone.lock()
        request.shouldShowHybridTransport = true
        await #expect(throws: (any Error).self) { try await app.controller(request).perform() }
    }
}

@Suite("A controller's delegate")
@MainActor
struct AuthorizationDelegateTests {
    @Test("hears of a result after the call, on the main actor, with the phone in use")
    func later() async throws {
        let app = try PasskeyApp()
        let listener = Listener()
        let controller = app.controller(app.registration())
        (controller.delegate, controller.presentationContextProvider) = (listener, listener)
        controller.performRequests()
        #expect(listener.heard.isEmpty)
        await app.phone.finishAuthorizations()
        #expect(listener.heard.count == 1 && listener.codes.isEmpty && listener.windows == 1)
        #expect(listener.phone === app.phone)
        await app.phone.finishAuthorizations()
        #expect(listener.heard.count == 1)
    }

    @Test("hears of a result in a synchronous test")
    func synchronously() throws {
        let app = try PasskeyApp()
        let listener = Listener()
        let controller = app.controller(app.registration())
        controller.delegate = listener
        controller.performRequests()
        app.phone.finishAuthorizations()
        #expect(listener.heard.count == 1 && listener.codes.isEmpty)
        app.phone.person.will(.cancel)
        controller.performRequests()
        app.phone.finishAuthorizations()
        #expect(listener.codes == [1001])
    }

    @Test("hears without a test that waits")
    func unawaited() async throws {
        let app = try PasskeyApp()
        let listener = Listener()
        let controller = app.controller(app.registration())
        controller.delegate = listener
        controller.performRequests()
        while listener.heard.isEmpty { await Task.yield() }
        #expect(listener.codes.isEmpty)
    }

    @Test("hears that no phone is in use")
    func withoutPhone() async throws {
        let listener = Listener()
        let provider = SimulatedASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: "a.example")
        let controller = SimulatedASAuthorizationController(
            authorizationRequests: [provider.createCredentialAssertionRequest(challenge: Data(count: 32))])
        controller.delegate = listener
        controller.performRequests()
        while listener.heard.isEmpty { await Task.yield() }
        #expect(listener.codes == [ASAuthorizationError.Code.notHandled.rawValue])
        let error = await #expect(throws: ASAuthorizationError.self) { try await controller.perform() }
        #expect(error?.localizedDescription.contains("phone.use") == true)
    }

    @Test("hears of a cancel, and of a second request at once")
    func cancel() async throws {
        let app = try PasskeyApp()
        let (first, second) = (Listener(), Listener())
        let (one, other) = (app.controller(app.registration()), app.controller(app.registration("bob")))
        (one.delegate, other.delegate) = (first, second)
        app.phone.person.duringNextPrompt {
            other.performRequests()
            one.cancel()
        }
        one.performRequests()
        await app.phone.finishAuthorizations()
        #expect(first.codes == [1001])
        #expect(second.codes == [1004])
        #expect(!app.phone.hasPasskey(of: "example.com"))
        one.performRequests()
        await app.phone.finishAuthorizations()
        #expect(first.heard.count == 2 && first.codes == [1001])
        try app.phone.checkActs()
    }
}
