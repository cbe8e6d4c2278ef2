import ArgumentParser
import Scenarios
import Wording

/// `touchstone report`.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Work with the reports of scenarios.",
        subcommands: [Merge.self])

    struct Merge: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Join the reports of several machines.",
            discussion: """
                Reads the output of `touchstone scenario run --shard 2/5 --json` from each machine, and writes the reports \
                of the whole. Exit status 1 if an expectation was not met, 2 if a part is missing or belongs to another run.
                """)

        @Argument(help: "Files with reports as JSON.")
        var files: [String]

        @OptionGroup var output: ReportOptions

        func run() async throws {
            try output.check()
            let reports = try ReportFile.merge(try files.map { ($0, try ReportFile.read($0)) })
            if !output.json { Narrator.summarize(reports, pending: try output.pending(in: reports, areAll: false)) }
            try output.write(reports)
            try Narrator.requireSuccess(reports)
        }
    }
}
