import Conformance
import Foundation
import Harness
import MutationTables
import Mutations
import RelyingParty
import TestSupport
import Testing
import WebAuthn

extension RelyingPartySuiteTests {
    /// Single changes inside the verifier and the relying party: the cases of the change's clause turn red, and no others.
    @Suite("Mutations of the relying party", .serialized)
    struct Changes {
        /// The others concern sessions and passwords, which scenarios look at.
        static let ofCeremonies: [RelyingPartyMutation] = [
            .singleUseChallenge, .challengeLifetime, .challengeSession, .excludeList, .decoys, .storedCounter,
        ]

        static let declared: [String] =
            VerificationStep.identifiers + IgnoredReason.identifiers + VerifierMutation.identifiers
            + UnverifiedAlgorithm.identifiers + AcceptedStatus.identifiers + OptionsMutation.identifiers
            + CeremonyMutation.identifiers + ofCeremonies.map(\.identifier)

        /// The variable that names a file for the table as it is observed.
        static let variable = "TOUCHSTONE_MUTATION_TABLE"

        private static func table() throws -> MutationTable {
            try MutationTable(#require(Bundle.module.url(forResource: "mutations", withExtension: "yaml")))
        }

        private static func page(_ table: MutationTable) -> String {
            table.page(
                title: "Mutations of the relying party", subject: "verifier and relying party",
                suite: "the suite for relying parties")
        }

        @Test func theTableHasEachChangeOnce() throws {
            let table = try Self.table()
            let named = Set(table.rows.map(\.mutation))
            #expect(Set(Self.declared).subtracting(named).isEmpty)
            #expect(named.subtracting(Self.declared).isEmpty)
            #expect(table.undecided == [])
        }

        @Test func everyLabelThatRefusesCanBeIgnored() throws {
            // These are deviations that a relying party accepts.
            let flags: Set = [
                "attestation.memberUnknown", "attestation.anchorInPath", "metadata.statusFlagged", "metadata.outdated",
            ]
            let folder = PackageRoot.url.appending(path: "Sources/RelyingParty/RelyingParty")
            let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
            var labels: Set<String> = []
            for case let file as URL in files where file.pathExtension == "swift" {
                let text = try String(contentsOf: file, encoding: .utf8)
                for match in text.matches(of: /: ReasonLabel = "([A-Za-z0-9.]+)"/) {
                    labels.insert(String(match.output.1))
                }
            }
            #expect(labels.count > 100)
            let ignored = IgnoredReason.allCases.map { String($0.name.dropFirst("ignores:".count)) }
            #expect(labels.subtracting(flags).subtracting(ignored).isEmpty)
            #expect(flags.isDisjoint(with: ignored))
        }

        @Test func theSuiteNoticesAlmostEveryChange() throws {
            let table = try Self.table()
            #expect(table.changes.count >= 100)
            #expect(table.score >= 0.95)
        }

        @Test func thePageShowsTheTable() throws {
            let file = PackageRoot.url.appending(path: "docs/conformance/relying-party-mutations.md")
            #expect(try String(contentsOf: file, encoding: .utf8) == Self.page(Self.table()))
        }

        @Test func theCasesOfTheClauseTurnRed() async throws {
            let observed = try await Self.observed(try Self.table())
            if let path = ProcessInfo.processInfo.environment[Self.variable] {
                try Data(observed.text.utf8).write(to: URL(filePath: path))
                try Data(Self.page(observed).utf8).write(to: URL(filePath: path + ".md"))
            }
            for (row, seen) in zip(try Self.table().rows, observed.rows) {
                #expect(row.red == seen.red, "\(row.mutation)")
            }
        }

        /// Cases that the unchanged relying party warns of: the registry of TPM manufacturers is none of WebAuthn's.
        private static let warnings = [
            "attestation.tpm.flaw.tpmManufacturer", "attestation.tpmRS1.flaw.tpmManufacturer",
        ]

        /// The table with the cases that turn red in this run.
        private static func observed(_ table: MutationTable) async throws -> MutationTable {
            try await OwnParty.with { bench in
                // The usual account and passkey are made before the first change.
                _ = try await OwnParty.run(bench, ["registration.response.valid", "assertion.response.valid"])
                var table = table
                for index in table.rows.indices {
                    let row = table.rows[index]
                    let results = try await ActiveMutation.during(row.mutation) {
                        try await OwnParty.run(bench, row.run)
                    }
                    let red = results.filter { [.failed, .warning].contains($0.verdict) && !warnings.contains($0.id) }
                        .map(\.id)
                    #expect(!results.isEmpty, "\(row.mutation)")
                    table.rows[index].red = MutationTable.shortened(red, in: RelyingPartySuiteTests.cases.map(\.id))
                }
                return table
            }
        }
    }
}
