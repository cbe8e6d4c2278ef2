public import Foundation

#if SIMULATED_PHONE
public import SimulatedAppleNames
#else
public import AuthenticationServices
#endif

/// Passkeys of the system, through `ASAuthorizationController`.
@MainActor
public final class SystemPasskeys: NSObject, Passkeys {
    private enum Answer: Sendable {
        case created(NewPasskey)
        case signed(PasskeySignature)
    }

    private let provider: ASAuthorizationPlatformPublicKeyCredentialProvider
    private let window: () -> ASPresentationAnchor
    private let makeController: ([ASAuthorizationRequest]) -> ASAuthorizationController
    /// The request in progress.
    private var controller: ASAuthorizationController?
    private var answer: CheckedContinuation<Answer, any Error>?
    /// The requests that wait for its end.
    private var successors: [CheckedContinuation<Void, Never>] = []

    /// The passkeys of a relying party, with sheets over a window.
    public init(
        relyingParty: String, window: @escaping () -> ASPresentationAnchor,
        makeController: @escaping ([ASAuthorizationRequest]) -> ASAuthorizationController = {
            ASAuthorizationController(authorizationRequests: $0)
        }
    ) {
        provider = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: relyingParty)
        (self.window, self.makeController) = (window, makeController)
    }

    /// Asks the user for a new passkey.
    public func create(_ options: RegistrationOptions) async throws -> NewPasskey {
        let request = provider.createCredentialRegistrationRequest(
            challenge: try challenge(options.challenge), name: options.account, userID: options.userID)
        request.excludedCredentials = options.existing.map(
            ASAuthorizationPlatformPublicKeyCredentialDescriptor.init(credentialID:))
        guard case .created(let passkey) = try await perform(request, { $0.performRequests() }) else {
            throw ASAuthorizationError(.invalidResponse)
        }
        return passkey
    }

    /// Asks the user to sign in on a sheet.
    public func sign(_ options: SignInOptions, quietly: Bool) async throws -> PasskeySignature {
        try await signature(options) {
            $0.performRequests(options: quietly ? .preferImmediatelyAvailableCredentials : [])
        }
    }

    /// Offers passkeys at the field for the user's name.
    public func offer(_ options: SignInOptions) async throws -> PasskeySignature {
        try await signature(options) { $0.performAutoFillAssistedRequests() }
    }

    /// Ends the request in progress.
    public func cancel() { controller?.cancel() }

    private func signature(
        _ options: SignInOptions, _ start: (ASAuthorizationController) -> Void
    ) async throws -> PasskeySignature {
        let request = provider.createCredentialAssertionRequest(challenge: try challenge(options.challenge))
        request.allowedCredentials = options.allowed.map(
            ASAuthorizationPlatformPublicKeyCredentialDescriptor.init(credentialID:))
        guard case .signed(let signature) = try await perform(request, start) else {
            throw ASAuthorizationError(.invalidResponse)
        }
        return signature
    }

    private func challenge(_ text: String) throws -> Data {
        guard let challenge = Data(base64URL: text) else { throw ASAuthorizationError(.invalidResponse) }
        return challenge
    }

    /// Cancels an earlier request, because the system refuses a second one, and performs a new request.
    private func perform(
        _ request: ASAuthorizationRequest, _ start: (ASAuthorizationController) -> Void
    ) async throws -> Answer {
        while answer != nil {
            cancel()
            await withCheckedContinuation { successors.append($0) }
        }
        let controller = makeController([request])
        controller.delegate = self
        controller.presentationContextProvider = self
        self.controller = controller
        return try await withCheckedThrowingContinuation {
            answer = $0
            start(controller)
        }
    }

    private func end(_ result: Result<Answer, any Error>) {
        answer?.resume(with: result)
        (answer, controller) = (nil, nil)
        for successor in successors { successor.resume() }
        successors = []
    }
}

extension SystemPasskeys: ASAuthorizationControllerDelegate {
    /// A request was successful.
    public func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        switch authorization.credential {
        case let passkey as ASAuthorizationPlatformPublicKeyCredentialRegistration:
            let created = NewPasskey(
                credentialID: passkey.credentialID, clientDataJSON: passkey.rawClientDataJSON,
                attestationObject: passkey.rawAttestationObject ?? Data())
            end(.success(.created(created)))
        case let assertion as ASAuthorizationPlatformPublicKeyCredentialAssertion:
            let signed = PasskeySignature(
                credentialID: assertion.credentialID, clientDataJSON: assertion.rawClientDataJSON,
                authenticatorData: assertion.rawAuthenticatorData, signature: assertion.signature,
                userID: assertion.userID)
            end(.success(.signed(signed)))
        default: end(.failure(ASAuthorizationError(.invalidResponse)))
        }
    }

    /// A request failed.
    public func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
        end(.failure(error))
    }
}

extension SystemPasskeys: ASAuthorizationControllerPresentationContextProviding {
    /// The window over which a sheet appears.
    public func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor { window() }
}
