internal import CTAP
internal import WebAuthn

/// get(): the steps of WebAuthn L3 §5.1.4 in their order.
struct Authentication: Sendable {
    let options: RequestOptions
    let caller: Caller
    let attachment: AuthenticatorAttachment
    let session: Session

    func perform() async throws(WebAuthnClientError) -> AuthenticationResponse {
        let relyingPartyID = try caller.origin.relyingPartyID(claiming: options.rpId)
        let clientData = caller.clientData(CollectedClientData.getType, challenge: options.challenge.bytes)
        let info = try await session.send { client async throws(AuthenticatorClient.Failure) in
            try await client.getInfo()
        }
        let assertion = try await assertion(relyingPartyID, clientDataHash: clientData.hash, info: info)
        guard let credential = assertion.credential else {
            throw WebAuthnClientError(.unknownError, .invalidResponse, detail: "the assertion names no credential")
        }
        return AuthenticationResponse(
            credentialID: credential.id, authenticatorAttachment: attachment,
            response: .init(
                clientDataJSON: clientData.json, authenticatorData: assertion.authenticatorData,
                signature: assertion.signature, userHandle: assertion.user?.id))
    }

    private func assertion(
        _ relyingPartyID: String, clientDataHash: [UInt8], info: AuthenticatorInfo
    ) async throws(WebAuthnClientError) -> GetAssertionResponse {
        let named = options.allowCredentials ?? []
        let allowed = CredentialList(named, info: info, relyingPartyID: relyingPartyID)
        let capability = UserVerificationCapability(info)
        let verifier = UserVerifier(
            session: session, capability: capability, permissions: .getAssertion, relyingPartyID: relyingPartyID)
        let wanted = capability.isWanted(options.userVerification ?? .preferred, .get, residentKey: false)
        return try await verifier.perform(wanted: wanted) {
            verification async throws(WebAuthnClientError) -> GetAssertionResponse in
            var request = GetAssertionRequest(
                relyingPartyID: relyingPartyID, clientDataHash: clientDataHash, options: verification.options)
            if !named.isEmpty {
                let list = try await allowed.narrowed(
                    relyingPartyID: relyingPartyID, verification: verification, session: session)
                // A list of which nothing is left must not become a request for any credential at all.
                guard !list.isEmpty else { throw try await noCredential(info) }
                request.allowList = list
            }
            let parameters = verification.parameters(over: clientDataHash)
            request.pinUvAuthParam = parameters?.param
            request.pinUvAuthProtocol = parameters?.pinProtocol
            return try await chosen(request)
        }
    }

    /// The refusal of a device that has none of the credentials, after a touch where the device can be asked for one:
    /// a page must not tell "no such credential" from "the person declined" by the time it takes (WebAuthn L3 §14.5.2).
    private func noCredential(_ info: AuthenticatorInfo) async throws(WebAuthnClientError) -> WebAuthnClientError {
        if info.versions.contains(where: { $0 == "FIDO_2_1" || $0 == "FIDO_2_3" }) {
            try await session.send { client async throws(AuthenticatorClient.Failure) in try await client.selection() }
        }
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
        guard count > 1, first.userSelected != true else { return first }
        var assertions = [first]
        while assertions.count < count {
            assertions.append(
                try await session.send { client async throws(AuthenticatorClient.Failure) in
                    try await client.getNextAssertion()
                })
        }
        let accounts = assertions.map {
            Account(
                credentialID: $0.credential?.id ?? [], userHandle: $0.user?.id, name: $0.user?.name,
                displayName: $0.user?.displayName)
        }
        guard let index = try await session.ask({ await $0.chooseAccount(accounts) }),
            assertions.indices.contains(index)
        else { throw WebAuthnClientError(.notAllowedError, .accountNotChosen) }
        return assertions[index]
    }
}
