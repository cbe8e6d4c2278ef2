internal import COSE
internal import CTAP
internal import Causes

/// Enumerations under way, which the next other command ends (CTAP 2.3 §6.8.3, §6.8.4).
struct PendingEnumerations: Sendable {
    var relyingParties = Run<String>()
    /// By ID.
    var credentials = Run<[UInt8]>()

    struct Run<Item: Sendable>: Sendable {
        /// The items left; the last one is reported next.
        var items: ArraySlice<Item> = []
        /// The protocol of the token that began the run; nil for the persistent token.
        var token: PINUVAuthProtocol?
    }
}

extension VirtualAuthenticator {
    /// authenticatorCredentialManagement (CTAP 2.3 §6.8): one subcommand.
    func credentialManagement(
        _ request: CredentialManagementRequest, _ context: CommandContext
    ) throws(Refusal) -> CredentialManagementResponse {
        guard let subcommand = CredentialManagementSubcommand(rawValue: request.subCommand) else {
            throw context.unknownSubcommand(request.subCommand)
        }
        let continues = subcommand == .enumerateRPsGetNextRP || subcommand == .enumerateCredentialsGetNextCredential
        // Before any parameter of the subcommand is missed (CTAP 2.3 §6.8.2 to §6.8.6, step 1).
        try require(
            continues || request.pinUvAuthParam != nil, else: context.refusal(.puatRequired, .pinUvAuthParamMissing))
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

    /// Authorises a subcommand that reads, for which the persistent token will do.
    private func authorizeReading(
        _ request: CredentialManagementRequest, _ scope: TokenScope, _ context: CommandContext
    ) throws(Refusal) -> PINUVAuthProtocol? {
        try authorize(request, .credentialManagement, scope: scope, acceptsPersistentToken: true, context)
    }

    private func credentialsMetadata(
        _ request: CredentialManagementRequest, _ context: CommandContext
    ) throws(Refusal) -> CredentialManagementResponse {
        _ = try authorizeReading(request, .everyRelyingParty, context)
        var response = CredentialManagementResponse()
        response.existingResidentCredentialsCount = state.credentials.discoverableCount
        response.maxPossibleRemainingResidentCredentialsCount = remainingDiscoverableCredentials
        return response
    }

    private func beginRelyingParties(
        _ request: CredentialManagementRequest, _ context: CommandContext
    ) throws(Refusal) -> CredentialManagementResponse {
        let token = try authorizeReading(request, .everyRelyingParty, context)
        let ids = state.credentials.relyingPartyIDs
        try require(!ids.isEmpty, else: context.refusal(.noCredentials, .noCredentials))
        state.session.pendingEnumerations.relyingParties = .init(items: ids.reversed()[...], token: token)
        var response = try nextRelyingParty(context)
        response.totalRPs = ids.count
        return response
    }

    private func nextRelyingParty(_ context: CommandContext) throws(Refusal) -> CredentialManagementResponse {
        let id = try next(in: \.relyingParties, context)
        var response = CredentialManagementResponse()
        response.rp = PublicKeyCredentialRPEntity(id: id)
        response.rpIDHash = sha256(Array(id.utf8))
        return response
    }

    private func beginCredentials(
        _ request: CredentialManagementRequest, _ context: CommandContext
    ) throws(Refusal) -> CredentialManagementResponse {
        let hash = try context.require(request.rpIDHash, "rpIDHash")
        let token = try authorizeReading(request, .relyingParty(idHash: hash), context)
        let ids = state.credentials.relyingPartyID(ofHash: hash).map {
            state.credentials.ids(of: $0, userVerified: true)
        }
        guard let ids, !ids.isEmpty else { throw context.refusal(.noCredentials, .noCredentials) }
        state.session.pendingEnumerations.credentials = .init(items: ids, token: token)
        var response = try nextCredential(context)
        response.totalCredentials = ids.count
        return response
    }

    private func nextCredential(_ context: CommandContext) throws(Refusal) -> CredentialManagementResponse {
        guard let credential = state.credentials.credential(try next(in: \.credentials, context)) else {
            throw context.refusal(.notAllowed, .nothingPending)
        }
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

    private func next<Item>(
        in run: WritableKeyPath<PendingEnumerations, PendingEnumerations.Run<Item>>, _ context: CommandContext
    ) throws(Refusal) -> Item {
        let pending = state.session.pendingEnumerations[keyPath: run]
        guard let item = pending.items.last, isTokenInUse(pending.token) else {
            throw context.refusal(.notAllowed, .nothingPending)
        }
        state.session.pendingEnumerations[keyPath: run].items = pending.items.dropLast()
        return item
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
        let user = try context.require(request.user, "user")
        let credential = try target(of: request, context)
        try require(user.id == credential.user.id, else: context.refusal(.invalidParameter, .otherUser))
        state.credentials.setUser(user, id: credential.id)
        renewCredentialStoreState()
        return CredentialManagementResponse()
    }

    /// The credential that a subcommand changes, if the token covers it.
    private func target(
        of request: CredentialManagementRequest, _ context: CommandContext
    ) throws(Refusal) -> StoredCredential {
        let descriptor = try context.require(request.credentialID, "credentialID")
        let found = state.credentials.credential(descriptor.id)
        let credential = found?.isDiscoverable == true ? found : nil
        // Authorised first, so that only authorised callers learn whether a credential exists; an unknown one has no RP
        // ID to compare (CTAP 2.3 §6.8.5, §6.8.6).
        try authorize(
            request, .credentialManagement,
            scope: credential.map { .relyingParty(idHash: $0.relyingPartyIDHash) } ?? .any, context)
        guard let credential else { throw context.refusal(.noCredentials, .noSuchCredential) }
        return credential
    }
}
