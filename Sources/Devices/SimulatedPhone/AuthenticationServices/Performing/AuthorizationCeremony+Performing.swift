internal import Biometrics
internal import Causes
internal import Foundation
internal import PlatformErrors
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import WebAuthn
internal import WebAuthnClient

extension AuthorizationCeremony {
    /// Takes a credential that the user picked.
    func perform(_ offer: AuthorizationOffer) async throws -> SimulatedASAuthorization {
        if let obstacle { throw obstacle }
        let credential: any SimulatedASAuthorizationCredential =
            switch offer.request.kind {
            case .registration(let options, _): try await register(options)
            case .assertion(let options, _) where offer.kind == .nearbyPhone: try await signInNearby(options)
            case .assertion(let options, _): try await signIn(options, with: offer)
            case .securityKeyRegistration(let options): try await registerKey(options)
            case .securityKeyAssertion(let options, let allowed): try await signInWithKey(options, allowed: allowed)
            case .password: try await fillPassword(offer.password)
            case .accountCreation(let account): try await createAccount(account)
            }
        return SimulatedASAuthorization(provider: offer.request.provider, credential: credential)
    }

    /// Makes a passkey without a prompt, shortly after a sign-in with the account's saved password.
    func performConditionally(_ request: PlannedAuthorization) async throws -> SimulatedASAuthorization {
        guard case .registration(let options, _) = request.kind, let domain = options.rp.id else {
            throw AuthorizationFailure(cause: .requestFailed, operation: .create)
        }
        let hasPasskey = await device.passkeys(PasskeyFilter(account: options.user.name, relyingPartyID: domain))
        guard hasPasskey.isEmpty, phone.desk.hasSignedIn(options.user.name, at: domain, now: phone.clock.now()) else {
            throw AuthorizationFailure(cause: .passwordSignInMissing, operation: .create)
        }
        let response = try await asking(.create) {
            try await client().createConditionally(options, origin: origin(domain))
        }
        return SimulatedASAuthorization(
            provider: request.provider,
            credential: SimulatedASAuthorizationPlatformPublicKeyCredentialRegistration(response))
    }

    private func register(
        _ options: CreationOptions
    ) async throws -> SimulatedASAuthorizationPlatformPublicKeyCredentialRegistration {
        let response = try await asking(.create, options.rp.id, options.user.name) {
            try await client().create(options, origin: origin(options.rp.id))
        }
        return SimulatedASAuthorizationPlatformPublicKeyCredentialRegistration(response)
    }

    private func signIn(
        _ options: RequestOptions, with offer: AuthorizationOffer
    ) async throws -> SimulatedASAuthorizationPlatformPublicKeyCredentialAssertion {
        let response = try await asking(.get, options.rpId, offer.account) {
            try await client { $0.pickedCredentialID = offer.credentialID }.get(options, origin: origin(options.rpId))
        }
        return SimulatedASAuthorizationPlatformPublicKeyCredentialAssertion(response)
    }

    /// Signs in with a passkey of the phone nearby, which scans the QR code.
    private func signInNearby(
        _ options: RequestOptions
    ) async throws -> SimulatedASAuthorizationPlatformPublicKeyCredentialAssertion {
        guard let other = phone.desk.nearby else { throw AuthorizationFailure(cause: .userCancelled) }
        do { try other.device.requireScanning() } catch { throw AuthorizationFailure(error, .get) }
        let origin = origin(options.rpId)
        let response = try await other.run {
            _ = other.desk.takeRefusal()
            let own = other.device.client(
                over: other.device.ctap(over: .hybrid), pins: PINScript(), random: SystemRandomSource())
            let client = WebAuthnClient(
                device: own.device, attachment: .crossPlatform, environment: own.environment)
            do throws(WebAuthnClientError) {
                return try await client.get(options, origin: origin)
            } catch {
                throw AuthorizationFailure(error, after: other.desk.takeRefusal(), .get)
            }
        }
        return SimulatedASAuthorizationPlatformPublicKeyCredentialAssertion(response)
    }

    /// Fills in a saved password, which the system gives to a verified user.
    private func fillPassword(
        _ saved: AuthorizationDesk.SavedPassword?
    ) async throws -> SimulatedASPasswordCredential {
        guard let saved else { throw AuthorizationFailure(cause: .userCancelled) }
        if await device.authenticator.gate?.isConfigured == true {
            let verified = await phone.person.seeing(sheet(saved.domain, saved.account)) {
                await device.verifyUser(AppPrompt(.biometricsOrPasscode), app: app)
            }
            if case .failure(let refusal) = verified { throw AuthorizationFailure(refusal, .get) }
        }
        phone.desk.noteSignIn(with: saved, at: phone.clock.now())
        return SimulatedASPasswordCredential(user: saved.account, password: saved.password)
    }

    private func createAccount(
        _ account: AccountCreation
    ) async throws -> SimulatedASAuthorizationAccountCreationPlatformPublicKeyCredential {
        let person = phone.desk.contact
        let contact: SimulatedASContactIdentifier
        switch account.contacts.first {
        case .email: contact = .email(.init(value: person.email))
        case .phoneNumber: contact = .phoneNumber(.init(value: person.phoneNumber))
        case nil:
            throw AuthorizationFailure(
                cause: .requestFailed, operation: .create, reason: "acceptedContactIdentifiers is empty.")
        }
        let options = CreationOptions(
            passkeyOf: account.relyingPartyID, challenge: account.challenge,
            user: UserEntity(id: account.userID.bytes, name: contact.text, displayName: contact.text))
        return SimulatedASAuthorizationAccountCreationPlatformPublicKeyCredential(
            contact: contact, name: account.wantsName ? person.name : nil, registration: try await register(options))
    }

    /// Runs a ceremony of a client, whose prompts show a relying party and an account.
    ///
    /// - Throws: an error with the device's own reason.
    private func asking<Response: Sendable>(
        _ operation: PlatformOperation, _ relyingParty: String?, _ account: String?,
        _ ceremony: @Sendable () async throws -> Response
    ) async throws -> Response {
        try await asking(operation) {
            try await phone.person.seeing(sheet(relyingParty, account)) {
                do { return Result<Response, any Error>.success(try await ceremony()) } catch { return .failure(error) }
            }.get()
        }
    }

    private func sheet(_ relyingParty: String?, _ account: String?) -> PromptSheet {
        PromptSheet(app: app, reason: "", relyingParty: relyingParty, account: account)
    }

    /// Runs a ceremony of a client; its error carries the device's own reason.
    func asking<Response>(
        _ operation: PlatformOperation, _ ceremony: () async throws -> Response
    ) async throws -> Response {
        _ = phone.desk.takeRefusal()
        do {
            return try await ceremony()
        } catch let error as WebAuthnClientError {
            throw AuthorizationFailure(error, after: phone.desk.takeRefusal(), operation)
        }
    }

    /// The origin in client data: as iOS writes it, `https://` and the RP ID.
    func origin(_ relyingPartyID: String?) -> Origin {
        let domain = relyingPartyID ?? ""
        return .app(facet: "https://\(domain)", associatedDomains: [domain])
    }

    private func client(configure: (inout ClientEnvironment) -> Void = { _ in }) -> WebAuthnClient {
        device.client(over: device.ctap, pins: PINScript(), random: SystemRandomSource()) {
            // A sheet stays until the user answers or closes it; the phone's prompts have deadlines of their own.
            $0.defaultTimeout = .seconds(86_400)
            configure(&$0)
        }
    }
}
