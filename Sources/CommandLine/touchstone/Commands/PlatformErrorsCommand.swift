internal import ArgumentParser
internal import Causes
internal import DeviceProfiles
internal import ErrorSearch
package import PlatformErrors
internal import ProfileFiles
import Tables
import Wording

/// `touchstone errors`, also `touchstone faces`.
struct PlatformErrorsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "errors",
        abstract: "Show the errors that a page, an app, CTAP and SDKs get for a cause.",
        discussion: """
            Without a cause, lists all causes: FROM is the part of the system where the cause arises. --code finds the \
            causes behind a code, a sentence, a line of a log or a whole stack trace, the most certain first: --code \
            "LAError -8", --code "status = -25300", --code UV_BLOCKED. --lines does so for each line of a file, or of \
            standard input with --lines -. Errors that no public source confirms are marked. `touchstone faces` is the \
            same command.
            """, aliases: ["faces"])

    @Argument(help: "A cause or a hint, such as lockedOut.permanent.", completion: .causes)
    var cause: String?

    @Option(help: "Show the errors on one platform.")
    var platform: Platform?

    @Option(help: "Show the errors on a device of this profile.", completion: .profiles)
    var profile: String?

    @Option(parsing: .unconditional, help: "Find the causes behind a code, or behind a text of a log or a page.")
    var code: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Find the cause behind each line of a file; - is standard input.", valueName: "file"))
    var lines: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard [cause, code, lines].count(where: { $0 != nil }) <= 1 else {
            throw ValidationError("Give a cause, --code or --lines, and only one of them.")
        }
        guard code.map({ $0.contains { !$0.isWhitespace } }) != false else {
            throw ValidationError(
                "--code is empty; give the code, the name or the sentence of an error, such as --code \"LAError -8\".")
        }
        guard lines?.isEmpty != true else {
            throw ValidationError("--lines is empty; give the path of a file, or - for standard input.")
        }
        try OptionRule.exclude(
            "--profile, which has its platform", profile != nil, from: ["--platform": platform != nil])
    }

    func run() async throws {
        let filter = try PlatformErrorFilter(
            platform: platform, vocabulary: profile.map { try ProfileLibrary.standard().profile($0).platformErrors })
        if let code {
            try show(PlatformErrorSearch.shared.find(code, where: filter.includes), filter)
        } else if let lines {
            let lines = try PastedLineDescription.read(lines, filter)
            try output.write(lines) { PastedLineDescription.lines(lines) }
        } else if let cause {
            let description = PlatformErrorDescription(try row(cause), filter)
            try output.write(description) { description.lines }
        } else {
            try list(filter)
        }
    }

    private func row(_ name: String) throws -> PlatformErrorRow {
        let table = PlatformErrorTable.lookup
        if let row = table.outcome(Cause(name)) ?? table.hint(name) { return row }
        let names = (table.outcomes + table.hints).flatMap { [$0.cause] + $0.aliases }.map(\.rawValue)
        let isText = !PlatformErrorSearch.shared.find(name).findings.isEmpty
        let lookup = "look up the text of an error with `touchstone errors --code \"\(name)\"`"
        if !isText, let command = LookupAdvice.decode(name) {
            throw CommandError("there is no cause \"\(name)\"; show bytes with \(command)", .badInput)
        }
        // A cause is one word, so that a text of several is that of an error.
        let question =
            isText && name.contains(" ")
            ? "; \(lookup)"
            : NearestNames.question(
                name, among: names, orElse: isText ? lookup : "list the causes with `touchstone errors`")
        throw CommandError("there is no cause \"\(name)\"" + question, .badInput)
    }

    private func list(_ filter: PlatformErrorFilter) throws {
        let table = PlatformErrorTable.lookup
        let rows = (table.outcomes + table.hints).filter(filter.includes).map(PlatformErrorDescription.Summary.init)
        try output.write(rows, "CAUSE", "FROM", "MEANING") { [$0.outcome, $0.from, $0.meaning] }
    }

    private func show(_ answer: PlatformErrorSearch.Answer, _ filter: PlatformErrorFilter) throws {
        let descriptions = answer.findings.map { PlatformErrorDescription($0.outcome, filter, cells: $0.cells) }
        guard !descriptions.isEmpty else {
            let advice =
                if let command = LookupAdvice.decode(code ?? "") {
                    "show bytes with \(command)"
                } else if answer.near.isEmpty {
                    "give the code, the name or the whole sentence of an error, or list the causes with `touchstone errors`"
                } else {
                    "did you mean \(answer.near.joined(separator: ", "))?"
                }
            throw CommandError("\"\(code ?? "")\" names no error that is known\(filter.words); \(advice)", .badInput)
        }
        try output.write(descriptions) {
            answer.isNumberAlone ? linesByInterface(descriptions) : lines(descriptions)
        }
    }

    /// The causes of a number that several interfaces have, with the way to name one of them.
    private func linesByInterface(_ descriptions: [PlatformErrorDescription]) -> [String] {
        let errors = descriptions.flatMap(\.errors)
        var interfaces: [String] = []
        for error in errors where !interfaces.contains(error.interface) { interfaces.append(error.interface) }
        guard interfaces.count > 1, let first = errors.first else { return lines(descriptions) }
        let rows = interfaces.flatMap { interface in
            descriptions.filter { $0.errors.contains { $0.interface == interface } }.map { $0.only(interface) }
        }
        let advice = """
            \(Wording.counted(interfaces.count, "interface")) have this number. To see the causes of one, name it: \
            `touchstone errors --code "\(first.interface) \(first.written ?? first.name)"`.
            """
        return lines(rows) + [""] + Paragraph.lines(advice, width: Terminal.width)
    }

    private func lines(_ descriptions: [PlatformErrorDescription]) -> [String] {
        var table = TextTable("CAUSE", "INTERFACE", "CODE", "NAME", "WHERE", "WHAT HAPPENED")
        for description in descriptions {
            for error in description.errors {
                table.add(
                    description.outcome, error.interface, error.written ?? "", error.markedName, error.place,
                    description.meaning)
            }
            if description.errors.isEmpty { table.add(description.outcome, "", "", "", "", description.meaning) }
        }
        let hasUnverified = descriptions.contains { $0.errors.contains(where: \.unverified) }
        return table.lines + (hasUnverified ? ["", PlatformErrorDescription.remark] : []) + advice(descriptions)
    }

    /// The next step for each code that has one.
    private func advice(_ descriptions: [PlatformErrorDescription]) -> [String] {
        var told: Set<String> = []
        return descriptions.flatMap(\.errors).flatMap { error -> [String] in
            guard let advice = error.advice, told.insert(advice).inserted else { return [] }
            let title = [error.interface, error.written, error.name].compactMap(\.self).joined(separator: " ")
            return [""] + Paragraph.lines("\(title): \(advice)", width: Terminal.width)
        }
    }
}

extension Platform: ExpressibleByArgument {}
