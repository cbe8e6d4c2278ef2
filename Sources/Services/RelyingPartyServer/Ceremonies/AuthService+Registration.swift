internal import COSE
internal import GRDB
internal import LoopbackHTTP
internal import RelyingParty
internal import WebAuthn

extension AuthService {
    /// Issues the options of a registration (WebAuthn L3 §7.1 step 1).
    func beginRegistration(_ request: RegistrationRequest, token: SessionToken?) async throws -> CreationOptions {
        let pending = PendingRegistration(
            userVerification: configuration.userVerification.registration.raised(to: request.userVerification),
            residentKey: request.residentKey ?? configuration.residentKey,
            attachment: try roaming.attachment(asked: request.authenticatorAttachment),
            algorithms: configuration.algorithms.map(\.rawValue))
        let challenge = configuration.random(32)
        let (account, passkeys) = try await asUser(token) { caller, db in
            try requireRecent(caller)
            let passkeys = try caller.account.passkeys(db)
            guard passkeys.count < configuration.maximumPasskeys else { throw APIError.passkeysTooMany }
            try Challenge(
                challenge, for: pending, .registration, session: caller.session, userID: caller.userID,
                expiresAt: caller.now + configuration.challengeLifetime
            ).issue(db)
            return (caller.account, passkeys)
        }
        return CreationOptions(
            rp: RelyingPartyEntity(id: configuration.relyingPartyID, name: configuration.relyingPartyName),
            user: UserEntity(id: account.userHandle.bytes, name: account.username, displayName: account.displayName),
            challenge: challenge, pubKeyCredParams: pending.algorithms.map { CredentialParameters(alg: $0) },
            timeout: timeout, excludeCredentials: passkeys.map(\.descriptor),
            authenticatorSelection: AuthenticatorSelection(
                authenticatorAttachment: pending.attachment, residentKey: pending.residentKey,
                userVerification: pending.userVerification),
            attestation: request.attestation ?? configuration.attestation,
            extensions: ClientExtensionInputs(credProps: true))
    }

    /// Verifies a registration's response, and stores the passkey if every check passes.
    func completeRegistration(
        _ body: CeremonyBody<RegistrationResponse>, deviceName: String, token: SessionToken?
    ) async throws -> PasskeySummary {
        let attempt = try await claimRegistration(body.statedChallenge, token: token)
        let userID = attempt.caller.userID
        var verdict = await judge(body, attempt) { [database] id in
            // A failed look-up must not accept a credential.
            (try? database.snapshot { db in try PasskeyRow.owner(of: id, seenBy: userID, db) }) ?? .otherUser
        }
        let isAttachmentAllowed = body.response.map { roaming.accepts($0, asked: attempt.pending?.attachment) } ?? true
        var stored: PasskeySummary?
        if let credential = verdict.credential, isAttachmentAllowed {
            let passkey = PasskeyRow(
                credential, userID: userID, deviceName: deviceName, attachment: body.response?.authenticatorAttachment,
                at: attempt.caller.now)
            // Another request may have registered the same credential since the look-up.
            let (owner, row) = try await database.write { db in
                let owner = try PasskeyRow.owner(of: credential.record.id, seenBy: userID, db)
                guard owner == .unregistered else { return (owner, PasskeySummary?.none) }
                guard try attempt.caller.account.passkeys(db).count < configuration.maximumPasskeys else {
                    throw APIError.passkeysTooMany
                }
                return (owner, try passkey.insertAndFetch(db, as: PasskeySummary.self))
            }
            stored = row
            if row == nil { verdict = await judge(body, attempt) { _ in owner } }
        }
        let error: APIError? =
            if verdict.credential == nil {
                .registrationRefused(verdict.ledger)
            } else if !isAttachmentAllowed {
                .attachmentNotAllowed
            } else {
                nil
            }
        report(
            .registration, verdict.ledger, error: error, success: 201, username: attempt.caller.account.username,
            credentialID: body.response?.rawId.bytes)
        guard let stored else { throw error ?? .internalError }
        return stored
    }

    private struct RegistrationAttempt: Sendable {
        let caller: SignedInUser
        let claim: ClaimedChallenge
        let pending: PendingRegistration?
        /// The account the challenge was issued to.
        let owner: AccountRow
    }

    private var roaming: RoamingPolicy { RoamingPolicy(roamingAllowed: configuration.roamingAllowed) }

    private func claimRegistration(_ stated: [UInt8]?, token: SessionToken?) async throws -> RegistrationAttempt {
        try await asUser(token) { caller, db in
            let claim = try Challenge.claim(.registration, session: caller.session, stated: stated, at: caller.now, db)
            let owner = try claim.challenge?.userId.flatMap { try AccountRow.fetchOne(db, key: $0) }
            return RegistrationAttempt(
                caller: caller, claim: claim, pending: try claim.challenge?.pending(PendingRegistration.self),
                owner: owner ?? caller.account)
        }
    }

    private func judge(
        _ body: CeremonyBody<RegistrationResponse>, _ attempt: RegistrationAttempt,
        owner: @escaping @Sendable ([UInt8]) -> CredentialOwner
    ) async -> RegistrationVerdict {
        let pending = attempt.pending
        let expectation = RegistrationExpectation(
            ceremony: ceremony(
                attempt.claim,
                userVerification: pending?.userVerification ?? configuration.userVerification.registration),
            algorithms: pending?.algorithms.map(COSE.Algorithm.init(rawValue:)) ?? configuration.algorithms,
            userHandle: attempt.owner.userHandle.bytes,
            completingUserHandle: attempt.caller.account.userHandle.bytes,
            residentKey: pending?.residentKey ?? configuration.residentKey,
            attestation: configuration.attestationPolicy, now: configuration.clock(),
            extensions: ExtensionPolicy(requested: ["credProps"]), owner: owner)
        guard let response = body.response else {
            return await RegistrationVerifier().verify(json: body.json, expectation: expectation)
        }
        return await RegistrationVerifier().verify(response, expectation: expectation)
    }
}
