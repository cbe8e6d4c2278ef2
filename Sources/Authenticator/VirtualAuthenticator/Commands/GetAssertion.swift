internal import CBOR
internal import COSE
internal import CTAP
internal import Causes
internal import WebAuthn

extension VirtualAuthenticator {
    /// authenticatorGetAssertion, in the order of CTAP 2.3 §6.2.2.
    func getAssertion(
        _ request: GetAssertionRequest, _ context: CommandContext
    ) async throws(Refusal) -> GetAssertionResponse {
        let parameters = AuthorizationParameters(
            relyingPartyID: request.relyingPartyID, clientDataHash: request.clientDataHash,
            pinUvAuthParam: request.pinUvAuthParam, pinUvAuthProtocol: request.pinUvAuthProtocol,
            options: request.options, permission: .getAssertion)
        if isTouchToSelect(parameters) { try await refuseTouchToSelect(parameters, context) }
        let token = try tokenProtocol(parameters, context)
        try require(request.clientDataHash.count == 32, else: context.refusal(.invalidLength, .clientDataHashLength))
        if request.options["up"] != false { try requireDeviceCredential(context) }

        var uv = try requestedUV(parameters, context)
        try require(
            request.options["rk"] == nil, else: context.refusal(.unsupportedOption, .residentKeyPresent, step: 4))
        let signature = try signatureRequest(request)
        let up = request.options["up"] ?? true
        // A silent look-up is exempt: it proves nothing about the user.
        if state.alwaysUV == true, up { uv = try applyAlwaysUV(uv: uv, parameters, context) }
        let authorization =
            uv && token == nil
            ? try await authorizeAtSensor(parameters, context) : try authorize(token: token, parameters, context)

        let allowList = request.allowList ?? []
        try require(
            allowList.count <= configuration.maxCredentialCountInList,
            else: context.refusal(.limitExceeded, .allowListTooLong, step: 7))
        var applicable = applicableCredentials(
            allowList, of: request.relyingPartyID, userVerified: authorization.userVerified)
        let count = applicable.count
        guard var credential = applicable.popNewest({ state.credentials.credential($0) }) else {
            throw context.refusal(.noCredentials, .noCredentials, step: 7)
        }
        if up {
            if !authorization.userPresent {
                try await requireUserPresence(
                    context, relyingPartyID: request.relyingPartyID, onTimeout: .operationDenied)
            }
            clearTokens(after: authorization)
        }

        var userSelected: Bool?
        if count > 1, configuration.hasDisplay, up || uv {
            let others = applicable.popAll { state.credentials.credential($0) }
            credential = try await choose([credential] + others, of: request.relyingPartyID, context)
            userSelected = true
        }
        let terms = AssertionTerms(
            clientDataHash: request.clientDataHash, userPresent: up || authorization.wasVerifiedAtSensor,
            userVerified: authorization.userVerified,
            extensions: try assertionExtensions(
                request.extensions, namedCredentials: request.allowList?.count ?? 0, userPresent: up,
                signature: signature, authorization, context))
        var response = try sign(credential, terms, namesUser: count > 1, context)
        response.userSelected = userSelected
        if case .kept(let ids) = applicable, !ids.isEmpty {
            response.numberOfCredentials = count
            state.session.pendingAssertions = PendingAssertions(ids: ids, terms: terms, token: token, lastAnswerAt: now)
        }
        return response
    }

    /// The credentials that may answer: the first of the allow list that is this device's, or all discoverable ones,
    /// less those whose protection the request does not meet (step 7).
    private func applicableCredentials(
        _ allowList: [PublicKeyCredentialDescriptor], of relyingPartyID: String, userVerified: Bool
    ) -> ApplicableCredentials {
        guard !allowList.isEmpty else {
            let ids = state.credentials.ids(of: relyingPartyID, userVerified: userVerified)
            return .kept(arrivals.isEmpty ? ids : ids.filter(hasArrived)[...])
        }
        for descriptor in allowList {
            guard let credential = findCredential(descriptor, of: relyingPartyID),
                credential.protection.admits(isNamed: true, userVerified: userVerified), hasArrived(credential.id)
            else { continue }
            return .named(credential)
        }
        return .kept([])
    }

    private func choose(
        _ credentials: [StoredCredential], of relyingPartyID: String, _ context: CommandContext
    ) async throws(Refusal) -> StoredCredential {
        let prompt = AccountPrompt(
            relyingPartyID: relyingPartyID, accounts: credentials.map(\.user),
            deadline: now + configuration.userActionTimeout)
        let choice = try await waitForUser(context.request) { await environment.user.choose(prompt) }
        guard let choice, credentials.indices.contains(choice) else {
            throw context.refusal(.operationDenied, .userCancelled, as: "noAccountChosen", step: 12)
        }
        return credentials[choice]
    }

    /// One assertion; `namesUser` adds the account's names, which also need a verified user (CTAP 2.3 §6.2.3).
    func sign(
        _ credential: StoredCredential, _ terms: AssertionTerms, namesUser: Bool, _ context: CommandContext
    ) throws(Refusal) -> GetAssertionResponse {
        let outputs = try extensionOutputs(of: credential, terms)
        if hasFaults {
            faultMemory.formerSignCount = faultMemory.signCounts[credential.id] ?? ownSignCount(of: credential)
        }
        var data = AuthenticatorData(
            relyingPartyIDHash: credential.relyingPartyIDHash,
            flags: flags(of: credential, userPresent: terms.userPresent, userVerified: terms.userVerified),
            signCount: nextSignCount(of: credential), extensions: outputs)
        // Faults do not change a silent look-up, which no relying party sees.
        let canApplyFaults = terms.userPresent && hasFaults
        if canApplyFaults { applyFaults(to: &data) }
        if terms.userPresent { faultMemory.note(data.signCount, of: credential.id) }
        let authenticatorData =
            canApplyFaults ? applyFaults(toEncoded: data.encoded, in: .authentication) : data.encoded
        let signature: [UInt8]
        do {
            signature = try credential.privateKey.sign(
                authenticatorData + terms.clientDataHash,
                mode: environment.signing.possible(for: credential.privateKey.algorithm))
        } catch {
            throw context.refusal(.other, .signingFailed, detail: "\(error)")
        }
        record(.credentialUsed(relyingPartyID: credential.relyingPartyID, userVerified: terms.userVerified))
        let user = account(of: credential, namesUser: namesUser && terms.userVerified)
        // A user handle has 1 to 64 bytes (WebAuthn L3 §5.4.3). Clients that check it refuse an answer with an empty one,
        // and take an answer without `user` (w3c/webauthn#1536).
        let isNamed = credential.isDiscoverable && !credential.user.id.isEmpty
        var response = GetAssertionResponse(
            credential: credential.descriptor, authenticatorData: authenticatorData, signature: signature,
            user: isNamed ? user : nil)
        if terms.extensions.wantsLargeBlobKey { response.largeBlobKey = credential.largeBlobKey }
        var unsignedOutputs = CBOR.Map()
        if let act = terms.extensions.largeBlob {
            unsignedOutputs[.text(AuthenticatorExtension.largeBlob.rawValue)] = perform(act, on: credential, terms)
        }
        if let request = terms.extensions.prf {
            unsignedOutputs[.text(HybridExtension.prf.rawValue)] = prfOutput(
                request, of: credential, userVerified: terms.userVerified, isNew: false)
        }
        if !unsignedOutputs.isEmpty { response.unsignedExtensionOutputs = unsignedOutputs }
        if canApplyFaults { applyFaults(to: &response) }
        return response
    }

    private func account(of credential: StoredCredential, namesUser: Bool) -> PublicKeyCredentialUserEntity {
        namesUser ? credential.user : PublicKeyCredentialUserEntity(id: credential.user.id)
    }
}

/// The credentials that may answer a request.
private enum ApplicableCredentials {
    /// The one the allow list led to.
    case named(StoredCredential)
    /// Discoverable ones, by ID, oldest first.
    case kept(ArraySlice<[UInt8]>)

    var count: Int {
        switch self {
        case .named: 1
        case .kept(let ids): ids.count
        }
    }

    mutating func popNewest(_ credential: ([UInt8]) -> StoredCredential?) -> StoredCredential? {
        switch self {
        case .named(let credential):
            self = .kept([])
            return credential
        case .kept(var ids):
            // Not popLast(), which would copy the store's array.
            let id = ids.last
            ids = ids.dropLast()
            self = .kept(ids)
            return id.flatMap(credential)
        }
    }

    mutating func popAll(_ credential: ([UInt8]) -> StoredCredential?) -> [StoredCredential] {
        var all: [StoredCredential] = []
        while let next = popNewest(credential) { all.append(next) }
        return all
    }
}
