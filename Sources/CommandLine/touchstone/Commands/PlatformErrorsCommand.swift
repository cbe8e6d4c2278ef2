internal import ArgumentParser
internal import Causes
internal import DeviceProfiles
package import PlatformErrors
import Tables
import Wording

/// `touchstone faces`, also `touchstone errors`.
struct PlatformErrorsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faces",
        abstract: "Show the errors of an outcome to a page, an app, CTAP and SDKs.",
        discussion: """
            `touchstone errors` is the same command. Without an outcome, it lists all outcomes. --code finds the \
            outcomes behind a code from a log, such as --code "LAError -8" or --code UV_BLOCKED. Errors that no \
            public source confirms are marked.
            """, aliases: ["errors"])

    @Argument(help: "An outcome or a hint, such as lockedOut.permanent.")
    var outcome: String?

    @Option(
        help: "Show the errors of one platform.")
    var platform: Platform?

    @Option(help: "Show the errors on a device of this profile.")
    var profile: String?

    @Option(help: "Find the outcomes behind a code from a log.")
    var code: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard outcome == nil || code == nil else {
            throw ValidationError("Give an outcome or --code, not both.")
        }
        guard platform == nil || profile == nil else {
            throw ValidationError("Give --platform or --profile, not both: a profile has its platform.")
        }
    }

    func run() async throws {
        let filter = try PlatformErrorFilter(
            platform: platform, vocabulary: profile.map { try ProfileLibrary.standard().profile($0).platformErrors })
        if let code {
            try show(matches: PlatformErrorTable.shared.search(code).filter { filter.includes($0.cell) }, filter)
        } else if let outcome {
            try show(row(outcome), filter)
        } else {
            try list()
        }
    }

    private func row(_ name: String) throws -> PlatformErrorRow {
        let table = PlatformErrorTable.shared
        if let row = table.outcome(Cause(name)) ?? table.hint(name) { return row }
        let names = (table.outcomes + table.hints).flatMap { [$0.cause] + $0.aliases }.map(\.rawValue)
        let question = NearestNames.question(name, among: names)
        throw CommandError(
            "there is no outcome \"\(name)\""
                + (question.isEmpty ? "; list the outcomes with touchstone faces" : question),
            .badInput)
    }

    private func list() throws {
        let table = PlatformErrorTable.shared
        let rows = (table.outcomes + table.hints).map(PlatformErrorDescription.Summary.init)
        try output.write(rows, "OUTCOME", "FROM", "WHAT HAPPENED") { [$0.outcome, $0.from, $0.meaning] }
    }

    private func show(_ row: PlatformErrorRow, _ filter: PlatformErrorFilter) throws {
        let description = PlatformErrorDescription(row, filter)
        try output.write(description) { description.lines }
    }

    private func show(matches: [PlatformErrorTable.Match], _ filter: PlatformErrorFilter) throws {
        var causes: [PlatformErrorRow] = []
        for match in matches where !causes.contains(match.outcome) { causes.append(match.outcome) }
        let descriptions = causes.map { cause in
            PlatformErrorDescription(cause, matches.filter { $0.outcome == cause }.map(\.cell), filter)
        }
        guard !descriptions.isEmpty else {
            throw CommandError("no outcome looks like \"\(code ?? "")\"\(filter.words)", .badInput)
        }
        try output.write(descriptions) { lines(descriptions) }
    }

    private func lines(_ descriptions: [PlatformErrorDescription]) -> [String] {
        var table = TextTable("OUTCOME", "INTERFACE", "CODE", "NAME", "WHERE", "WHAT HAPPENED")
        for description in descriptions {
            for error in description.errors {
                table.add(
                    description.outcome, error.interface, error.written ?? "",
                    error.name + (error.unverified ? " (?)" : ""),
                    error.place, description.meaning)
            }
        }
        let hasUnverified = descriptions.contains { $0.errors.contains(where: \.unverified) }
        return table.lines + (hasUnverified ? ["", "(?) not confirmed by a public source"] : [])
    }
}

extension Platform: ExpressibleByArgument {}
