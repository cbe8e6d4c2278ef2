internal import DeviceProfiles
internal import ForeignParties
internal import RelyingPartyServer
internal import WebAuthnClient

/// The relying party of pages and of the steps at them: Touchstone's own, a ``Site``, or a ``ForeignSite``.
protocol PageParty: Sendable {
    var origin: Origin { get }
    var memory: PageMemory { get }

    /// Creates an account and signs in to it.
    func createAccount(_ name: String, password: String?) async throws

    /// Ends the session, and forgets it.
    func signOut() async throws

    /// Changes to the session of this name, which begins without an account.
    func useSession(_ name: String)

    /// The IDs of the account's passkeys; nil when the relying party refuses.
    ///
    /// - Parameter isRecorded: whether the step shows the exchange.
    func passkeyIDs(isRecorded: Bool) async throws -> [String]?

    func deletePasskey(_ id: String) async throws

    /// - Parameter profile: the device that the page is on; nil for an unknown one.
    /// - Returns: the options; nil when the relying party refuses.
    func begin<Options: Decodable>(
        _ kind: CeremonyStep.Kind, _ requirements: PartyRequirements, from profile: DeviceProfile?
    ) async throws -> Options?

    /// Sends the response that completes a ceremony; returns whether the relying party accepts it.
    func complete(
        _ kind: CeremonyStep.Kind, _ response: some Encodable & Sendable, from profile: DeviceProfile?
    ) async throws -> Bool

    /// Ends the use of it.
    func tearDown() async
}
