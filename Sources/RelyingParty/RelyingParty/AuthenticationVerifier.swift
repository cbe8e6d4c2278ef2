internal import CBOR
internal import COSE
public import WebAuthn

/// Verifies authentications (WebAuthn L3 §7.2) and reports the outcome of every step.
///
/// A verifier has no state: the relying party stores the update in the verdict.
public struct AuthenticationVerifier: Sendable {
    /// Creates a verifier.
    public init() {}

    /// Verifies a response step by step; a failure does not stop later steps that can still be judged.
    ///
    /// `storedCredential` looks up the record of a credential ID among all users' records.
    public func verify(
        _ response: AuthenticationResponse, expectation: AuthenticationExpectation,
        storedCredential: ([UInt8]) -> CredentialRecord?
    ) -> AuthenticationVerdict {
        let id = response.rawId.bytes
        // A record of another credential must not supply its key.
        let record = storedCredential(id).flatMap { $0.id == id ? $0 : nil }
        var run = AuthenticationRun(response: response, expectation: expectation, record: record)
        return run.verdict()
    }
}

/// The verification of one authentication.
private struct AuthenticationRun {
    let response: AuthenticationResponse
    let expectation: AuthenticationExpectation
    let record: CredentialRecord?
    var ledger = LedgerBuilder()

    mutating func verdict() -> AuthenticationVerdict {
        judgeAllowed()
        judgeUser()
        ledger[.assertionClientData] =
            ClientDataChecks(
                response.response.clientDataJSON.bytes, type: CollectedClientData.getType,
                expectation: expectation.ceremony
            ).combined
        let head = AuthenticatorDataHead(response.response.authenticatorData.bytes)
        ledger[.assertionAuthenticatorData] = judgeAuthenticatorData(head)
        if let head { judgeFlags(head) }
        if let record { ledger[.signature] = judgeSignature(record) }
        if let head, let record { ledger[.signatureCounter] = judgeCounter(head.signCount, record.signCount) }

        var update: CredentialUpdate?
        if ledger.accepts(VerificationStep.authentication, except: [.updatedState, .stateRelease]), let head, let record
        {
            ledger[.updatedState] = .passed
            ledger[.stateRelease] = .passed
            update = newState(head, record)
        }
        return AuthenticationVerdict(ledger: ledger.ledger(of: VerificationStep.authentication), update: update)
    }

    // MARK: a1 to a3: the credential and the user

    private mutating func judgeAllowed() {
        var reasons = CredentialIdentityCheck.reasons(type: response.type, id: response.id, rawID: response.rawId.bytes)
        let allowed = expectation.allowedCredentials
        if !allowed.isEmpty, !allowed.contains(response.rawId.bytes) {
            reasons.append(Reason(.credentialNotAllowed, "the credential is not in the allow list"))
        }
        ledger[.allowedCredential] =
            allowed.isEmpty && reasons.isEmpty
            ? .notApplicable("the request has no allow list") : .judged(reasons)
    }

    private mutating func judgeUser() {
        let userHandle = response.response.userHandle?.bytes
        var reasons = record == nil ? [Reason(.credentialUnknown, "no such credential is registered")] : []
        switch expectation.user {
        case .known(let user):
            ledger[.userHandle] = .notApplicable("the user is known before the ceremony")
            if let record, record.userHandle != user {
                reasons.append(Reason(.credentialOtherUser, "the credential belongs to another user"))
            }
            if let userHandle, userHandle != user {
                reasons.append(Reason(.userHandleMismatch, "the user handle is not that of the known user"))
            }
            ledger[.knownUser] = .judged(reasons)
        case .unknown:
            ledger[.knownUser] = .notApplicable("the user is not known before the ceremony")
            if userHandle == nil {
                reasons.append(Reason(.userHandleMissing, "the response has no user handle"))
            } else if let record, record.userHandle != userHandle {
                reasons.append(Reason(.userHandleMismatch, "the user handle is not that of the credential's owner"))
            }
            ledger[.userHandle] = .judged(reasons)
        }
    }

    // MARK: a5 to a8: authenticator data

    private func judgeAuthenticatorData(_ head: AuthenticatorDataHead?) -> LedgerOutcome {
        var reasons: [Reason] = []
        do {
            let parsed = try AuthenticatorData(parsing: response.response.authenticatorData.bytes)
            if parsed.attestedCredentialData != nil {
                reasons.append(Reason(.attestedDataUnexpected, "an assertion carries attested credential data"))
            }
        } catch {
            reasons.append(Reason(error))
        }
        // The client states that it used the app ID, which counts only if the request had one (WebAuthn L3 §10.1.1).
        let appID = response.clientExtensionResults.appid == true ? expectation.appID : nil
        return .judged(reasons + (head?.judgeRelyingParty(appID ?? expectation.ceremony.relyingPartyID) ?? []))
    }

    private mutating func judgeFlags(_ head: AuthenticatorDataHead) {
        let ceremony = expectation.ceremony
        ledger[.assertionUserPresence] = .judged(head.judgeUserPresence())
        ledger[.assertionUserVerification] =
            ceremony.userVerification == .required
            ? .judged(head.judgeUserVerification()) : .notApplicable("user verification is not required")
        if let absent = ceremony.level.outcomeOfLevel3Step {
            ledger[.assertionBackup] = absent
            return
        }
        var reasons = head.judgeBackupConsistency() + head.judgeBackupPolicy(ceremony.backup)
        let isEligible = head.flags.contains(.backupEligible)
        if let record, record.backupEligible != isEligible {
            reasons.append(Reason(.backupEligibilityChanged, "BE has changed since registration"))
        }
        if record != nil || !reasons.isEmpty { ledger[.assertionBackup] = .judged(reasons) }
    }

    // MARK: a9 to a12: the signature and the state

    private func judgeSignature(_ record: CredentialRecord) -> LedgerOutcome {
        let key: COSE.PublicKey
        do {
            key = try COSE.PublicKey(cbor: CBOR.decode(record.publicKey, options: .attestation))
        } catch COSE.KeyError.unsupportedAlgorithm(let algorithm) {
            return .failed([Reason(.algorithmUnsupported, "\(algorithm) is not supported")])
        } catch {
            return .failed([Reason(.storedKeyInvalid, "the stored public key cannot be read: \(error)")])
        }
        let assertion = response.response
        let signed = assertion.authenticatorData.bytes + sha256(assertion.clientDataJSON.bytes)
        switch SignatureCheck(assertion.signature.bytes, over: signed, key: key) {
        case .valid: return .passed
        case .invalid: return .failed([Reason(.signatureInvalid, "the signature does not verify")])
        case .malformed(let problem): return .failed([Reason(.signatureMalformed, "the signature: \(problem)")])
        }
    }

    private func judgeCounter(_ received: UInt32, _ stored: UInt32) -> LedgerOutcome {
        // Zero on both sides means an authenticator without a counter.
        let isAcceptable = received == 0 && stored == 0 || received > stored
        guard !isAcceptable else { return .passed }
        let reason = Reason(.counterNotIncreased, "the counter is \(received), the stored counter \(stored)")
        return expectation.counterPolicy == .reject ? .failed([reason]) : .flagged([reason])
    }

    private func newState(_ head: AuthenticatorDataHead, _ record: CredentialRecord) -> CredentialUpdate {
        let verified = head.flags.contains(.userVerified)
        return CredentialUpdate(
            id: record.id, userHandle: record.userHandle, signCount: head.signCount,
            backupState: head.flags.contains(.backupState),
            uvInitialized: record.uvInitialized || (verified && expectation.authorizesUVInitialization),
            userVerified: verified)
    }
}
