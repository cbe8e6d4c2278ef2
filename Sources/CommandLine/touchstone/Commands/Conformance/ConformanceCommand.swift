import ArgumentParser
import Conformance
import Tables
import Wording

/// `touchstone conformance`.
struct ConformanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance",
        abstract: "Check whether an authenticator or a relying party follows the specifications.",
        discussion: """
            Each case looks at one demand of CTAP or WebAuthn and gets a verdict: passed, failed, warning (a recommendation \
            is not followed), not applicable (by the subject's declarations) or not run (with the reason).
            """,
        subcommands: [
            ConformanceListCommand.self, ConformanceAuthenticatorCommand.self, ConformanceRelyingPartyCommand.self,
            ConformanceReportCommand.self, ConformanceCompareCommand.self, ConformanceAnswersCommand.self,
        ])
}

/// `touchstone conformance list`.
struct ConformanceListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the cases, by any part of their description.")

    @Argument(help: "The suites; default: all.")
    var suites: [SuiteName] = []

    @OptionGroup var selection: CaseSelectionOptions

    @Flag(help: "Only cases that need --destructive.")
    var destructive = false

    @Flag(help: "Only cases without --destructive.")
    var safe = false

    @Flag(help: "Print a page of the documentation in Markdown.")
    var markdown = false

    @Flag(help: "List the scripts of the FIDO conformance tool instead, with the cases that test the same behaviour.")
    var official = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        try OptionRule.exclude("--destructive", destructive, from: ["--safe": safe])
        guard !official && !markdown || selection.selection == CaseSelection() && !destructive && !safe else {
            throw ValidationError("--official and --markdown show whole suites; remove the selection of cases.")
        }
        try OptionRule.exclude("--markdown", markdown, from: ["--json": output.json])
        guard !markdown || official || suites.count == 1 else {
            throw ValidationError("--markdown needs the name of one suite.")
        }
    }

    func run() async throws {
        let chosen = suites.isEmpty ? SuiteName.allCases : suites
        if official { return try listOfficial(chosen) }
        if markdown, let suite = chosen.first {
            return Terminal.write(String(CatalogueMarkdown.page(title: suite.title, suite.catalogue).dropLast()))
        }
        let selection = selection.selection
        let cases = chosen.flatMap(\.catalogue).flatMap(\.cases).filter { single in
            selection.contains(single) && (!destructive || single.isDestructive) && (!safe || !single.isDestructive)
        }
        try output.write(cases, "CASE", "CLAUSE", "LEVEL", "DEMAND") {
            [$0.id, $0.clause.description, $0.level.rawValue, $0.title]
        }
        if !output.json { Terminal.writeError(Wording.counted(cases.count, "case")) }
    }

    private func listOfficial(_ suites: [SuiteName]) throws {
        let modules = suites.map { suite in
            (suite.official.module, suite.official.coverage(by: suite.catalogue.flatMap(\.cases)))
        }
        if markdown { return Terminal.write(String(OfficialMarkdown.page(modules).dropLast())) }
        try output.write(modules.flatMap(\.1), "SCRIPT", "ITS CASES", "KNOWN", "CASES HERE", "COVERAGE") { script in
            [
                script.script, "\(script.markers)", "\(script.known.count)", "\(script.cases)",
                ([script.state.rawValue] + Set(script.gaps.values).sorted()).joined(separator: "; "),
            ]
        }
    }
}

/// `touchstone conformance report`.
struct ConformanceReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Show reports of runs again, or write them in another form.",
        discussion: "Several reports become columns of one HTML page, such as those of a key and of its virtual twin.")

    @Argument(help: "Files with reports, as --report writes them.")
    var files: [String]

    @Option(help: "Write a page for the browser to this file: clauses by subject, with the exchanges of each case.")
    var html: String?

    @Option(help: "Write a JUnit XML report to this file.")
    var junit: String?

    @Flag(name: .shortAndLong, help: "Show every case, and the exchanges of those that fail or warn.")
    var verbose = false

    func run() async throws {
        let reports = try files.map { try ConformanceReport(file: $0) }
        let narrator = ConformanceNarrator(verbose: verbose, isQuiet: false, expected: nil)
        for report in reports {
            narrator.begin(report.subject)
            for (result, description) in report.entries { narrator.show(result, description, of: report.subject) }
            narrator.end(report)
        }
        try ConformanceOutputOptions.write(reports, html: html, junit: junit)
    }
}
