import ArgumentParser
import Conformance
import DeviceProfiles
import KeptAnswers
import KnownKeys
internal import MachineTime
internal import ProfileFiles
import SimulatedDevice
import Tables
import Wording

/// `touchstone conformance answers`.
struct ConformanceAnswersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "answers", abstract: "List the kept answers of known keys, or make them again.",
        discussion: """
            The program keeps the answers of each known key's virtual twin to the whole suite: a run on a real key is \
            compared with them. --check performs the suite on every twin and ends with exit status 1 if an answer differs; \
            --make prints the file Sources/Suites/KeptAnswers/authenticator.json anew.
            """)

    @Flag(help: "Perform the suite on every twin, and name the cases whose answers differ.")
    var check = false

    @Flag(help: "Perform the suite on every twin, and print the file of the answers.")
    var make = false

    @OptionGroup var output: OutputOptions

    private struct Row: Encodable {
        let key: String
        let verdicts: [String: Int]
    }

    func validate() throws {
        try OptionRule.exclude("--make", make, from: ["--check": check, "--json": output.json])
        try OptionRule.exclude("--check", check, from: ["--json": output.json])
    }

    func run() async throws {
        guard check || make else { return try list() }
        let made = KeptAnswers(try await Self.answers())
        if make { return Terminal.write(String(try made.text().dropLast())) }
        var table = TextTable(["KEY", "CASE"])
        var count = 0
        for key in Set(made.keys + KeptAnswers.shared.keys).sorted() {
            let (fresh, kept) = (made.answers(of: key) ?? [:], KeptAnswers.shared.answers(of: key) ?? [:])
            for id in Set(fresh.keys).union(kept.keys).sorted() where fresh[id] != kept[id] {
                table.add(key, id)
                count += 1
            }
        }
        guard count > 0 else { return }
        Terminal.write(table)
        throw CommandError("\(Wording.counted(count, "answer")) differ; --make prints the new file", .checkFailed)
    }

    private func list() throws {
        let rows = KeptAnswers.shared.keys.map { key in
            let answers = KeptAnswers.shared.answers(of: key) ?? [:]
            return Row(
                key: key, verdicts: answers.values.reduce(into: [:]) { $0[$1.verdict.rawValue, default: 0] += 1 })
        }
        try output.write(rows, "KEY", "PASSED", "FAILED", "WARNING", "NOT APPLICABLE", "NOT RUN") { row in
            [row.key]
                + [Verdict.passed, .failed, .warning, .notApplicable, .notRun].map {
                    "\(row.verdicts[$0.rawValue] ?? 0)"
                }
        }
    }

    private static func answers() async throws -> [String: [String: RunComparison.Side]] {
        let profiles = try ProfileLibrary.standard()
        let clock = SystemTime()
        var answers: [String: [String: RunComparison.Side]] = [:]
        for key in try TwinRun.keys(try .standard(), profiles) {
            answers[key] = try await TwinRun.answers(of: try profiles.profile(key)) { clock.now() }
        }
        return answers
    }
}
