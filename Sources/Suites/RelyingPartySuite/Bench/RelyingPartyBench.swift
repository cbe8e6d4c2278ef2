internal import Attestation
internal import COSE
package import Conformance
internal import Documents
package import ForeignParties
internal import RelyingPartyServer
package import VirtualAuthenticator
internal import WebAuthn

/// The place where the cases meet a relying party: its sessions, accounts and passkeys, and its declarations.
package actor RelyingPartyBench: ConformanceBench {
    package typealias Need = RelyingPartyNeed

    nonisolated let party: ForeignParty
    nonisolated let declarations: PartyDeclarations
    nonisolated let keys: ForgedKeys
    nonisolated let random: any RandomSource
    nonisolated let passTime: (@Sendable (Duration) async throws -> Void)?
    nonisolated let vendor: ForgedRegistration.Vendor

    let pool: PartyAccounts
    var recorder: CaseRecorder?
    /// The session that registers, and its account.
    var registrant: Registrant? { didSet { registrations = 0 } }
    var accounts = 0
    /// The registrations that the session of the registrant has begun.
    var registrations = 0
    var controls: [RegistrationForm: ControlResult] = [:]
    var signInControls: [PasskeyForm: ControlResult] = [:]
    var passkeys: [PasskeyForm: ForgedPasskey] = [:]
    /// The last exchange of any session.
    var lastExchange: RelyingPartyExchange?
    /// The reason why the last request did not reach the relying party; nil where it did.
    var loss: PartyError?

    struct Registrant: Sendable {
        let session: PartySession
        let account: String
    }

    /// Whether an unchanged ceremony is accepted.
    enum ControlResult: Sendable {
        case accepted
        /// The answer, or the reason why there was none.
        case refused(String)
    }

    static let userAgent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36"

    /// - Parameter passTime: lets time pass at the relying party; nil where the run cannot.
    /// - Throws: ``PartyError`` when it does not answer, or not as its description says.
    package static func open(
        _ party: ForeignParty, told: ToldFacts = ToldFacts(), random: any RandomSource = SystemRandomSource(),
        passTime: (@Sendable (Duration) async throws -> Void)? = nil
    ) async throws -> RelyingPartyBench {
        var told = told
        told.movesTime = passTime != nil
        let pool = PartyAccounts(party, tag: PartySession.newTag(random))
        let scout = try RelyingPartyBench(
            party, PartyDeclarations(told, party), random: random, pool: pool, passTime: passTime)
        let bench = try RelyingPartyBench(
            party, try await scout.scouted(), random: random, pool: pool, passTime: passTime)
        await bench.take(await scout.registrant, await scout.accounts)
        return bench
    }

    /// Goes on with the account of the scout.
    private func take(_ registrant: Registrant?, _ accounts: Int) {
        (self.registrant, self.accounts) = (registrant, accounts)
    }

    private init(
        _ party: ForeignParty, _ declarations: PartyDeclarations, random: any RandomSource, pool: PartyAccounts,
        passTime: (@Sendable (Duration) async throws -> Void)?
    ) throws {
        (self.party, self.declarations, self.random, self.pool) = (party, declarations, random, pool)
        self.passTime = passTime
        keys = ForgedKeys(random)
        vendor = ForgedRegistration.Vendor(
            authority: try AttestationAuthority(), key: try keys.key(.es256), model: SuiteModel.usual.aaguid)
    }

    package nonisolated func obstacle(to need: RelyingPartyNeed) -> CaseStop? { declarations.obstacle(to: need) }

    package func begin(_ case: CaseDescription, _ recorder: CaseRecorder) { self.recorder = recorder }

    package func end(_ case: CaseDescription) { recorder = nil }

    /// How long a relying party may take to start anew, and how often the bench looks.
    private static let (startTime, startPause) = (Duration.seconds(10), Duration.milliseconds(500))

    /// Waits for a relying party that could not be reached.
    ///
    /// One that has started anew may know none of the accounts of the run, so the bench begins with another.
    package func restored() async -> SubjectState {
        guard var loss else { return .sound }
        (registrant, controls, signInControls, passkeys) = (nil, [:], [:], [:])
        let end = ContinuousClock.now + Self.startTime
        while ContinuousClock.now < end, !Task.isCancelled {
            self.loss = nil
            if (try? await beginRegistration(PartyRequirements())) != nil { return .restored(by: "a new account") }
            // A relying party that answers, and refuses the new account, can be reached.
            guard let next = self.loss else { return .restored(by: "another request") }
            loss = next
            try? await Task.sleep(for: Self.startPause)
        }
        return .silent("\(loss)")
    }

    /// Performs a request, and notes that a relying party did not answer.
    func reaching<Result>(_ work: () async throws -> Result) async throws -> Result {
        do {
            let result = try await work()
            loss = nil
            return result
        } catch let error as PartyError {
            if case .unreachable = error { loss = error }
            throw error
        }
    }

    /// Takes a session's exchanges into the evidence, and returns the last one.
    @discardableResult
    func note(_ session: PartySession, response: JSONValue? = nil) -> RelyingPartyExchange? {
        let exchanges = session.takeExchanges()
        for (index, exchange) in exchanges.enumerated() {
            let isLast = index == exchanges.count - 1
            recorder?.record(TrafficWords.exchange(exchange, response: isLast ? response : nil))
            if let answer = try? JSONValue(parsing: exchange.body) { mask(momentsOf: answer) }
        }
        return exchanges.last
    }
}
