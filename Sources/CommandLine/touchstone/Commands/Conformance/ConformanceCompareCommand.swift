import ArgumentParser
import AuthenticatorSuite
import Conformance
import DeviceProfiles
import KeptAnswers
import KeyBench
import Machine
internal import MachineTime
internal import ProfileFiles
import SimulatedDevice
import Tables
import Wording

/// `touchstone conformance compare`.
struct ConformanceCompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare", abstract: "Show the cases at which two runs differ.",
        discussion: """
            A run is a report that --report wrote, or virtual:PROFILE: the cases of the other run are then performed on a \
            new simulated device, the virtual twin of a key for example. Either may be known:KEY: the kept answers of that \
            key's twin, which take no run; virtual:PROFILE beside it is performed as the kept answers are, each group on a \
            new device. Cases that only one of the runs performed are left out. Exit status 1 if a case differs.
            """)

    @Argument(help: "The report of the first run, virtual:PROFILE or known:KEY.", completion: .file())
    var first: String

    @Argument(help: "The report of the second run, virtual:PROFILE or known:KEY.", completion: .file())
    var second: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        if Self.knownKey(first) != nil || Self.knownKey(second) != nil {
            return try show(try await Self.comparison(first, second))
        }
        let (report, other) = try await reports()
        guard report.suite == other.suite else {
            throw CommandError(
                "\(first) is a report of the suite \(report.suite), \(second) of \(other.suite); choose two of the same suite",
                .badInput)
        }
        try show(RunComparison(report, other))
    }

    /// - Throws: `CommandError` with exit status 1 for a difference.
    private func show(_ comparison: RunComparison) throws {
        try output.write(comparison) {
            let table = comparison.table("FIRST", "SECOND")
            return ["First: \(comparison.subjects[0].title). Second: \(comparison.subjects[1].title)."]
                + (comparison.differences.isEmpty ? [] : table.lines)
        }
        let count = comparison.differences.count
        if !output.json {
            Terminal.write(
                "\(Wording.counted(comparison.rows.count, "case")) compared, \(Wording.counted(count, "difference"))"
                    + (comparison.left == 0 ? "" : "; \(comparison.left) that only one run performed are left out"))
        }
        guard count == 0 else {
            throw CommandError("the runs differ in \(Wording.counted(count, "case"))", .checkFailed)
        }
    }

    /// The two runs; one on a simulated device is performed now, with the cases and the profile of the other.
    private func reports() async throws -> (ConformanceReport, ConformanceReport) {
        switch (Self.isVirtual(first), Self.isVirtual(second)) {
        case (false, false): return (try ConformanceReport(file: first), try ConformanceReport(file: second))
        case (false, true):
            let report = try ConformanceReport(file: first)
            return (report, try await Self.run(second, like: report))
        case (true, false):
            let report = try ConformanceReport(file: second)
            return (try await Self.run(first, like: report), report)
        case (true, true):
            let report = try await Self.run(first, like: nil)
            return (report, try await Self.run(second, like: report))
        }
    }

    /// The name in `known:NAME`; nil for another text.
    private static func knownKey(_ text: String) -> String? {
        let prefix = "known:"
        return text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
    }

    /// One side of a comparison with kept answers; the cases are those of a report.
    private struct Side {
        let subject: ConformanceSubject
        let answers: [String: RunComparison.Side]
        var cases: [CaseDescription]?
    }

    /// Compares two runs of which at least one is kept answers.
    private static func comparison(_ first: String, _ second: String) async throws -> RunComparison {
        let sides = [try await side(first), try await side(second)]
        return RunComparison(
            sides.map { ($0.subject, $0.answers) },
            of: sides.lazy.compactMap(\.cases).first ?? AuthenticatorSuite.all.cases.map(\.description))
    }

    /// - Throws: `CommandError` for a key without kept answers, and for the report of another suite.
    private static func side(_ text: String) async throws -> Side {
        if let key = knownKey(text) {
            guard let answers = KeptAnswers.shared.answers(of: key) else {
                let keys = KeptAnswers.shared.keys
                throw CommandError(
                    "known:\(key): the program keeps no answers of such a key"
                        + NearestNames.question(
                            key, among: keys, orElse: "choose one of \(keys.joined(separator: ", "))"), .badInput)
            }
            return Side(subject: KeptAnswers.subject(key), answers: answers)
        }
        if case .virtual(let name)? = DeviceSelector(text) {
            let profile = try ProfileLibrary.standard().profile(name)
            let clock = SystemTime()
            return Side(
                subject: ConformanceSubject(
                    title: profile.title, facts: [:],
                    command: "touchstone conformance authenticator --device 'virtual:\(name)'"),
                answers: try await TwinRun.answers(of: profile) { clock.now() })
        }
        let report = try ConformanceReport(file: text)
        guard report.suite == AuthenticatorSuite.all.name else {
            throw CommandError(
                "\(text) is a report of the suite \(report.suite); known answers are those of authenticators: choose a "
                    + "report of one", .badInput)
        }
        return Side(subject: report.subject, answers: report.answers, cases: report.cases)
    }

    private static func isVirtual(_ text: String) -> Bool {
        if case .virtual? = DeviceSelector(text) { true } else { false }
    }

    /// Performs the cases of a report on a simulated device; without a report, all cases.
    private static func run(_ selector: String, like report: ConformanceReport?) async throws -> ConformanceReport {
        let device = try await KeyOptions.onlyDevice(selector)
        let suite = AuthenticatorSuite.all
        var selection = CaseSelection()
        selection.identifiers = report?.results.map(\.id) ?? []
        var permission = RunPermission()
        permission.isDestructive =
            report?.entries.contains { result, description in
                description.isDestructive && result.verdict != .notRun
            } ?? true
        let profile = suite.profiles.first { $0.name == report?.profile }
        let bench = try await AuthenticatorBench.open(device)
        let clock = SystemTime()
        return try await closing(bench.close) {
            let results = try await ConformanceRun(suite, on: bench, permission: permission, profile: profile) {
                clock.now()
            }
            .results(of: selection).uninterrupted()
            return ConformanceReport(
                suite: suite.name, subject: bench.subject(device), version: Touchstone.version,
                profile: profile?.name, results: results, cases: suite.cases.map(\.description))
        }
    }
}
