import ArgumentParser
import Attestation
import DeviceProfiles
import RelyingPartySuite
internal import SimulatedDevice
internal import WebAuthn

/// `touchstone attestation`.
struct AttestationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attestation",
        abstract: "Show the attestation of simulated devices, and the root certificate to trust.",
        subcommands: [List.self, Flaws.self, Root.self, Metadata.self, Models.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the kinds of attestation a profile can name.",
            discussion: """
                A profile names them under attestation:, the preferred one first. touchstone attestation flaws lists \
                the ways to break a statement.
                """)

        @OptionGroup var output: OutputOptions

        func run() async throws {
            try output.write(AttestationKind.allCases.map(Entry.init), "KIND", "FORMAT", "DESCRIPTION") {
                [$0.kind, $0.format, $0.summary]
            }
        }

        private struct Entry: Encodable {
            let kind: String
            let format: String
            let summary: String

            init(_ kind: AttestationKind) {
                self.kind = kind.rawValue
                format = kind.format
                summary = kind.summary
            }
        }
    }

    struct Flaws: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "flaws", abstract: "List the flaws of statements and certificates.",
            discussion: """
                A flaw is a fault of a device, named attestation- and the flaw's name. The step and the reason are \
                those of the relying party's ledger.
                """)

        @OptionGroup var output: OutputOptions

        func run() async throws {
            try output.write(AttestationFlaw.allCases.map(Entry.init), "FLAW", "STEP", "REASON", "ERROR", "KINDS") {
                [$0.flaw, $0.step, $0.reason, $0.meaning, $0.kinds.joined(separator: ", ")]
            }
        }

        private struct Entry: Encodable {
            let flaw: String
            let meaning: String
            let kinds: [String]
            let step: String
            let reason: String

            init(_ flaw: AttestationFlaw) {
                let description = flaw.description
                self.flaw = flaw.rawValue
                meaning = description.meaning
                kinds = description.kinds.map(\.rawValue)
                step = description.step.rawValue
                reason = description.reason
            }
        }
    }

    struct Root: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "root", abstract: "Print the root certificate of the simulated devices, in PEM.",
            discussion: """
                The certificate is the same on every machine, and its private key is part of this program: trust it \
                only in a relying party under test.
                """)

        func run() async throws { Terminal.write(try AttestationAuthority().rootPEM) }
    }

    struct Metadata: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "metadata", abstract: "Print a profile's metadata statement, as in the FIDO Metadata Service.",
            discussion: "For relying parties that look models up. The statement names the test root as the model's.")

        @OptionGroup var profile: ProfileArgument

        func run() async throws { Terminal.write(try await profile.read().metadataStatement().json) }
    }

    struct Models: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "models",
            abstract: "Print the metadata of the models that the conformance suite plays, one of them revoked.",
            discussion: """
                The output is the array `entries` of a BLOB of the FIDO Metadata Service. Give it to the relying party \
                under test, and say so with `touchstone conformance relying-party --knows-models`.
                """)

        func run() async throws { try Terminal.writeJSON(SuiteModel.metadataEntries()) }
    }
}
