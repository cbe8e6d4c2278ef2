internal import CBOR
internal import COSE
public import WebAuthn

/// Verifies registrations (WebAuthn L3 §7.1) and reports the outcome of every step.
///
/// A verifier has no state: the relying party stores the record in the verdict.
public struct RegistrationVerifier: Sendable {
    package let formats: AttestationFormats

    /// Creates a verifier that supports the attestation formats of WebAuthn L3 §8, except `android-safetynet`.
    public init() { self.init(formats: .standard) }

    package init(formats: AttestationFormats) { self.formats = formats }

    /// Verifies a response step by step; a failure does not stop later steps that can still be judged.
    public func verify(
        _ response: RegistrationResponse, expectation: RegistrationExpectation
    ) async -> RegistrationVerdict {
        var run = RegistrationRun(response: response, expectation: expectation, formats: formats)
        return await run.verdict()
    }
}

/// The verification of one registration.
private struct RegistrationRun {
    let response: RegistrationResponse
    let expectation: RegistrationExpectation
    let formats: AttestationFormats
    var ledger = LedgerBuilder()

    mutating func verdict() async -> RegistrationVerdict {
        judgeClientData()
        let object = readAttestationObject()
        let parsed = object.flatMap { judgeAuthenticatorData($0.authenticatorData) }
        let attested = parsed?.attestedCredentialData
        judgeIdentity(attested)
        let key = attested.flatMap { judgeKey($0, format: object?.format) }
        compareCopies(object, attested, key)
        let attestation = judgeStatement(object, parsed, key)
        let trust = await judgeTrust(object, attested, key, attestation)
        if let attested { judgeCredentialID(attested.credentialID) }
        ledger[.extensionOutputs] =
            ExtensionOutputsCheck(
                client: response.clientExtensionResults, authenticator: parsed?.extensions, expectation: expectation
            ).outcome
        judgeAccount()

        var credential: VerifiedCredential?
        if ledger.accepts(VerificationStep.registration, except: [.credentialRecord]), let object, let parsed,
            let attested, let attestation, let trust
        {
            ledger[.credentialRecord] = .passed
            credential = VerifiedCredential(
                record: record(parsed, attested), attestationFormat: object.format, attestation: attestation,
                isAttestationTrusted: trust.isTrusted, isModelProven: trust.isModelProven)
        }
        return RegistrationVerdict(ledger: ledger.ledger(of: VerificationStep.registration), credential: credential)
    }

    // MARK: r1 to r7: the response and its client data

    private mutating func judgeClientData() {
        let checks = ClientDataChecks(
            response.response.clientDataJSON.bytes, type: CollectedClientData.createType,
            expectation: expectation.ceremony)
        ledger[.clientDataJSON] = checks.parsing
        ledger[.clientDataType] = checks.type
        ledger[.challenge] = checks.challenge
        ledger[.origin] = checks.origin
        ledger[.crossOrigin] = checks.crossOrigin
        ledger[.topOrigin] = checks.topOrigin
    }

    private mutating func judgeIdentity(_ attested: AttestedCredentialData?) {
        var reasons = CredentialIdentityCheck.reasons(type: response.type, id: response.id, rawID: response.rawId.bytes)
        if let attested, attested.credentialID != response.rawId.bytes {
            reasons.append(Reason(.credentialAttestedIDMismatch, "the attested credential ID is not rawId"))
        }
        // Without attested data only the response's own halves can be compared.
        if attested != nil || !reasons.isEmpty { ledger[.registrationResponse] = .judged(reasons) }
    }

    // MARK: r8 to r14: the attestation object and authenticator data

    private mutating func readAttestationObject() -> AttestationObject? {
        let bytes = response.response.attestationObject.bytes
        do {
            let object = try AttestationObject(parsing: bytes)
            ledger[.attestationObject] = .passed
            return object
        } catch {
            // Early Edge and some authenticators order the members differently; nothing depends on the order.
            let unordered = try? AttestationObject(parsing: bytes, inAnyOrder: true)
            ledger[.attestationObject] = .judged(unordered == nil ? [Reason(error)] : [], flags: [Reason(error)])
            return unordered
        }
    }

    private mutating func judgeAuthenticatorData(_ bytes: [UInt8]) -> AuthenticatorData? {
        let head = AuthenticatorDataHead(bytes)
        if let head { judgeHead(head) }
        if let head, !head.flags.contains(.attestedCredentialData) {
            ledger[.attestedCredentialData] = .failed([Reason(.attestedDataMissing, "AT is not set")])
            return nil
        }
        do {
            let parsed = try AuthenticatorData(parsing: bytes)
            ledger[.attestedCredentialData] = .passed
            return parsed
        } catch {
            ledger[.attestedCredentialData] = .failed([Reason(error)])
            return nil
        }
    }

    private mutating func judgeHead(_ head: AuthenticatorDataHead) {
        let ceremony = expectation.ceremony
        ledger[.relyingPartyIDHash] = .judged(head.judgeRelyingParty(ceremony.relyingPartyID))
        ledger[.userPresence] =
            expectation.requiresUserPresence
            ? .judged(head.judgeUserPresence()) : .notApplicable("a conditional create needs no user presence")
        ledger[.userVerification] =
            ceremony.userVerification == .required
            ? .judged(head.judgeUserVerification()) : .notApplicable("user verification is not required")
        let absent = ceremony.level.outcomeOfLevel3Step
        ledger[.backupConsistency] = absent ?? .judged(head.judgeBackupConsistency())
        ledger[.backupPolicy] =
            if let absent {
                absent
            } else if ceremony.backup == BackupPolicy() {
                .notApplicable("the policy accepts any backup flags")
            } else {
                .judged(head.judgeBackupPolicy(ceremony.backup))
            }
    }

    // MARK: r15 to r17: the key and the attestation

    private mutating func judgeKey(_ attested: AttestedCredentialData, format: String?) -> COSE.PublicKey? {
        let check = CredentialKeyCheck(attested.credentialPublicKey, offered: expectation.algorithms, format: format)
        ledger[.credentialKey] = check.outcome
        return check.key
    }

    /// Flags copies beside the attestation object that differ from it (WebAuthn L3 §5.2.1.1).
    ///
    /// No step looks at them, but a relying party that reads them instead stores another key.
    private mutating func compareCopies(
        _ object: AttestationObject?, _ attested: AttestedCredentialData?, _ key: COSE.PublicKey?
    ) {
        if let object, let problem = CopiedMembersCheck.data(response.response, object) {
            ledger[.attestedCredentialData] = ledger[.attestedCredentialData].flagged(problem)
        }
        guard let attested, let key else { return }
        for problem in CopiedMembersCheck.key(response.response, key, stated: attested.credentialPublicKey) {
            ledger[.credentialKey] = ledger[.credentialKey].flagged(problem)
        }
    }

    private mutating func judgeStatement(
        _ object: AttestationObject?, _ parsed: AuthenticatorData?, _ key: COSE.PublicKey?
    ) -> AttestationResult? {
        guard let object else { return nil }
        guard let format = formats[object.format] else {
            let sentence = "the attestation format “\(object.format)” is not supported"
            ledger[.attestationStatement] = .failed([Reason(.attestationFormatUnsupported, sentence)])
            return nil
        }
        guard let parsed, let attested = parsed.attestedCredentialData else { return nil }
        let input = AttestationInput(
            statement: object.statement, authenticatorData: parsed, authenticatorDataBytes: object.authenticatorData,
            attested: attested,
            clientDataHash: sha256(response.response.clientDataJSON.bytes),
            credentialPublicKey: key, rules: expectation.attestation.rules)
        do {
            let result = try format.verify(input)
            ledger[.attestationStatement] = .judged([], flags: result.flags)
            return result
        } catch {
            ledger[.attestationStatement] = error == .keyNeeded ? .notReached : .failed(error.reasons)
            return nil
        }
    }

    private mutating func judgeTrust(
        _ object: AttestationObject?, _ attested: AttestedCredentialData?, _ key: COSE.PublicKey?,
        _ attestation: AttestationResult?
    ) async -> AttestationAssessment? {
        guard let object, let attested, let attestation else { return nil }
        let assessment = await AttestationAssessment(
            format: object.format, attestation: attestation, model: attested.aaguid, algorithm: key?.algorithm,
            policy: expectation.attestation, now: expectation.now)
        ledger[.attestationTrust] = assessment.outcome
        return assessment
    }

    // MARK: r18 to r22: the relying party's records

    private mutating func judgeCredentialID(_ id: [UInt8]) {
        ledger[.credentialIDLength] =
            switch id.count {
            case 0: .failed([Reason(.credentialIDEmpty, "the credential ID is empty")])
            case 1...1023: .passed
            default: .failed([Reason(.credentialIDTooLong, "the credential ID has \(id.count) bytes")])
            }
        ledger[.credentialIDUniqueness] =
            switch expectation.owner(id) {
            case .unregistered: .passed
            case .thisUser:
                .failed([Reason(.credentialIDRegisteredToUser, "the user has already registered this credential")])
            case .otherUser:
                .failed([Reason(.credentialIDRegisteredToOther, "another user has registered this credential")])
            }
    }

    private mutating func judgeAccount() {
        guard let completing = expectation.completingUserHandle else {
            ledger[.account] = .notApplicable("the response is not bound to an account")
            return
        }
        let swapped = completing != expectation.userHandle
        ledger[.account] = .judged(
            swapped ? [Reason(.accountSwapped, "the account of the response is not the account of the request")] : [])
    }

    private func record(_ parsed: AuthenticatorData, _ attested: AttestedCredentialData) -> CredentialRecord {
        CredentialRecord(
            id: attested.credentialID, publicKey: CBOR.encode(attested.credentialPublicKey),
            signCount: parsed.signCount, uvInitialized: parsed.flags.contains(.userVerified),
            transports: response.response.transports ?? [],
            backupEligible: parsed.flags.contains(.backupEligible),
            backupState: parsed.flags.contains(.backupState), aaguid: attested.aaguid,
            userHandle: expectation.userHandle, relyingPartyID: expectation.ceremony.relyingPartyID,
            attestationObject: response.response.attestationObject.bytes,
            attestationClientDataJSON: response.response.clientDataJSON.bytes)
    }
}
