import Biometrics
import Documents
import Foundation
import Harness
import Mutations
import Providers
import ReferenceApp
import RelyingParty
import SimulatedDevice
import TestSupport
import Testing
import WebAuthn
import WebAuthnClient

/// A behaviour that is switched off turns a scenario red.
@Suite("Mutations")
struct MutationTests {
    /// A mutation and the scenario that notices it, as `mutations.yaml` pairs them.
    struct Row: Sendable, CustomTestStringConvertible {
        let mutation: String
        let scenario: String

        var testDescription: String { "\(mutation): \(scenario)" }
    }

    static let declared: [String] =
        AppMutation.identifiers + ClientMutation.identifiers + DeviceMutation.identifiers + GateMutation.identifiers
        + RelyingPartyMutation.identifiers + ServiceMutation.identifiers + VerificationStep.identifiers

    /// Steps that no scenario can make fail; the verifier's own tests do.
    ///
    /// The relying party of the scenarios has no policy for them, or no response fails them alone.
    static let beyondScenarios: Set<String> = Set(
        ([
            .topOrigin, .backupPolicy, .credentialRecord, .extensionOutputs, .account, .knownUser, .updatedState,
            .stateRelease,
        ]
            as [VerificationStep]).map(\.identifier))

    static let rows: [Row] = (try? readRows()) ?? []

    private static func readRows() throws -> [Row] {
        let file = try #require(Bundle.module.url(forResource: "mutations", withExtension: "yaml"))
        let text = try String(contentsOf: file, encoding: .utf8)
        return try YAMLValue.parse(text, file: file.lastPathComponent).entries().map { key, value in
            Row(mutation: key, scenario: try value.string())
        }
    }

    @Test func everyMutationHasAScenario() {
        #expect(Self.rows.count >= 60)
        let missing = Set(Self.declared).subtracting(Self.beyondScenarios).subtracting(Self.rows.map(\.mutation))
        #expect(missing.isEmpty)
        #expect(Set(Self.rows.map(\.mutation)).isSubset(of: Self.declared))
    }

    @Test("A scenario turns red", arguments: rows)
    func scenarioTurnsRed(row: Row) async throws {
        let folder = FileManager.default.temporaryDirectory
        let file = PackageRoot.url.appending(path: "scenarios/\(row.scenario).yaml").path
        let touchstone = Touchstone(beside: .module, runtimeDirectory: folder)
        let output = try await touchstone.run(
            "scenario", "run", file, "--jobs", "1", environment: [ActiveMutation.variable: row.mutation])
        #expect(output.status == 1, "\(output.standardOutput)\n\(output.standardError)")
    }
}
