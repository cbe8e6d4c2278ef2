internal import GRDB
internal import LoopbackHTTP
internal import RelyingParty
internal import WebAuthn

/// The relying party without HTTP: accounts, sessions, ceremonies and passkeys.
///
/// Each operation decides and writes in one transaction, so that concurrent requests are serialised; those of ceremonies
/// share transactions.
struct AuthService: Sendable {
    let configuration: RelyingPartyConfiguration
    let database: any DatabaseWriter
    /// The writes of ceremonies, many of which arrive together.
    let writes: SharedWrites
    let origins: AcceptedOrigins
    let decoys: Decoys
    let listeningPort = ListeningPort()
    /// Hashes passwords, each with 128 MiB of memory at the usual cost.
    let hashing = BoundedWork("touchstone.passwords", threads: 2, mostWaiting: 16)

    init(configuration: RelyingPartyConfiguration, database: any DatabaseWriter, origins: AcceptedOrigins) throws {
        self.configuration = configuration
        self.database = database
        writes = SharedWrites(database)
        self.origins = origins
        decoys = Decoys(secret: try RelyingPartyDatabase.secret("decoys", in: database, random: configuration.random))
    }

    var now: Timestamp { Timestamp(configuration.clock()) }

    func newToken() -> SessionToken { SessionToken(random: configuration.random) }

    func ceremony(_ claim: ClaimedChallenge, userVerification: UserVerificationRequirement) -> CeremonyExpectation {
        CeremonyExpectation(
            relyingPartyID: configuration.relyingPartyID,
            // Without a challenge, the session gets a random one that no response matches.
            challenge: claim.challenge?.challenge.bytes ?? configuration.random(32), challengeState: claim.state,
            origins: origins.all, allowsCrossOrigin: configuration.crossOriginAllowed,
            topOrigins: configuration.topOrigins, userVerification: userVerification, level: configuration.level)
    }

    /// The options' `timeout`, in milliseconds.
    var timeout: UInt32 { UInt32(clamping: Timestamp(configuration.challengeLifetime).rawValue) }

    func report(
        _ ceremony: RelyingPartyEvent.Ceremony, _ ledger: Ledger, error: APIError?, success: Int, username: String?,
        credentialID: [UInt8]?
    ) {
        configuration.onVerdict(
            RelyingPartyEvent(
                ceremony: ceremony, ledger: ledger, status: error?.status ?? success, errorCode: error?.code.rawValue,
                username: username, credentialID: credentialID))
    }
}

extension UserVerificationRequirement {
    /// The stricter of the relying party's requirement and the request's.
    func raised(to requested: UserVerificationRequirement?) -> UserVerificationRequirement {
        let byStrictness: [UserVerificationRequirement] = [.required, .preferred, .discouraged]
        return byStrictness.first { $0 == self || $0 == requested } ?? self
    }
}
