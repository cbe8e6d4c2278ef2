import ArgumentParser
import DeviceProfiles
import Documents
import ForeignParties
internal import ProfileFiles
import Tables
import Wording
internal import YAMLFiles

/// `touchstone relying-party`.
struct RelyingPartyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relying-party",
        abstract: "List, show and check descriptions of other relying parties.",
        discussion: "`touchstone scenario run FILE --relying-party NAME` plays a scenario with one.",
        subcommands: [List.self, Show.self, Check.self, Validate.self, Schema.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the descriptions.")

        @OptionGroup var output: OutputOptions

        func run() async throws {
            var check = FileCheck("relying party")
            let parties = check.read(try PartyLibrary.files(), as: PartyLibrary.read).map(Summary.init)
            try output.write(parties, "NAME", "ADDRESS", "RELYING PARTY") { [$0.name, $0.url, $0.title] }
            try check.end()
        }

        private struct Summary: Encodable {
            let name: String
            let url: String
            let title: String
            let about: String

            init(_ party: ForeignParty) {
                name = ResourceName.name(ofFile: party.file)
                url = party.address.description
                title = party.title
                about = party.about
            }
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Print a description as JSON.",
            discussion: """
                For programs that send its requests themselves. The keys are the file's; `url` and `origin` are the ones \
                in use.
                """)

        @Argument(
            help: "A name of `touchstone relying-party list`, or the path of a YAML file.", completion: .relyingParties)
        var name: String

        @Option(help: "The address of the relying party, in place of the file's.")
        var url: String?

        func run() throws { try Terminal.writeJSON(try ForeignPartyOptions.party(name, at: url).document) }
    }

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Register and sign in at a relying party, and list its capabilities.",
            discussion: """
                A simulated device registers a passkey for a new account, signs in, and sends responses that the \
                relying party has to refuse: one with a wrong signature, and used ones. `touchstone conformance \
                relying-party` looks at the rest of WebAuthn, such as origin, user verification and counter.

                Exit status 1 if a line fails, 2 for a wrong description, 3 if the relying party does not answer.
                """)

        @Argument(
            help: "A name of `touchstone relying-party list`, or the path of a YAML file.", completion: .relyingParties)
        var name: String

        @Option(help: "The address of the relying party, in place of the file's.")
        var url: String?

        @Option(help: "The profile of the device.", completion: .profiles)
        var device = "pixel-fingerprint"

        @OptionGroup var waiting: PartyWaitOptions

        @OptionGroup var output: OutputOptions

        func run() async throws {
            let party = try ForeignPartyOptions.party(name, at: url)
            let profile = try ProfileLibrary.standard().profile(device)
            try await waiting.wait(for: party)
            if !output.json { Terminal.write("\(party.title) at \(party.address)") }
            let findings = try await PartyCheck.run(party, profile: profile) { finding in
                if !output.json { Terminal.writeText(Self.line(finding), hanging: 36) }
            }
            if output.json {
                try Terminal.writeJSON(Report(name: party.title, url: "\(party.address)", checks: findings))
            }
            let failures = findings.count { $0.outcome == .fails }
            guard failures == 0 else {
                throw CommandError("\(Wording.counted(failures, "check")) failed", .checkFailed)
            }
        }

        private struct Report: Encodable {
            let name: String
            let url: String
            let checks: [PartyFinding]
        }

        private static func line(_ finding: PartyFinding) -> String {
            let outcome = finding.outcome.rawValue.padding(toLength: 8)
            let style: TerminalText.Style? = finding.outcome == .fails ? .red : nil
            return "  " + (style.map { Terminal.styled(outcome, $0) } ?? outcome)
                + finding.subject.rawValue.padding(toLength: 26) + finding.detail
        }
    }

    struct Validate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "validate", abstract: "Check description files without a relying party.",
            discussion: "Prints every mistake, with its place. Exit status 2 if there is one.")

        @Argument(
            help: "Files; default: all descriptions of this program.", completion: .file(extensions: ["yaml", "yml"]))
        var files: [String] = []

        func run() async throws {
            let paths = try files.isEmpty ? PartyLibrary.files() : files
            if files.isEmpty { FileCheck.announce(paths, "relying party", in: try PartyLibrary.directories()) }
            try FileCheck.run(paths, "relying party") {
                file throws(SourceError) in
                let party = try PartyLibrary.read(file)
                try party.checkAddress()
                return party.title
            }
        }
    }

    struct Schema: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "schema", abstract: "Print the JSON Schema of descriptions, for editors.")

        func run() throws { Terminal.write(String(PartySchema.json.dropLast())) }
    }
}

extension String {
    /// The text with spaces behind it, and at least one.
    fileprivate func padding(toLength length: Int) -> String {
        self + String(repeating: " ", count: max(1, length - count))
    }
}
