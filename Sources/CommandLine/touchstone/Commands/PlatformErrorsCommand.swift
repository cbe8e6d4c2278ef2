internal import ArgumentParser
internal import Causes
internal import DeviceProfiles
package import PlatformErrors
import Tables
import Wording

/// `touchstone errors`, also `touchstone faces`.
struct PlatformErrorsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "errors",
        abstract: "Show the errors that a page, an app, CTAP and SDKs get for a cause.",
        discussion: """
            Without a cause, lists all causes: FROM is the part of the system where the cause arises. --code finds the \
            causes behind a code or a whole line of a log, such as --code "LAError -8" or --code UV_BLOCKED. Errors \
            that no public source confirms are marked. `touchstone faces` is the same command.
            """, aliases: ["faces"])

    @Argument(help: "A cause or a hint, such as lockedOut.permanent.", completion: .causes)
    var cause: String?

    @Option(help: "Show the errors on one platform.")
    var platform: Platform?

    @Option(help: "Show the errors on a device of this profile.", completion: .profiles)
    var profile: String?

    @Option(parsing: .unconditional, help: "Find the causes behind a code, or behind a line of a log.")
    var code: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard cause == nil || code == nil else { throw ValidationError("Give a cause or --code, not both.") }
        guard platform == nil || profile == nil else {
            throw ValidationError("Give --platform or --profile, not both: a profile has its platform.")
        }
    }

    func run() async throws {
        let filter = try PlatformErrorFilter(
            platform: platform, vocabulary: profile.map { try ProfileLibrary.standard().profile($0).platformErrors })
        if let code {
            try show(matches: PlatformErrorTable.shared.search(code).filter { filter.includes($0.cell) }, filter)
        } else if let cause {
            let description = PlatformErrorDescription(try row(cause), filter)
            try output.write(description) { description.lines }
        } else {
            try list(filter)
        }
    }

    private func row(_ name: String) throws -> PlatformErrorRow {
        let table = PlatformErrorTable.shared
        if let row = table.outcome(Cause(name)) ?? table.hint(name) { return row }
        let names = (table.outcomes + table.hints).flatMap { [$0.cause] + $0.aliases }.map(\.rawValue)
        let question = NearestNames.question(name, among: names, orElse: "list the causes with `touchstone errors`")
        throw CommandError("there is no cause \"\(name)\"" + question, .badInput)
    }

    private func list(_ filter: PlatformErrorFilter) throws {
        let table = PlatformErrorTable.shared
        let rows = (table.outcomes + table.hints).filter(filter.includes).map(PlatformErrorDescription.Summary.init)
        try output.write(rows, "CAUSE", "FROM", "MEANING") { [$0.outcome, $0.from, $0.meaning] }
    }

    private func show(matches: [PlatformErrorTable.Match], _ filter: PlatformErrorFilter) throws {
        var rows: [PlatformErrorRow] = []
        for match in matches where !rows.contains(match.outcome) { rows.append(match.outcome) }
        let descriptions = rows.map { row in
            PlatformErrorDescription(row, filter, cells: matches.filter { $0.outcome == row }.map(\.cell))
        }
        guard !descriptions.isEmpty else {
            throw CommandError(
                "no cause matches \"\(code ?? "")\"\(filter.words); `touchstone errors` lists all causes", .badInput)
        }
        try output.write(descriptions) { lines(descriptions) }
    }

    private func lines(_ descriptions: [PlatformErrorDescription]) -> [String] {
        var table = TextTable("CAUSE", "INTERFACE", "CODE", "NAME", "WHERE", "WHAT HAPPENED")
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
