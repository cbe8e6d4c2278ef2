import Attestation
import COSE
import Conformance
import Documents
import ForeignParties
import Foundation
import Machine
import RelyingParty
import RelyingPartyServer
import RelyingPartySuite
import Synchronization
import WebAuthn

/// Touchstone's own relying party as a subject of the suite.
enum OwnParty {
    /// The shipped description, at a port of this computer.
    static func description(port: Int) throws -> ForeignParty {
        try PartyLibrary.party("touchstone").at(PartyAddress("http://localhost:\(port)"))
    }

    /// The settings of a relying party with the test root.
    static var told: ToldFacts {
        var told = ToldFacts()
        told.trustsTestRoot = true
        return told
    }

    /// The metadata of the suite's models.
    private static func metadata() throws -> MetadataPolicy {
        let entries = try JSONDecoder().decode([MetadataEntry].self, from: Data(SuiteModel.metadataEntries().bytes()))
        let nextUpdate = RelyingPartyConfiguration.systemClock() + .seconds(365 * 86_400)
        return MetadataPolicy(blob: MetadataBLOB(number: 1, nextUpdate: nextUpdate, entries: entries))
    }

    /// Runs the suite's bench on a relying party in this process, and stops it afterwards.
    ///
    /// - Parameter edit: changes the configuration before the start.
    static func with<Result>(
        _ edit: (inout RelyingPartyConfiguration) -> Void = { _ in }, _ use: (RelyingPartyBench) async throws -> Result
    ) async throws -> Result {
        let passed = PassedTime()
        var told = told
        told.hasMetadata = true
        var configuration = RelyingPartyConfiguration()
        configuration.port = 0
        configuration.passwordCost = .ofMadeUpAccounts
        configuration.attestation = .none
        configuration.attestationPolicy.trustAnchors = TrustAnchors(
            forAllModels: [try AttestationAuthority().rootCertificate])
        configuration.attestationPolicy.metadata = try metadata()
        configuration.userVerification = UserVerificationRequirements(
            registration: .preferred, signIn: .preferred, reauthentication: .preferred)
        // Two algorithms are left out, so that a key that was not offered exists.
        configuration.algorithms = COSE.Algorithm.supported.filter { ![.ed448, .ps256].contains($0) }
        configuration.appID = "https://localhost/app-id.json"
        configuration.clock = { RelyingPartyConfiguration.systemClock() + passed.span }
        edit(&configuration)
        let server = try await RelyingPartyServer.start(configuration)
        do {
            let bench = try await RelyingPartyBench.open(
                try description(port: server.port), told: told, passTime: { passed.add($0) })
            let result = try await use(bench)
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }

    /// Runs cases.
    ///
    /// - Parameter identifiers: identifiers or beginnings of them; empty for all.
    static func run(_ bench: RelyingPartyBench, _ identifiers: [String] = []) async throws -> [CaseResult] {
        var selection = CaseSelection()
        selection.identifiers = identifiers
        let clock = ContinuousClock()
        let start = clock.now
        let run = ConformanceRun(RelyingPartySuite.all, on: bench, permission: RunPermission()) { clock.now - start }
        return try await run.results(of: selection).uninterrupted()
    }
}

/// The time that a test let pass.
final class PassedTime: Sendable {
    private let state = Mutex(Duration.zero)

    var span: Duration { state.withLock { $0 } }

    func add(_ span: Duration) { state.withLock { $0 += span } }
}

extension [CaseResult] {
    /// The identifiers with a verdict.
    func identifiers(_ verdict: Verdict) -> [String] { filter { $0.verdict == verdict }.map(\.id) }

    /// The failures with the expected and the observed behaviour.
    var failures: String {
        filter { $0.verdict == .failed }.map { result in
            "\(result.id): " + result.deviations.map { "\($0.expected); seen: \($0.seen)" }.joined(separator: " | ")
        }.joined(separator: "\n")
    }
}
