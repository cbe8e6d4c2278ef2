import ArgumentParser
import Conformance
import ForeignParties
import RelyingPartySuite

/// `touchstone conformance relying-party`.
struct ConformanceRelyingPartyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relying-party", abstract: "Check a relying party against WebAuthn, case by case.",
        discussion: """
            The relying party gets valid registrations and assertions of every format and algorithm that its options \
            allow, and the same with one thing changed. It needs the server interface of the FIDO conformance tests, or \
            a description: --relying-party with a name of `touchstone relying-party list` or a YAML file.

            Exit status 1 if a case fails, 2 for wrong options, 3 if the relying party does not answer.
            """)

    @Argument(help: "The address of the relying party; default: that of its description.")
    var address: String?

    @Option(help: "The address, as for the other commands with a relying party.")
    var url: String?

    @Option(
        name: .customLong("relying-party"),
        help: ArgumentHelp(
            "The description: a name of `touchstone relying-party list`, or the path of a YAML file.",
            valueName: "name"))
    var name = "fido-conformance"

    @Flag(
        name: .customLong("trusts-root"),
        help: "The relying party trusts only the root of `touchstone attestation root` for models without metadata.")
    var trustsRoot = false

    @Flag(
        name: .customLong("knows-models"),
        help: "The relying party has the metadata of `touchstone attestation models`.")
    var knowsModels = false

    @Option(
        help: ArgumentHelp(
            """
            A command that lets time pass at the relying party, for the cases about expired challenges; it gets the \
            number of seconds.
            """, valueName: "command"))
    var passTime: String?

    @OptionGroup var waiting: PartyWaitOptions

    @OptionGroup var options: ConformanceRunOptions

    func validate() throws {
        guard address == nil || url == nil else {
            throw ValidationError("Give the address once, with or without --url.")
        }
    }

    func run() async throws {
        let suite = RelyingPartySuite.all
        try options.check(suite)
        let party = try ForeignPartyOptions.party(name, at: address ?? url)
        try await Interruption.cancelling {
            var told = ToldFacts()
            told.trustsTestRoot = trustsRoot
            told.hasMetadata = knowsModels
            try await waiting.wait(for: party)
            let subject = ConformanceSubject(
                title: party.title, facts: ["address": party.address.description],
                command: "touchstone conformance relying-party \(party.address) --relying-party '\(name)'"
                    + (trustsRoot ? " --trusts-root" : "") + (knowsModels ? " --knows-models" : "")
                    + (passTime.map { " --pass-time '\($0)'" } ?? ""))
            let bench: RelyingPartyBench
            do {
                bench = try await open(party, told)
            } catch let error as PartyError {
                try options.writeUnreached(suite, subject, because: error)
                throw error
            }
            try await options.run(suite, on: bench, subject, RunPermission())
        }
    }

    /// - Throws: `CommandError` when the relying party answers, but not as its description says.
    private func open(_ party: ForeignParty, _ told: ToldFacts) async throws -> RelyingPartyBench {
        do {
            guard let passTime else { return try await RelyingPartyBench.open(party, told: told) }
            let command = ShellCommand(option: "--pass-time", text: passTime)
            return try await RelyingPartyBench.open(party, told: told) { span in
                try await command.perform("\(Int((span / .seconds(1)).rounded(.up)))")
            }
        } catch PartyError.unexpected(let detail) {
            throw CommandError(
                "the relying party does not fit the description \(party.title): \(detail); name its own description with --relying-party",
                .badInput)
        }
    }
}
