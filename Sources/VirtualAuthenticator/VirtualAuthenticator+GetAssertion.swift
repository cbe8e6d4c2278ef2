internal import COSE
internal import CTAP
internal import WebAuthn

extension VirtualAuthenticator {
    /// authenticatorGetAssertion, in the order of CTAP 2.3 §6.2.2.
    func getAssertion(_ request: GetAssertionRequest) async throws(Refusal) -> GetAssertionResponse {
        let context = CommandContext.getAssertion
        let parameters = AuthorizationParameters(
            relyingPartyID: request.relyingPartyID, clientDataHash: request.clientDataHash,
            pinUvAuthParam: request.pinUvAuthParam, pinUvAuthProtocol: request.pinUvAuthProtocol,
            options: request.options, permission: .getAssertion)
        let token = try await checkPinUvAuthParam(parameters, context)
        guard request.clientDataHash.count == 32 else {
            throw Refusal(.invalidLength, context.reason("clientDataHashLength"))
        }

        var uv = try requestedUV(parameters, context)
        guard request.options["rk"] == nil else {
            throw Refusal(.unsupportedOption, context.reason("rkPresent", step: 4))
        }
        let up = request.options["up"] ?? true
        // A silent look-up is exempt: it proves nothing about the user.
        if state.alwaysUV == true, up { uv = try applyAlwaysUV(uv: uv, parameters, context) }
        let authorization = try await authorize(uv: uv, token: token, parameters, context)

        let allowList = request.allowList ?? []
        guard allowList.count <= configuration.maxCredentialCountInList else {
            throw Refusal(.limitExceeded, context.reason("allowListTooLong", step: 7))
        }
        var applicable =
            allowList.isEmpty
            ? state.credentials.credentials(of: request.relyingPartyID)
            : allowList.lazy.compactMap { self.findCredential($0, of: request.relyingPartyID) }.prefix(1).map { $0 }
        guard !applicable.isEmpty else {
            throw Refusal(.noCredentials, context.reason("noCredentials", step: 7))
        }
        if up {
            try await establishUserPresence(authorization, relyingPartyID: request.relyingPartyID, context)
        }

        var userSelected: Bool?
        if applicable.count > 1, configuration.hasDisplay, up || uv {
            applicable = [try await choose(applicable, of: request.relyingPartyID, context)]
            userSelected = true
        }
        return try firstAssertion(
            applicable, request, userPresent: up || authorization.wasVerifiedAtSensor,
            userVerified: authorization.userVerified, userSelected: userSelected)
    }

    private func firstAssertion(
        _ credentials: [StoredCredential], _ request: GetAssertionRequest, userPresent: Bool, userVerified: Bool,
        userSelected: Bool?
    ) throws(Refusal) -> GetAssertionResponse {
        var response = try sign(
            credentials[0], clientDataHash: request.clientDataHash, userPresent: userPresent,
            userVerified: userVerified, namesUser: credentials.count > 1 && userVerified)
        response.userSelected = userSelected
        if credentials.count > 1 {
            response.numberOfCredentials = credentials.count
            state.pendingAssertions = PendingAssertions(
                credentials: Array(credentials.dropFirst()), clientDataHash: request.clientDataHash,
                userPresent: userPresent, userVerified: userVerified, lastAnswerAt: now)
        }
        return response
    }

    /// Lets the person choose an account on the device's screen.
    private func choose(
        _ credentials: [StoredCredential], of relyingPartyID: String, _ context: CommandContext
    ) async throws(Refusal) -> StoredCredential {
        let prompt = AccountPrompt(
            relyingPartyID: relyingPartyID, accounts: credentials.map(\.user),
            deadline: now + configuration.userActionTimeout)
        let choice = try await waitForPerson { await environment.person.choose(prompt) }
        guard let choice, credentials.indices.contains(choice) else {
            throw Refusal(.operationDenied, context.reason("noAccountChosen", step: 12))
        }
        return credentials[choice]
    }

    /// One assertion.
    ///
    /// - Parameter namesUser: whether the account's names go out, which takes a verified user (CTAP 2.3 §6.2.3).
    func sign(
        _ credential: StoredCredential, clientDataHash: [UInt8], userPresent: Bool, userVerified: Bool,
        namesUser: Bool
    ) throws(Refusal) -> GetAssertionResponse {
        let authenticatorData = AuthenticatorData(
            relyingPartyIDHash: sha256(Array(credential.relyingPartyID.utf8)),
            flags: flags(of: credential, userPresent: userPresent, userVerified: userVerified),
            signCount: nextSignCount(of: credential)
        ).encoded
        let signature: [UInt8]
        do {
            signature = try credential.privateKey.sign(authenticatorData + clientDataHash)
        } catch {
            throw Refusal(.other, CommandContext.getAssertion.reason("signingFailed"), detail: "\(error)")
        }
        record(.credentialUsed(relyingPartyID: credential.relyingPartyID, userVerified: userVerified))
        return GetAssertionResponse(
            credential: credential.descriptor, authenticatorData: authenticatorData, signature: signature,
            user: credential.isDiscoverable ? account(of: credential, namesUser: namesUser) : nil)
    }

    private func account(of credential: StoredCredential, namesUser: Bool) -> PublicKeyCredentialUserEntity {
        namesUser ? credential.user : PublicKeyCredentialUserEntity(id: credential.user.id)
    }
}
