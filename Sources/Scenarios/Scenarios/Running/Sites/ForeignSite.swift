internal import AppHost
internal import DeviceProfiles
internal import ForeignParties
internal import Foundation
internal import RelyingPartyServer
internal import Synchronization
internal import WebAuthnClient

/// A relying party of another program, which a file describes, and the app's sessions with it.
final class ForeignSite: PageParty {
    let origin: Origin
    let memory = PageMemory()

    private let party: ForeignParty
    private let sessions: Mutex<NamedSessions<PartySession>>

    /// - Parameter tag: a short text that no other run has.
    init(_ party: ForeignParty, tag: String, onExchange: @escaping @Sendable (RelyingPartyExchange) -> Void) throws {
        self.party = party
        origin = try Origin(parsing: party.origin)
        let first = PartySession(party, accounts: PartyAccounts(party, tag: tag), onExchange: onExchange)
        sessions = Mutex(NamedSessions(first: first) { PartySession(beside: $0) })
    }

    /// The session of the current step; inside together, the other steps go on first.
    private func session() async -> PartySession {
        await Turns.lane?.pass()
        return sessions.withLock { $0.current() }
    }

    func createAccount(_ name: String, password: String?) async throws {
        _ = try await session().makeAccount(name, password: password, userAgent: DeviceProfile?.none.userAgent)
    }

    func signOut() async throws { try await session().signOut(userAgent: DeviceProfile?.none.userAgent) }

    func useSession(_ name: String) { sessions.withLock { $0.use(name) } }

    func passkeyIDs(isRecorded: Bool) async throws -> [String]? {
        guard let passkeys = party.passkeys else {
            throw PlaybackError("the description of the relying party has no passkeys")
        }
        return try await session().passkeys(passkeys, userAgent: DeviceProfile?.none.userAgent, isRecorded: isRecorded)
    }

    func deletePasskey(_ id: String) async throws {
        guard let request = party.passkeys?.delete else {
            throw PlaybackError("the description of the relying party has no delete under passkeys")
        }
        _ = try await session().deletePasskey(id, by: request, userAgent: DeviceProfile?.none.userAgent)
    }

    func begin<Options: Decodable>(
        _ kind: CeremonyStep.Kind, _ requirements: PartyRequirements, from profile: DeviceProfile?
    ) async throws -> Options? {
        let options = try await session().begin(
            try ceremony(kind), requirements: requirements, userAgent: profile.userAgent)
        return try options.map { try JSONDecoder().decode(Options.self, from: Data($0)) }
    }

    func complete(
        _ kind: CeremonyStep.Kind, _ response: some Encodable & Sendable, from profile: DeviceProfile?
    ) async throws -> Bool {
        try await session().complete(
            try ceremony(kind), response: Array(try JSONEncoder().encode(response)), userAgent: profile.userAgent)
    }

    /// The server is the user's own and goes on.
    func tearDown() async {}

    private func ceremony(_ kind: CeremonyStep.Kind) throws(PlaybackError) -> PartyCeremony {
        guard let ceremony = party.ceremony(kind) else {
            throw PlaybackError("the description of the relying party has no reauthentication")
        }
        return ceremony
    }
}

extension ForeignParty {
    func ceremony(_ kind: CeremonyStep.Kind) -> PartyCeremony? {
        switch kind {
        case .register: registration
        case .signIn: signIn
        case .reauthenticate: reauthentication
        }
    }
}
