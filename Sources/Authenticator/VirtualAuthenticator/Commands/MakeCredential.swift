internal import CBOR
internal import COSE
internal import CTAP
internal import Causes
internal import WebAuthn

extension VirtualAuthenticator {
    /// authenticatorMakeCredential, in the order of CTAP 2.3 §6.1.2.
    func makeCredential(
        _ request: MakeCredentialRequest, _ context: CommandContext
    ) async throws(Refusal) -> MakeCredentialResponse {
        let parameters = AuthorizationParameters(
            relyingPartyID: request.rp.id, clientDataHash: request.clientDataHash,
            pinUvAuthParam: request.pinUvAuthParam, pinUvAuthProtocol: request.pinUvAuthProtocol,
            options: request.options, permission: .makeCredential)
        if isTouchToSelect(parameters) { try await refuseTouchToSelect(parameters, context) }
        let token = try tokenProtocol(parameters, context)
        try checkLengths(request, context)
        let algorithm = try chooseAlgorithm(request.pubKeyCredParams, context)
        try requireDeviceCredential(context)

        var uv = try requestedUV(parameters, context)
        let rk = request.options["rk"] ?? false
        try require(
            !rk || configuration.discoverability != .never,
            else: context.refusal(.unsupportedOption, .residentKeyUnsupported, step: 5))
        let isSilent = request.options["up"] == false
        try require(
            !isSilent || context.request.isFromPlatform, else: context.refusal(.invalidOption, .upFalse, step: 5))
        let needsUser = !(isSilent && context.request.isFromPlatform)
        if state.alwaysUV == true { uv = try applyAlwaysUV(uv: uv, parameters, context) }
        if isProtectedByUserVerification, !uv, token == nil, needsUser {
            let notRequired = configuration.makeCredUvNotRequired && state.alwaysUV != true
            try require(notRequired && !rk, else: uvMissing(context, .userVerificationRequired, step: 8))
        }
        try checkEnterpriseAttestation(request.enterpriseAttestation, context)

        var authorization =
            uv && token == nil
            ? try await authorizeAtSensor(parameters, context) : try authorize(token: token, parameters, context)
        if try isExcluded(request, authorization, context) {
            try await refuseExcluded(request, authorization, needsUser: needsUser, context)
        }
        if needsUser {
            if !authorization.userPresent {
                try await requireUserPresence(context, relyingPartyID: request.rp.id, onTimeout: .operationDenied)
            }
            clearTokens(after: authorization)
            authorization.userPresent = true
        }

        let isDiscoverable = rk || configuration.discoverability == .always
        let extensions = try registrationExtensions(
            request.extensions, relyingPartyID: request.rp.id, isDiscoverable: isDiscoverable, authorization, context)
        let credential = try createCredential(request, algorithm, isDiscoverable, extensions, context)
        return try attest(credential, request, authorization, extensions, context)
    }

    private func checkLengths(_ request: MakeCredentialRequest, _ context: CommandContext) throws(Refusal) {
        try require(request.clientDataHash.count == 32, else: context.refusal(.invalidLength, .clientDataHashLength))
        try require(request.user.id.count <= 64, else: context.refusal(.invalidLength, .userIDTooLong))
    }

    /// The first acceptable algorithm this device has; entries of unknown type are skipped (step 3).
    private func chooseAlgorithm(
        _ wanted: [PublicKeyCredentialParameters], _ context: CommandContext
    ) throws(Refusal) -> COSE.Algorithm {
        let possible = wanted.lazy.filter { [algorithms = configuration.possibleAlgorithms] in
            $0.type == "public-key" && algorithms.contains($0.algorithm)
        }
        guard let match = possible.first else {
            throw context.refusal(.unsupportedAlgorithm, .noSupportedAlgorithm, step: 3)
        }
        return match.algorithm
    }

    /// Whether a credential of the exclude list is on the device (step 12).
    private func isExcluded(
        _ request: MakeCredentialRequest, _ authorization: CredentialAuthorization, _ context: CommandContext
    ) throws(Refusal) -> Bool {
        let list = request.excludeList ?? []
        try require(
            list.count <= configuration.maxCredentialCountInList,
            else: context.refusal(.limitExceeded, .excludeListTooLong, step: 12))
        // A credential that requires user verification stays hidden without it (CTAP 2.3 §12.1).
        return list.contains { descriptor in
            findCredential(descriptor, of: request.rp.id)?.protection
                .admits(isNamed: true, userVerified: authorization.userVerified) ?? false
        }
    }

    /// Refuses an account that has a credential on the device, after a test of user presence (step 12).
    private func refuseExcluded(
        _ request: MakeCredentialRequest, _ authorization: CredentialAuthorization, needsUser: Bool,
        _ context: CommandContext
    ) async throws(Refusal) {
        if needsUser, !authorization.userPresent,
            try await askForPresence(context, relyingPartyID: request.rp.id) == .declined
        {
            // A user who declines does not reveal their account (WebAuthn L3 §6.3.2 step 3).
            throw context.refusal(.operationDenied, .userCancelled, as: "userDeclined", step: 12)
        }
        // "Regardless of whether user presence is obtained or the authenticator times out"; no token is spent.
        throw context.refusal(.credentialExcluded, .credentialExcluded, step: 12)
    }

    private func createCredential(
        _ request: MakeCredentialRequest, _ algorithm: COSE.Algorithm, _ isDiscoverable: Bool,
        _ extensions: MakeCredentialExtensions, _ context: CommandContext
    ) throws(Refusal) -> StoredCredential {
        // The account's earlier credential makes room.
        if isDiscoverable, remainingDiscoverableCredentials == 0,
            !state.credentials.hasAccount(request.user.id, at: request.rp.id)
        {
            try requireRoom(context)
        }
        let keepsCredential = isDiscoverable || configuration.keepsAllCredentials || !SealedCredential.fits(algorithm)
        // The key and the ID share one call to the random source, because a call costs the same for both.
        let sharesOneCall = keepsCredential && environment.newKey == nil && algorithm == .es256
        var random = RandomBuffer(
            environment.random,
            inAdvance: sharesOneCall ? COSE.Curve.p256.coordinateLength + configuration.credentialIDLength : 0)
        let privateKey = try newPrivateKey(algorithm, context) { random.bytes($0) }
        var made = StoredCredential(
            id: [], relyingPartyID: request.rp.id, user: request.user, isDiscoverable: isDiscoverable,
            isBackupEligible: configuration.isBackupEligible,
            isBackedUp: newCredentialsBackedUp ?? configuration.isBackedUp,
            protection: extensions.protection, privateKey: privateKey)
        if !newCredentialsAreConsistent, let isBackedUp = newCredentialsBackedUp { made.isBackedUp = isBackedUp }
        made.credBlob = extensions.credBlob
        made.allowsThirdPartyPayment = extensions.allowsThirdPartyPayment
        if keepsCredential {
            if !isDiscoverable { try requireRoom(context) }
            made.id = random.bytes(configuration.credentialIDLength)
            if extensions.wantsLargeBlobKey { made.largeBlobKey = environment.random.bytes(32) }
            state.credentials.keep(made)
            delayArrival(of: made.id)
            renewCredentialStoreState()
        } else {
            let id = SealedCredential.seal(made, under: state.settings.sealingKey, nonce: environment.random.bytes(12))
            guard let id else { throw context.refusal(.other, .sealingFailed) }
            made.id = id
        }
        record(.credentialCreated(relyingPartyID: request.rp.id, discoverable: isDiscoverable))
        return made
    }

    func newPrivateKey(
        _ algorithm: COSE.Algorithm, _ context: CommandContext, randomBytes: (Int) -> [UInt8]
    ) throws(Refusal) -> COSE.PrivateKey {
        do {
            let key =
                try environment.newKey?(algorithm) ?? COSE.PrivateKey.generate(algorithm, randomBytes: randomBytes)
            guard key.algorithm == algorithm else { throw COSE.KeyError.unsupportedAlgorithm(key.algorithm) }
            return key
        } catch {
            throw context.refusal(.other, .keyGenerationFailed, detail: "\(error)")
        }
    }

    private func requireRoom(_ context: CommandContext) throws(Refusal) {
        try require(remainingDiscoverableCredentials > 0, else: context.refusal(.keyStoreFull, .keyStoreFull, step: 16))
    }

    private func attest(
        _ credential: StoredCredential, _ request: MakeCredentialRequest, _ authorization: CredentialAuthorization,
        _ extensions: MakeCredentialExtensions, _ context: CommandContext
    ) throws(Refusal) -> MakeCredentialResponse {
        let plan = attestationPlan(request, credential.privateKey.algorithm)
        var outputs = extensions.outputs
        if let input = extensions.hmacSecret {
            outputs[AuthenticatorExtension.hmacSecretAtCreation.rawValue] = try hmacSecretOutput(
                input, of: credential, userVerified: authorization.userVerified)
        }
        var unsignedOutputs = extensions.unsignedOutputs
        if let request = extensions.prf {
            unsignedOutputs[.text(HybridExtension.prf.rawValue)] = prfOutput(
                request, of: credential, userVerified: authorization.userVerified, isNew: true)
        }
        if let wanted = extensions.signingKey {
            let key = try makeSigningKey(
                wanted, beside: credential, userVerified: authorization.userVerified, request, context)
            outputs[AuthenticatorExtension.previewSign.rawValue] = key.signed
            unsignedOutputs[AuthenticatorExtension.previewSign.rawValue] = key.unsigned
        }
        var data = AuthenticatorData(
            relyingPartyIDHash: credential.relyingPartyIDHash,
            flags: flags(
                of: credential, userPresent: authorization.userPresent, userVerified: authorization.userVerified),
            signCount: signCountAtCreation(),
            attestedCredentialData: AttestedCredentialData(
                aaguid: aaguid(for: plan), credentialID: credential.id,
                credentialPublicKey: credential.publicKey.cbor),
            extensions: outputs.isEmpty ? nil : outputs)
        applyFaults(to: &data)
        let encoded = applyFaults(toEncoded: data.encoded, in: .registration)
        var response = try attestationResponse(credential, request, plan, authenticatorData: encoded, context)
        response.largeBlobKey = credential.largeBlobKey
        if !unsignedOutputs.isEmpty { response.unsignedExtensionOutputs = unsignedOutputs }
        applyFaults(to: &response, flaw: plan.flaw)
        faultMemory.formerCredentialID = credential.id
        faultMemory.note(data.signCount, of: credential.id)
        return response
    }

    /// The flags of authenticator data for a credential, AT and ED aside.
    func flags(of credential: StoredCredential, userPresent: Bool, userVerified: Bool) -> AuthenticatorDataFlags {
        var flags: AuthenticatorDataFlags = []
        if userPresent { flags.insert(.userPresent) }
        if userVerified { flags.insert(.userVerified) }
        if credential.isBackupEligible { flags.insert(.backupEligible) }
        if credential.isBackedUp { flags.insert(.backupState) }
        return flags
    }

    /// The credential a descriptor names at a relying party, if it is this device's; unknown types are skipped.
    func findCredential(_ descriptor: PublicKeyCredentialDescriptor, of relyingPartyID: String) -> StoredCredential? {
        guard descriptor.type == "public-key" else { return nil }
        if let kept = state.credentials.credential(descriptor.id, of: relyingPartyID) { return kept }
        return openedCredentials.open(
            descriptor.id, relyingPartyID: relyingPartyID, relyingPartyIDHash: sha256(Array(relyingPartyID.utf8)),
            under: state.settings.sealingKey)
    }
}
