internal import ArgumentParser
import CTAP
import DeviceProfiles
package import Faults
internal import ProfileFiles
import Tables

/// `touchstone faults`.
struct FaultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faults",
        abstract: "List the faults a device can have, and the checks that notice them.",
        subcommands: [List.self, Quirks.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the faults, layer by layer.",
            discussion: """
                A fault is named in a profile (faults:), a scenario (- fault: NAME) or for a running device \
                (touchstone device fault NAME). Steps such as r9 and a10 are those of the relying party's ledger, its list of verification steps.
                """)

        @Option(help: "List the faults of one layer.")
        var layer: FaultDescription.Layer?

        @Option(help: "List the faults that this party notices: client, app, user, or a step of the ledger such as r9.")
        var noticedBy: FaultObserver?

        @OptionGroup var output: OutputOptions

        func run() async throws {
            let faults = Fault.catalogue.filter { fault in
                (layer.map { $0 == fault.layer } ?? true) && (noticedBy.map(fault.noticedBy.contains) ?? true)
            }
            try output.write(faults, "FAULT", "LAYER", "NOTICED BY", "EFFECT") { fault in
                [
                    fault.name, fault.layer.rawValue, fault.noticedBy.map(\.rawValue).joined(separator: " "),
                    fault.meaning,
                ]
            }
        }
    }

    struct Quirks: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "quirks", abstract: "List the known defects of real keys, and where they were reported.",
            discussion: """
                Each is a profile with faults: touchstone device start PROFILE serves it, and touchstone device \
                fault none clears its faults.
                """)

        @OptionGroup var output: OutputOptions

        func run() async throws {
            var check = FileCheck("profile")
            let quirky = check.read(try ProfileLibrary.standard().files(), as: ProfileLibrary.read)
                .filter { !$0.faults.isEmpty }
            try output.write(quirky.map(Entry.init)) {
                var table = TextTable()
                for profile in quirky {
                    table.add(heading: "\(profile.name): \(profile.title)")
                    table.add(note: "  \(profile.summary)")
                    for fault in profile.faults { table.add("  fault", fault.spelling) }
                    for source in profile.sources { table.add("  source", source) }
                }
                return table.lines
            }
            try check.end()
        }

        private struct Entry: Encodable {
            let profile: String
            let title: String
            let summary: String
            let faults: [String]
            let sources: [String]

            init(_ profile: DeviceProfile) {
                self.profile = profile.name
                title = profile.title
                summary = profile.summary
                faults = profile.faults.map(\.spelling)
                sources = profile.sources
            }
        }
    }
}

extension FaultDescription.Layer: ExpressibleByArgument {}

extension FaultObserver: ExpressibleByArgument {
    /// None: a list of every step would fill the help.
    package static var allValueStrings: [String] { [] }
}
