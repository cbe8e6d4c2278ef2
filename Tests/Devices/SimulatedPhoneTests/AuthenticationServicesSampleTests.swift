import Foundation
import RelyingParty
import SimulatedAppleNames
import Testing

/// An app's manager of accounts, with the calls of Apple's session "Meet passkeys" and of the document "Supporting
/// passkeys", and one changed import.
@MainActor
private final class AccountManager: NSObject, ASAuthorizationControllerDelegate,
    ASAuthorizationControllerPresentationContextProviding
{
    let site: SimulatedRelyingParty
    var authenticationAnchor: ASPresentationAnchor?
    private(set) var isPerformingModalRequest = false
    private(set) var screen = "signed out"
    private(set) var registration: ASAuthorizationPlatformPublicKeyCredentialRegistration?
    private var autoFill: ASAuthorizationController?

    init(site: SimulatedRelyingParty) { self.site = site }

    private var provider: ASAuthorizationPlatformPublicKeyCredentialProvider {
        ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: site.id)
    }

    func signUp(userName: String, anchor: ASPresentationAnchor) {
        authenticationAnchor = anchor
        let request = provider.createCredentialRegistrationRequest(
            challenge: site.challenge(), name: userName, userID: site.userID(of: userName))
        perform([request]).performRequests()
        isPerformingModalRequest = true
    }

    func signIn(anchor: ASPresentationAnchor, preferImmediatelyAvailableCredentials: Bool) {
        authenticationAnchor = anchor
        let assertionRequest = provider.createCredentialAssertionRequest(challenge: site.challenge())
        let passwordRequest = ASAuthorizationPasswordProvider().createRequest()
        let controller = perform([assertionRequest, passwordRequest])
        if preferImmediatelyAvailableCredentials {
            controller.performRequests(options: .preferImmediatelyAvailableCredentials)
        } else {
            controller.performRequests()
        }
        isPerformingModalRequest = true
    }

    func beginAutoFillAssistedSignIn(anchor: ASPresentationAnchor) {
        authenticationAnchor = anchor
        let controller = perform([provider.createCredentialAssertionRequest(challenge: site.challenge())])
        controller.performAutoFillAssistedRequests()
        autoFill = controller
    }

    func cancelAutoFill() { autoFill?.cancel() }

    private func perform(_ requests: [ASAuthorizationRequest]) -> ASAuthorizationController {
        let controller = ASAuthorizationController(authorizationRequests: requests)
        controller.delegate = self
        controller.presentationContextProvider = self
        return controller
    }

    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        switch authorization.credential {
        case let credential as ASAuthorizationPlatformPublicKeyCredentialRegistration:
            guard credential.rawAttestationObject != nil, !credential.rawClientDataJSON.isEmpty else { return }
            registration = credential
            screen = "registered"
        case let credential as ASAuthorizationPlatformPublicKeyCredentialAssertion:
            guard let signature = credential.signature, let userID = credential.userID,
                credential.rawAuthenticatorData != nil, !signature.isEmpty
            else { return }
            do {
                try site.signIn(credential)
                screen = userID == site.userID(of: "alice") ? "alice" : "somewhere else"
            } catch {
                screen = "refused: \(error)"
            }
        case let credential as ASPasswordCredential: screen = "password of \(credential.user)"
        default: screen = "unknown credential"
        }
        isPerformingModalRequest = false
    }

    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
        guard let authorizationError = error as? ASAuthorizationError else {
            isPerformingModalRequest = false
            screen = "unexpected error"
            return
        }
        if authorizationError.code == .canceled {
            // Either the user cancelled, or no credential is available: the app shows its form.
            screen = isPerformingModalRequest ? "form" : "no suggestions"
        } else {
            screen = "error \((error as NSError).code)"
        }
        isPerformingModalRequest = false
    }

    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor {
        authenticationAnchor ?? ASPresentationAnchor()
    }
}

@Suite("An app's passkeys with Apple's names")
@MainActor
struct AuthenticationServicesSampleTests {
    @Test("follow Apple's session")
    func session() async throws {
        let phone = try Phone("iphone-face-id")
        let site = SimulatedRelyingParty("example.com")
        try await phone.use {
            let manager = AccountManager(site: site)
            let anchor = ASPresentationAnchor()
            manager.signIn(anchor: anchor, preferImmediatelyAvailableCredentials: true)
            #expect(manager.isPerformingModalRequest)
            await phone.finishAuthorizations()
            #expect(manager.screen == "form")

            manager.signUp(userName: "alice", anchor: anchor)
            await phone.finishAuthorizations()
            #expect(manager.screen == "registered" && !manager.isPerformingModalRequest)
            try await site.register(try #require(manager.registration), account: "alice")

            manager.signIn(anchor: anchor, preferImmediatelyAvailableCredentials: true)
            await phone.finishAuthorizations()
            #expect(manager.screen == "alice")

            manager.beginAutoFillAssistedSignIn(anchor: anchor)
            await phone.finishAuthorizations()
            manager.cancelAutoFill()
            await phone.finishAuthorizations()
            #expect(manager.screen == "no suggestions")
            manager.beginAutoFillAssistedSignIn(anchor: anchor)
            await phone.finishAuthorizations()
            try phone.person.picks(.passkey)
            await phone.finishAuthorizations()
            #expect(manager.screen == "alice")

            phone.person.will(.cancel)
            manager.signIn(anchor: anchor, preferImmediatelyAvailableCredentials: false)
            await phone.finishAuthorizations()
            #expect(manager.screen == "form")
            phone.savePassword("secret", account: "alice", for: "example.com")
            phone.person.willPick(.password)
            manager.signIn(anchor: anchor, preferImmediatelyAvailableCredentials: false)
            await phone.finishAuthorizations()
            #expect(manager.screen == "password of alice")
            phone.associate(with: [])
            manager.signIn(anchor: anchor, preferImmediatelyAvailableCredentials: false)
            await phone.finishAuthorizations()
            #expect(manager.screen == "error 1004")
        }
    }
}
