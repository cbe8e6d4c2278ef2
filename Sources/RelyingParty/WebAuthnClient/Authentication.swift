internal import CTAP
internal import WebAuthn

/// get(): the steps of WebAuthn L3 §5.1.4, in order.
struct Authentication: Sendable {
    let options: RequestOptions
    let caller: Caller
    let attachment: AuthenticatorAttachment
    let session: Session

    func perform() async throws(WebAuthnClientError) -> AuthenticationResponse {
        let relyingPartyID = try caller.origin.relyingPartyID(claiming: options.rpId)
        let named = options.allowCredentials ?? []
        let inputs = options.extensions ?? ClientExtensionInputs()
        let appID = try inputs.appid.map(caller.origin.appID)
        try AuthenticationExtensions.check(inputs, allowCredentials: named)
        let clientData = caller.clientData(CollectedClientData.getType, challenge: options.challenge.bytes)
        let info = try await session.send { client async throws(AuthenticatorClient.Failure) in
            try await client.getInfo()
        }
        let extensions = AuthenticationExtensions(
            inputs: inputs, info: info, capability: UserVerificationCapability(info))
        let effectiveID = try await AppIDExtension.relyingPartyID(
            relyingPartyID, appID: appID, allowed: named, info: info, session: session)
        let chosen = try await assertion(
            effectiveID, isAppID: effectiveID != relyingPartyID, clientDataHash: clientData.hash, extensions)
        let assertion = chosen.response
        guard let credential = assertion.credential else {
            throw WebAuthnClientError(.unknownError, .invalidResponse, detail: "the assertion names no credential")
        }
        return AuthenticationResponse(
            credentialID: credential.id, authenticatorAttachment: attachment,
            clientExtensionResults: try await extensions.results(chosen, session: session),
            response: .init(
                clientDataJSON: clientData.json, authenticatorData: assertion.authenticatorData,
                signature: assertion.signature, userHandle: assertion.user?.id))
    }

    /// The credentials that the device is asked for; nil for any.
    private var askedCredentials: [CredentialDescriptor]? {
        let named = options.allowCredentials.flatMap { $0.isEmpty ? nil : $0 }
        guard let picked = session.environment.pickedCredentialID else { return named }
        return named?.filter { $0.id.bytes == picked } ?? [CredentialDescriptor(id: picked)]
    }

    private func assertion(
        _ relyingPartyID: String, isAppID: Bool, clientDataHash: [UInt8], _ extensions: AuthenticationExtensions
    ) async throws(WebAuthnClientError) -> ChosenAssertion {
        let info = extensions.info
        let named = askedCredentials
        let allowed = CredentialList(named ?? [], info: info, relyingPartyID: relyingPartyID)
        let capability = extensions.capability
        let verifier = UserVerifier(
            session: session, capability: capability, permissions: extensions.permissions,
            relyingPartyID: relyingPartyID, isPlatform: attachment == .platform)
        let wanted = capability.isWanted(options.userVerification ?? .preferred, .get, residentKey: false)
        return try await verifier.perform(wanted: wanted || extensions.needsUserVerification) {
            verification async throws(WebAuthnClientError) -> ChosenAssertion in
            var request = GetAssertionRequest(
                relyingPartyID: relyingPartyID, clientDataHash: clientDataHash, options: verification.options)
            if named != nil {
                let list = try await allowed.narrowed(
                    relyingPartyID: relyingPartyID, verification: verification,
                    toOne: extensions.dependsOnCredential, session: session)
                // An empty list would request any discoverable credential.
                guard !list.isEmpty else { throw try await noCredential(info) }
                request.allowList = list
            }
            let parameters = verification.parameters(over: clientDataHash)
            request.pinUvAuthParam = parameters?.param
            request.pinUvAuthProtocol = parameters?.pinProtocol
            let extended = try await extensions.request(
                verification, allowList: request.allowList ?? [], session: session)
            if !extended.inputs.isEmpty { request.extensions = extended.inputs }
            return ChosenAssertion(
                response: try await chosen(request), extensions: extended, verification: verification,
                isForAppID: isAppID)
        }
    }

    /// The error for a device that has none of the credentials, after a touch if the device supports it.
    ///
    /// The time taken must not reveal whether the credential is missing or the user declined (WebAuthn L3 §14.5.2).
    private func noCredential(_ info: AuthenticatorInfo) async throws(WebAuthnClientError) -> WebAuthnClientError {
        try await session.touch(info)
        return WebAuthnClientError(.notAllowedError, .noCredential)
    }

    private func chosen(_ request: GetAssertionRequest) async throws(WebAuthnClientError) -> GetAssertionResponse {
        var first = try await session.send { client async throws(AuthenticatorClient.Failure) in
            try await client.getAssertion(request)
        }
        if let allowList = request.allowList {
            if first.credential == nil, allowList.count == 1 { first.credential = allowList.first }
            return first
        }
        let count = first.numberOfCredentials ?? 1
        guard count > 1, first.userSelected != true, !session.takesOneCommand else { return first }
        var assertions = [first]
        while assertions.count < count {
            assertions.append(
                try await session.send { client async throws(AuthenticatorClient.Failure) in
                    try await client.getNextAssertion()
                })
        }
        let accounts = assertions.map {
            Account(
                relyingPartyID: request.relyingPartyID, credentialID: $0.credential?.id ?? [],
                userHandle: $0.user?.id, name: $0.user?.name, displayName: $0.user?.displayName)
        }
        guard let index = try await session.ask({ await $0.chooseAccount(accounts) }),
            assertions.indices.contains(index)
        else { throw WebAuthnClientError(.notAllowedError, .accountNotChosen) }
        return assertions[index]
    }
}
