internal import COSE
internal import CTAP
internal import Causes

/// Enumerations under way, which the next other command ends (CTAP 2.3 §6.8.3, §6.8.4).
struct PendingEnumeration: Sendable {
    var relyingParties: [String] = []
    /// The protocol of the token that asked for them; nil for the persistent token.
    var relyingPartiesToken: PINUVAuthProtocol?
    /// IDs, oldest first; the last one is reported next.
    var credentials: ArraySlice<[UInt8]> = []
    /// The same for the credentials.
    var credentialsToken: PINUVAuthProtocol?
}

extension VirtualAuthenticator {
    /// authenticatorCredentialManagement (CTAP 2.3 §6.8): one subcommand.
    func credentialManagement(
        _ request: CredentialManagementRequest, _ context: CommandContext
    ) throws(Refusal) -> CredentialManagementResponse {
        guard let subcommand = CredentialManagementSubcommand(rawValue: request.subCommand) else {
            throw unknownSubcommand(request.subCommand, context)
        }
        let continues = subcommand == .enumerateRPsGetNextRP || subcommand == .enumerateCredentialsGetNextCredential
        // Before any parameter of the subcommand is missed (CTAP 2.3 §6.8.2 to §6.8.6, step 1).
        guard continues || request.pinUvAuthParam != nil else {
            throw Refusal(.puatRequired, context.reason(.pinUvAuthParamMissing))
        }
        switch subcommand {
        case .enumerateRPsGetNextRP: return try nextRelyingParty(context)
        case .enumerateCredentialsGetNextCredential: return try nextCredential(context)
        case .getCredsMetadata: return try credentialsMetadata(request, context)
        case .enumerateRPsBegin: return try beginRelyingParties(request, context)
        case .enumerateCredentialsBegin: return try beginCredentials(request, context)
        case .deleteCredential: return try deleteCredential(request, context)
        case .updateUserInformation: return try updateUserInformation(request, context)
        }
    }

    @discardableResult
    private func authorize(
        _ request: CredentialManagementRequest, readOnly: Bool, _ scope: TokenScope, _ context: CommandContext
    ) throws(Refusal) -> PINUVAuthProtocol? {
        try authorizeManagement(
            request.authenticatedMessage, param: request.pinUvAuthParam, protocol: request.pinUvAuthProtocol,
            permission: .credentialManagement, scope: scope, acceptsPersistentToken: readOnly, context)
    }

    private func credentialsMetadata(
        _ request: CredentialManagementRequest, _ context: CommandContext
    ) throws(Refusal) -> CredentialManagementResponse {
        try authorize(request, readOnly: true, .everyRelyingParty, context)
        var response = CredentialManagementResponse()
        response.existingResidentCredentialsCount = state.credentials.discoverableCount
        response.maxPossibleRemainingResidentCredentialsCount = remainingDiscoverableCredentials
        return response
    }

    private func beginRelyingParties(
        _ request: CredentialManagementRequest, _ context: CommandContext
    ) throws(Refusal) -> CredentialManagementResponse {
        let token = try authorize(request, readOnly: true, .everyRelyingParty, context)
        let relyingParties = state.credentials.relyingPartyIDs
        guard !relyingParties.isEmpty else { throw Refusal(.noCredentials, context.reason(.noCredentials)) }
        state.session.pendingEnumeration.relyingParties = relyingParties
        state.session.pendingEnumeration.relyingPartiesToken = token
        var response = try nextRelyingParty(context)
        response.totalRPs = relyingParties.count
        return response
    }

    private func nextRelyingParty(_ context: CommandContext) throws(Refusal) -> CredentialManagementResponse {
        let pending = state.session.pendingEnumeration
        guard !pending.relyingParties.isEmpty, isTokenInUse(pending.relyingPartiesToken) else {
            throw Refusal(.notAllowed, context.reason(.nothingPending))
        }
        let id = state.session.pendingEnumeration.relyingParties.removeFirst()
        var response = CredentialManagementResponse()
        response.rp = PublicKeyCredentialRPEntity(id: id)
        response.rpIDHash = sha256(Array(id.utf8))
        return response
    }

    private func beginCredentials(
        _ request: CredentialManagementRequest, _ context: CommandContext
    ) throws(Refusal) -> CredentialManagementResponse {
        let hash = try require(request.rpIDHash, "rpIDHash", context)
        let token = try authorize(request, readOnly: true, .relyingParty(idHash: hash), context)
        let ids = state.credentials.relyingPartyID(ofHash: hash).map {
            state.credentials.ids(of: $0, userVerified: true)
        }
        guard let ids, !ids.isEmpty else { throw Refusal(.noCredentials, context.reason(.noCredentials)) }
        state.session.pendingEnumeration.credentials = ids
        state.session.pendingEnumeration.credentialsToken = token
        var response = try nextCredential(context)
        response.totalCredentials = ids.count
        return response
    }

    private func nextCredential(_ context: CommandContext) throws(Refusal) -> CredentialManagementResponse {
        guard isTokenInUse(state.session.pendingEnumeration.credentialsToken),
            let id = state.session.pendingEnumeration.credentials.last,
            let credential = state.credentials.credential(id)
        else { throw Refusal(.notAllowed, context.reason(.nothingPending)) }
        state.session.pendingEnumeration.credentials = state.session.pendingEnumeration.credentials.dropLast()
        var response = CredentialManagementResponse()
        response.user = credential.user
        response.credentialID = credential.descriptor
        response.publicKey = credential.publicKey.cbor
        if configuration.extensions.contains(.credProtect) {
            response.credProtect = credential.protection.rawValue
        }
        response.largeBlobKey = credential.largeBlobKey
        if configuration.extensions.contains(.thirdPartyPayment) {
            response.thirdPartyPayment = credential.allowsThirdPartyPayment
        }
        return response
    }

    private func deleteCredential(
        _ request: CredentialManagementRequest, _ context: CommandContext
    ) throws(Refusal) -> CredentialManagementResponse {
        let credential = try target(of: request, context)
        state.credentials.remove(credential.id)
        renewCredentialStoreState()
        return CredentialManagementResponse()
    }

    private func updateUserInformation(
        _ request: CredentialManagementRequest, _ context: CommandContext
    ) throws(Refusal) -> CredentialManagementResponse {
        let user = try require(request.user, "user", context)
        let credential = try target(of: request, context)
        guard user.id == credential.user.id else {
            throw Refusal(.invalidParameter, context.reason(.otherUser))
        }
        state.credentials.setUser(user, id: credential.id)
        renewCredentialStoreState()
        return CredentialManagementResponse()
    }

    /// The credential a subcommand that changes one is about, once its token has been found to cover it.
    private func target(
        of request: CredentialManagementRequest, _ context: CommandContext
    ) throws(Refusal) -> StoredCredential {
        let descriptor = try require(request.credentialID, "credentialID", context)
        let found = state.credentials.credential(descriptor.id)
        let credential = found?.isDiscoverable == true ? found : nil
        // Authorised first, so that only authorised callers learn whether a credential exists.
        try authorize(
            request, readOnly: false,
            credential.map { .relyingParty(idHash: $0.relyingPartyIDHash) } ?? .everyRelyingParty, context)
        guard let credential else { throw Refusal(.noCredentials, context.reason(.noSuchCredential)) }
        return credential
    }
}
