import ArgumentParser
import CTAP
import DeviceProfiles
import Faults

/// `touchstone faults`: what can be made to go wrong.
struct FaultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faults",
        abstract: "List what can be made to go wrong, and who should notice.",
        subcommands: [List.self, Quirks.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the faults, layer by layer.",
            discussion: """
                A fault is put into a profile (faults:), a scenario (- fault: NAME) or a running device \
                (touchstone device fault NAME). Steps such as r9 and a10 are those of the relying party's ledger.
                """)

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            if json {
                try Terminal.writeJSON(Fault.catalogue.map(FaultEntry.init))
                return
            }
            var table = TextTable("FAULT", "LAYER", "NOTICED BY", "WHAT GOES WRONG")
            for fault in Fault.catalogue {
                table.add(fault.name, fault.seam.rawValue, fault.noticedBy.joined(separator: " "), fault.meaning)
            }
            table.lines.forEach { Terminal.write($0) }
        }
    }

    struct Quirks: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List what known keys get wrong, and where it was reported.",
            discussion: """
                Each is a profile that has faults from the start: touchstone device start PROFILE serves one, and \
                touchstone device fault none makes it right.
                """)

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            let quirky = try ProfileLibrary.standard().files().map(ProfileLibrary.read).filter { !$0.faults.isEmpty }
            if json {
                try Terminal.writeJSON(quirky.map(Entry.init))
                return
            }
            for profile in quirky {
                Terminal.write(Terminal.styled("\(profile.name): \(profile.title)", .bold))
                Terminal.write("  \(profile.summary)")
                for text in profile.faultTexts { Terminal.write("  fault   \(text)") }
                for source in profile.sources { Terminal.write("  source  \(source)") }
            }
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
                faults = profile.faultTexts
                sources = profile.sources
            }
        }
    }
}
