internal import Attestation
internal import COSE
internal import Conformance
internal import Documents
internal import ForeignParties
internal import VirtualAuthenticator
internal import WebAuthn

/// A ceremony that has begun.
struct BegunCeremony: Sendable {
    let session: PartySession
    /// The account's name before the run's suffix.
    let account: String
    let options: JSONValue
}

/// The statement and the key of a registration.
struct RegistrationForm: Hashable, Sendable {
    var kind = AttestationKind.none
    /// The credential's algorithm; nil for the usual one.
    var algorithm: COSE.Algorithm?
    /// The requirement for user verification to request.
    var userVerification: String?
    var model = SuiteModel.usual
}

extension RelyingPartyBench {
    typealias RegistrationChange = @Sendable (inout ForgedRegistration) throws -> Void

    func register(
        _ form: RegistrationForm, _ recorder: CaseRecorder, is outcome: CeremonyOutcome,
        _ change: RegistrationChange
    ) async throws {
        try await requireControl(form)
        judge(try await registration(form, change).reply, outcome, recorder)
    }

    func registerUnchanged(_ form: RegistrationForm, _ recorder: CaseRecorder) async throws {
        if case .refused(let answer) = try await control(form) {
            recorder.expect(false, "an accepted registration", seen: answer)
        }
    }

    /// Ends the case unless the unchanged registration is accepted.
    func requireControl(_ form: RegistrationForm) async throws {
        if case .refused(let answer) = try await control(form) {
            throw CaseStop.notRun("the unchanged registration is refused: \(answer)")
        }
    }

    /// Whether the unchanged registration is accepted, which is found out once.
    func control(_ form: RegistrationForm) async throws -> ControlResult {
        if let known = controls[form] { return known }
        let reply = try await registration(form) { _ in }.reply
        let result = reply.isAccepted ? ControlResult.accepted : .refused(reply.line)
        controls[form] = result
        return result
    }

    func registration(
        _ form: RegistrationForm, _ change: RegistrationChange
    ) async throws -> (reply: CeremonyReply, registration: ForgedRegistration) {
        let begun = try await requireRegistration(form)
        var registration = try forge(form, begun)
        try change(&registration)
        return (try await complete(begun, try registration.response()), registration)
    }

    /// Begins a registration in the form's circumstances, or ends the case.
    func requireRegistration(_ form: RegistrationForm = RegistrationForm()) async throws -> BegunCeremony {
        var requirements = PartyRequirements()
        requirements.attestation = form.kind == .none ? "none" : "direct"
        requirements.userVerification = form.userVerification
        guard let begun = try await beginRegistration(requirements) else {
            throw recorder?.fail("creation options", seen: lastRefusal) ?? CaseStop.notRun(lastRefusal)
        }
        return begun
    }

    func forge(_ form: RegistrationForm, _ begun: BegunCeremony) throws -> ForgedRegistration {
        var vendor = vendor
        vendor.model = form.model.aaguid
        if let key = try form.model.attestationKey(vendor.authority) { vendor.key = key }
        let id = random.bytes(32)
        mask(credentialID: id)
        return ForgedRegistration(
            begun.options, origin: party.origin, relyingPartyID: relyingPartyID(begun.options["rp"]?["id"]),
            key: try keys.key(form.algorithm ?? declarations.usualAlgorithm), credentialID: id,
            kind: form.kind, vendor: vendor)
    }

    /// The registrations of one account: many sites read all of an account's passkeys at each ceremony.
    private static let registrationsPerAccount = 40

    /// Begins a registration; an account that cannot add a passkey any more makes place for a new one.
    ///
    /// - Returns: nil when the relying party refuses.
    func beginRegistration(_ requirements: PartyRequirements) async throws -> BegunCeremony? {
        let isFull = declarations.obstacleToAccounts == nil && registrations >= Self.registrationsPerAccount
        registrations += 1
        if let registrant, !isFull, let begun = try await beginRegistration(requirements, at: registrant) {
            return begun
        }
        let fresh = try await newRegistrant()
        registrant = fresh
        return try await beginRegistration(requirements, at: fresh)
    }

    func beginRegistration(_ requirements: PartyRequirements, at registrant: Registrant) async throws -> BegunCeremony?
    {
        let session = registrant.session
        defer { lastExchange = note(session) ?? lastExchange }
        mask(account: registrant.account, of: session)
        let bytes = try await reaching {
            try await session.begin(party.registration, requirements: requirements, userAgent: Self.userAgent)
        }
        guard let bytes else { return nil }
        let options = try JSONValue(parsing: bytes)
        mask(valuesOf: options)
        return BegunCeremony(session: session, account: registrant.account, options: options)
    }

    /// The name that is shown to the user, where a request takes one.
    static let displayName = "Conformance"

    func newRegistrant() async throws -> Registrant {
        accounts += 1
        let account = "conformance-\(accounts)@example.com"
        let session = PartySession(party, accounts: pool)
        mask(account: account, of: session)
        let made = try await reaching {
            try await session.makeAccount(
                account, displayName: Self.displayName, isShared: true, userAgent: Self.userAgent)
        }
        lastExchange = note(session) ?? lastExchange
        guard made else { throw PartyError.unexpected("the relying party makes no account: \(lastRefusal)") }
        return Registrant(session: session, account: account)
    }

    func complete(_ begun: BegunCeremony, _ response: JSONValue) async throws -> CeremonyReply {
        try await complete(party.registration, response, in: begun.session)
    }

    func complete(
        _ ceremony: PartyCeremony, _ response: JSONValue, in session: PartySession
    ) async throws -> CeremonyReply {
        let bytes = try response.bytes()
        _ = try await reaching {
            try await session.complete(ceremony, response: bytes, userAgent: Self.userAgent)
        }
        guard let exchange = note(session, response: response) else {
            throw PartyError.unexpected("the relying party did not answer")
        }
        lastExchange = exchange
        return CeremonyReply(exchange)
    }

    /// The relying party's ID: that of the options; the default is the host of the pages (WebAuthn L3 §5.4.2).
    nonisolated func relyingPartyID(_ stated: JSONValue?) -> String {
        if let stated = stated?.text { return stated }
        let host = party.origin.split(separator: "/").last ?? ""
        return String(host.split(separator: ":").first ?? "")
    }

    /// Notes a deviation unless the relying party answers a response rightly.
    nonisolated func judge(_ reply: CeremonyReply, _ outcome: CeremonyOutcome, _ recorder: CaseRecorder) {
        guard
            recorder.expect(
                reply.isAccepted == (outcome == .accepted), outcome.noun,
                seen: "that the response was \(reply.isAccepted ? "accepted" : "refused"): \(reply.line)"),
            outcome == .refused
        else { return }
        recorder.expect(
            !reply.isInternalError, "a refusal by a decision",
            seen: "a refusal by an internal error: \(reply.line)", level: .should)
    }

    var lastRefusal: String { lastExchange.map { CeremonyReply($0).line } ?? "no answer" }
}
