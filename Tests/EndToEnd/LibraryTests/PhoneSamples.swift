import Foundation
import SimulatedPhone
import Testing

/// The samples of the library SimulatedPhone.
///
/// SampleTests compares them with the pages.
@Suite("Samples of phones in tests")
struct PhoneSamples {
    func lockPhone() throws {
        let phone = try Phone("iphone-face-id")
        phone.person.will(.noMatch, times: 2)
        phone.person.will(.cancel)
        try phone.wait(30 * .seconds)
        try phone.lock()
    }

    func lockedOut() throws -> Bool {
        let phone = try Phone("iphone-face-id")
        try phone.lockOut()
        return phone.lockout != .none
    }

    func stoppedApp() async throws -> Bool {
        let phone = try Phone("iphone-face-id")
        try phone.kill()
        _ = try? await SimulatedLAContext(phone: phone).evaluatePolicy(
            .deviceOwnerAuthentication, localizedReason: "Open the diary")
        return phone.takeRefusals().count == 1
    }

    func plan(on phone: Phone) throws {
        phone.person.will(.noMatch, times: 2)
        phone.person.will(.cancel)
    }

    func unlock(on phone: Phone) async throws -> Bool {
        let context = SimulatedLAContext(phone: phone)
        return try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open the diary")
    }

    func signUp(on phone: Phone) async throws {
        let site = SimulatedRelyingParty("example.com")
        let provider = SimulatedASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: site.id)
        let request = provider.createCredentialRegistrationRequest(
            challenge: site.challenge(), name: "alice", userID: site.userID(of: "alice"))
        let controller = SimulatedASAuthorizationController(authorizationRequests: [request], phone: phone)
        try await site.register(controller.perform(), account: "alice")
    }

    func signIn(on phone: Phone, challenge: Data) async throws -> SimulatedASAuthorization {
        let provider = SimulatedASAuthorizationPlatformPublicKeyCredentialProvider(
            relyingPartyIdentifier: "example.com")
        let request = provider.createCredentialAssertionRequest(challenge: challenge)
        return try await SimulatedASAuthorizationController(authorizationRequests: [request], phone: phone).perform()
    }

    func signUpAndIn(on phone: Phone) async throws {
        let site = SimulatedRelyingParty("example.com")
        let provider = SimulatedASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: site.id)
        func perform(_ request: SimulatedASAuthorizationRequest) async throws -> SimulatedASAuthorization {
            try await SimulatedASAuthorizationController(authorizationRequests: [request], phone: phone).perform()
        }
        let registration = provider.createCredentialRegistrationRequest(
            challenge: site.challenge(), name: "alice", userID: site.userID(of: "alice"))
        try await site.register(perform(registration), account: "alice")
        try site.signIn(try await perform(provider.createCredentialAssertionRequest(challenge: site.challenge())))
    }

    func keyWithPIN(at phone: Phone) throws -> SimulatedSecurityKey {
        let key = try phone.plugIn("yubikey-5-nfc-5.7")
        try key.setPIN("123456")
        return key
    }

    @Test func aPhoneLocks() throws {
        try lockPhone()
        #expect(try lockedOut())
        let validity = 30 * Duration.seconds
        #expect(validity == .seconds(30))
    }

    @Test func theUserFollowsAPlan() async throws {
        let phone = try Phone("iphone-face-id")
        #expect(try await unlock(on: phone))
        try plan(on: phone)
        await #expect(throws: LAError.self) { _ = try await unlock(on: phone) }
        #expect(try await stoppedApp())
    }

    @Test func aPasskeySignsIn() async throws {
        let phone = try Phone("iphone-face-id")
        try await signUp(on: phone)
        let signedIn = try await signIn(on: phone, challenge: Data(repeating: 7, count: 32))
        #expect(signedIn.credential is SimulatedASAuthorizationPlatformPublicKeyCredentialAssertion)
        try await signUpAndIn(on: phone)
        _ = try keyWithPIN(at: phone)
    }
}
