internal import Attestation
internal import COSE
internal import Conformance
internal import Documents
internal import ForeignParties
internal import WebAuthn

/// The passkey that an assertion is made with.
struct PasskeyForm: Hashable, Sendable {
    /// The credential's algorithm; nil for the usual one.
    var algorithm: COSE.Algorithm?
    /// Whether BE is set.
    var isBackupEligible = false
    /// Whether BS is set at the registration.
    var isBackedUp = false
    /// A name that only one case uses, where a case leaves a state behind; nil for the shared passkey.
    var owner: String?
}

/// The circumstances of a sign-in.
struct SignInForm: Hashable, Sendable {
    var passkey = PasskeyForm()
    /// The requirement for user verification to request.
    var userVerification: String?
    /// Whether the sign-in begins without an account's name.
    var isAnonymous = false
}

extension RelyingPartyBench {
    typealias AssertionChange = @Sendable (inout ForgedAssertion) throws -> Void

    func signIn(
        _ form: SignInForm, _ recorder: CaseRecorder, is outcome: CeremonyOutcome,
        _ change: AssertionChange
    ) async throws {
        try await requireSignIn(form.passkey)
        judge(try await assertion(form, change), outcome, recorder)
    }

    /// Ends the case unless the unchanged sign-in with a passkey is accepted.
    func requireSignIn(_ form: PasskeyForm) async throws {
        if case .refused(let answer) = try await signInControl(form) {
            throw CaseStop.blocked("the unchanged sign-in is refused: \(answer)")
        }
    }

    func signInUnchanged(_ form: PasskeyForm, _ recorder: CaseRecorder) async throws {
        _ = try await passkey(form)
        if case .refused(let answer) = try await signInControl(form) {
            recorder.expect(false, "an accepted assertion", seen: answer)
        }
    }

    private func signInControl(_ form: PasskeyForm) async throws -> ControlResult {
        if let known = signInControls[form] { return known }
        let reply = try await assertion(SignInForm(passkey: form)) { _ in }
        let result = reply.isAccepted ? ControlResult.accepted : .refused(reply.line)
        signInControls[form] = result
        return result
    }

    func assertion(_ form: SignInForm, _ change: AssertionChange) async throws -> CeremonyReply {
        let (begun, passkey) = try await requireBegun(form)
        return try await complete(begun, passkey, change)
    }

    /// Signs in with a passkey that one case has.
    func assertion(_ passkey: ForgedPasskey, _ change: AssertionChange = { _ in }) async throws -> CeremonyReply {
        guard let begun = try await beginSignIn(passkey.account, PartyRequirements(account: passkey.account)) else {
            throw recorder?.fail("request options", seen: lastRefusal) ?? CaseStop.notRun(lastRefusal)
        }
        return try await complete(begun, passkey, change)
    }

    /// Begins a sign-in with a passkey, or ends the case.
    func requireBegun(_ form: SignInForm = SignInForm()) async throws -> (BegunCeremony, ForgedPasskey) {
        let passkey = try await passkey(form.passkey)
        var requirements = PartyRequirements(account: form.isAnonymous ? nil : passkey.account)
        requirements.userVerification = form.userVerification
        guard let begun = try await beginSignIn(passkey.account, requirements) else {
            throw recorder?.fail("request options", seen: lastRefusal) ?? CaseStop.notRun(lastRefusal)
        }
        return (begun, use(passkey, form.passkey))
    }

    func complete(
        _ begun: BegunCeremony, _ passkey: ForgedPasskey, _ change: AssertionChange
    ) async throws -> CeremonyReply {
        try await complete(party.signIn, try assertion(begun, passkey, change), in: begun.session)
    }

    nonisolated func assertion(
        _ begun: BegunCeremony, _ passkey: ForgedPasskey, _ change: AssertionChange
    ) throws -> JSONValue {
        var assertion = ForgedAssertion(
            begun.options, origin: party.origin, relyingPartyID: relyingPartyID(begun.options["rpId"]),
            passkey: passkey)
        try change(&assertion)
        return try assertion.response()
    }

    /// Begins a sign-in in a new session.
    ///
    /// - Parameter account: the account that the session knows; the step decides whether the request names it.
    /// - Returns: nil when the relying party refuses.
    func beginSignIn(_ account: String, _ requirements: PartyRequirements) async throws -> BegunCeremony? {
        try await beginSignIn(account, requirements, in: newSession(account))
    }

    func beginSignIn(
        _ account: String, _ requirements: PartyRequirements, in session: PartySession
    ) async throws -> BegunCeremony? {
        defer { lastExchange = note(session) ?? lastExchange }
        mask(account: account, of: session)
        let bytes = try await reaching {
            try await session.begin(party.signIn, requirements: requirements, userAgent: Self.userAgent)
        }
        guard let bytes else { return nil }
        let options = try JSONValue(parsing: bytes)
        mask(valuesOf: options)
        return BegunCeremony(session: session, account: account, options: options)
    }

    /// A passkey of a form, registered once in a run, or the end of the case.
    func passkey(_ form: PasskeyForm) async throws -> ForgedPasskey {
        if let known = passkeys[form] { return known }
        let made = try await newPasskey(RegistrationForm(kind: .none, algorithm: form.algorithm)) { registration in
            if form.isBackupEligible { registration.authenticatorData.flags.insert(.backupEligible) }
            if form.isBackedUp { registration.authenticatorData.flags.insert(.backupState) }
        }
        passkeys[form] = made
        return made
    }

    /// Takes the passkey's next counter.
    func use(_ passkey: ForgedPasskey, _ form: PasskeyForm) -> ForgedPasskey {
        passkeys[form]?.counter += 1
        return passkeys[form] ?? passkey
    }

    /// Registers a passkey, or ends the case.
    func newPasskey(_ form: RegistrationForm, _ change: RegistrationChange = { _ in }) async throws -> ForgedPasskey {
        let begun = try await requireRegistration(form)
        var registration = try forge(form, begun)
        try change(&registration)
        let reply = try await complete(begun, try registration.response())
        guard reply.isAccepted else {
            throw CaseStop.blocked("the registration of a passkey is refused: \(reply.line)")
        }
        var flags = registration.authenticatorData.flags
        flags.remove(.attestedCredentialData)
        return ForgedPasskey(
            account: begun.account, id: registration.credentialID, key: registration.key,
            userHandle: begun.options["user"]?["id"]?.text.flatMap(Base64URL.decode), flags: flags,
            counter: registration.authenticatorData.counter)
    }
}
