internal import ArgumentParser
internal import DeviceProfiles
package import PlatformErrors
import Wording

/// `touchstone faces`: one cause, and what it looks like through every interface.
struct PlatformErrorsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faces",
        abstract: "Show what an outcome looks like to a page, an app, CTAP and the SDKs between them.",
        discussion: """
            Without an outcome, lists them all. --code goes the other way: from a code in a log to the causes that \
            show it, such as --code "LAError -8" or --code UV_BLOCKED. What no public source confirms is marked.
            """)

    @Argument(help: "An outcome or a hint, such as lockedOut.permanent.")
    var outcome: String?

    @Option(
        help: "Only what exists on a platform: \(Platform.allCases.map(\.rawValue).joined(separator: ", ")).")
    var platform: Platform?

    @Option(help: "Only what a device of this profile would tell, with what the profile chooses.")
    var profile: String?

    @Option(help: "A code as it stands in a log; shows which outcomes look like it.")
    var code: String?

    @Flag(help: "Print JSON.")
    var json = false

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
        if let row = table.outcome(name) ?? table.hint(name) { return row }
        let names = (table.outcomes + table.hints).flatMap { [$0.cause] + $0.aliases }
        let question = NearestNames.question(name, among: names)
        throw CommandError(
            "there is no outcome \"\(name)\"" + (question.isEmpty ? "; touchstone faces lists them" : question),
            .badInput)
    }

    private func list() throws {
        let table = PlatformErrorTable.shared
        if json {
            try Terminal.writeJSON((table.outcomes + table.hints).map { PlatformErrorDescription.Summary($0) })
            return
        }
        var lines = TextTable("OUTCOME", "FROM", "WHAT HAPPENED")
        for row in table.outcomes + table.hints { lines.add(row.cause, row.group, row.meaning) }
        lines.lines.forEach { Terminal.write($0) }
    }

    private func show(_ row: PlatformErrorRow, _ filter: PlatformErrorFilter) throws {
        let description = PlatformErrorDescription(row, filter)
        if json {
            try Terminal.writeJSON(description)
        } else {
            description.lines.forEach { Terminal.write($0) }
        }
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
        if json {
            try Terminal.writeJSON(descriptions)
            return
        }
        var lines = TextTable("OUTCOME", "INTERFACE", "CODE", "NAME", "WHERE", "WHAT HAPPENED")
        for description in descriptions {
            for error in description.errors {
                lines.add(
                    description.outcome, error.interface, error.written ?? "",
                    error.name + (error.unverified ? " (?)" : ""),
                    error.place, description.meaning)
            }
        }
        lines.lines.forEach { Terminal.write($0) }
        if descriptions.contains(where: { $0.errors.contains(where: \.unverified) }) {
            Terminal.write()
            Terminal.write("(?) no public source confirms it")
        }
    }
}

extension Platform: ExpressibleByArgument {}
