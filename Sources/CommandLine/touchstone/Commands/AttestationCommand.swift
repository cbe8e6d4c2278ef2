import ArgumentParser
import Attestation
import DeviceProfiles
internal import SimulatedDevice

/// `touchstone attestation`: how simulated devices attest, and whom to trust for it.
struct AttestationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attestation",
        abstract: "Show how devices attest to their credentials, and the root to trust for it.",
        subcommands: [List.self, Root.self, Metadata.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the kinds of attestation a profile can ask for.",
            discussion: """
                A profile names them under attestation:, most wanted first. What can be wrong with one on purpose is \
                in touchstone faults list, by the names that begin with attestation-.
                """)

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            if json {
                try Terminal.writeJSON(AttestationKind.allCases.map(Entry.init))
                return
            }
            var table = TextTable("KIND", "FORMAT", "WHAT IT IS")
            for kind in AttestationKind.allCases { table.add(kind.rawValue, kind.format, kind.summary) }
            table.lines.forEach { Terminal.write($0) }
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

    struct Root: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the root certificate of the simulated devices, in PEM.",
            discussion: """
                It is the same on every machine, and its key is as public as this program: trust it in a relying \
                party under test, and nowhere else.
                """)

        func run() async throws {
            Terminal.write(try AttestationAuthority().rootPEM)
        }
    }
    struct Metadata: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a profile's metadata statement, as the FIDO Metadata Service would list it.",
            discussion: "For relying parties that look models up: it names the test root as the model's.")

        @Argument(help: "A profile's name, or the path of a profile file.")
        var profile: String

        func run() async throws {
            Terminal.write(try await ProfileLibrary.standard().profile(profile).metadataStatement().json)
        }
    }
}
