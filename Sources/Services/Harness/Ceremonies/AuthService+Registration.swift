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
        let now = now
        let (account, passkeys) = try await database.write { db in
            let (session, account) = try signedIn(token, at: now, db)
            try Challenge.issue(
                challenge, for: pending, kind: .registration, session: session, userID: account.id,
                expiresAt: now + configuration.challengeLifetime, db)
            return (account, try Passkey.all(of: account.id, db))
        }
        return CreationOptions(
            rp: RelyingPartyEntity(id: configuration.relyingPartyID, name: configuration.relyingPartyName),
            user: UserEntity(id: account.handle, name: account.username, displayName: account.displayName),
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
        let now = now
        let attempt = try await claimRegistration(body.statedChallenge, token: token, at: now)
        let owner: @Sendable ([UInt8]) -> CredentialOwner = { [database] id in
            // A failed look-up must not accept a credential.
            (try? database.read { db in try Passkey.owner(of: id, seenBy: attempt.account.id, db) }) ?? .otherUser
        }
        var verdict = await judge(body, attempt, owner: owner)
        let isAttachmentAllowed = body.response.map { roaming.accepts($0, asked: attempt.pending?.attachment) } ?? true
        var stored: Passkey?
        if let credential = verdict.credential, isAttachmentAllowed {
            // Another request may have registered the same credential since the look-up.
            let (passkey, owner) = try await database.write { db in
                let owner = try Passkey.owner(of: credential.record.id, seenBy: attempt.account.id, db)
                guard owner == .unregistered else { return (Passkey?.none, owner) }
                let passkey = try Passkey.store(
                    credential, userID: attempt.account.id, deviceName: deviceName,
                    attachment: body.response?.authenticatorAttachment, at: now, db)
                return (passkey, owner)
            }
            stored = passkey
            if passkey == nil { verdict = await judge(body, attempt, owner: { _ in owner }) }
        }
        let error: APIError? =
            if verdict.credential == nil {
                .registrationRefused(verdict.ledger)
            } else if !isAttachmentAllowed {
                .attachmentNotAllowed
            } else if stored == nil {
                .internalError
            } else {
                nil
            }
        report(
            .registration, verdict.ledger, error: error, success: 201, username: attempt.account.username,
            credentialID: body.response?.rawId.bytes)
        guard let stored else { throw error ?? .internalError }
        return PasskeySummary(stored)
    }

    private struct RegistrationAttempt: Sendable {
        let account: Account
        let claim: ClaimedChallenge
        let pending: PendingRegistration?
        /// The account the challenge was issued to.
        let userHandle: [UInt8]
    }

    private var roaming: RoamingPolicy { RoamingPolicy(roamingAllowed: configuration.roamingAllowed) }

    private func claimRegistration(
        _ stated: [UInt8]?, token: SessionToken?, at now: Timestamp
    ) async throws -> RegistrationAttempt {
        try await database.write { db in
            let (session, account) = try signedIn(token, at: now, db)
            let claim = try Challenge.claim(.registration, session: session, stated: stated, at: now, db)
            let named = try claim.challenge?.userID.flatMap { try Account.find($0, db) }
            return RegistrationAttempt(
                account: account, claim: claim, pending: try claim.challenge?.pending(PendingRegistration.self),
                userHandle: named?.handle ?? account.handle)
        }
    }

    private func judge(
        _ body: CeremonyBody<RegistrationResponse>, _ attempt: RegistrationAttempt,
        owner: @escaping @Sendable ([UInt8]) -> CredentialOwner
    ) async -> RegistrationVerdict {
        var attestation = configuration.attestationPolicy
        attestation.now = configuration.clock()
        let pending = attempt.pending
        let expectation = RegistrationExpectation(
            ceremony: ceremony(
                attempt.claim,
                userVerification: pending?.userVerification ?? configuration.userVerification.registration),
            algorithms: pending?.algorithms.map(COSE.Algorithm.init(rawValue:)) ?? configuration.algorithms,
            userHandle: attempt.userHandle, completingUserHandle: attempt.account.handle,
            residentKey: pending?.residentKey ?? configuration.residentKey, attestation: attestation,
            extensions: ExtensionPolicy(requested: ["credProps"]), owner: owner)
        return await RegistrationVerifier().verify(json: body.json, expectation: expectation)
    }
}

extension Passkey {
    /// The descriptor in allow and exclude lists.
    var descriptor: CredentialDescriptor {
        CredentialDescriptor(id: record.id, transports: record.transports.isEmpty ? nil : record.transports)
    }
}
