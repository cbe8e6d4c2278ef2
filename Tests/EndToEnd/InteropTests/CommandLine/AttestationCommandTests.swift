import Attestation
import Foundation
import TestSupport
import Testing
import WebAuthn

extension Interop {
    /// `touchstone attestation` in a separate process.
    @Suite struct AttestationCommandTests {
        private struct Flaw: Decodable, Equatable {
            let flaw: String
            let meaning: String
            let kinds: [String]
            let step: String
            let reason: String
        }

        private func list(_ command: String) async throws -> Data {
            let output = try await Touchstone(runtimeDirectory: FileManager.default.temporaryDirectory).run(
                ["attestation", command, "--json"])
            #expect(output.status == 0, "\(output.standardError)")
            return Data(output.standardOutput.utf8)
        }

        @Test func everyFlawIsListedWithItsKindsItsStepAndItsReason() async throws {
            let flaws = try JSONDecoder().decode([Flaw].self, from: try await list("flaws"))
            #expect(flaws.map(\.flaw) == AttestationFlaw.allCases.map(\.rawValue))
            for (listed, flaw) in zip(flaws, AttestationFlaw.allCases) {
                let description = flaw.description
                #expect(listed.meaning == description.meaning && !listed.meaning.isEmpty)
                #expect(listed.kinds == description.kinds.map(\.rawValue) && !listed.kinds.isEmpty)
                #expect(listed.step == description.step.rawValue)
                #expect(listed.reason == description.reason && listed.reason.hasPrefix("attestation."))
            }
        }

        @Test func everyKindIsListedWithItsFormat() async throws {
            struct Kind: Decodable {
                let kind: String
                let format: String
            }
            let kinds = try JSONDecoder().decode([Kind].self, from: try await list("list"))
            #expect(kinds.map(\.kind) == AttestationKind.allCases.map(\.rawValue))
            #expect(kinds.map(\.format) == AttestationKind.allCases.map(\.format))
        }
    }
}
