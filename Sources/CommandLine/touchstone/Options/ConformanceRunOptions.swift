import ArgumentParser
import Conformance
import Documents
import SimulatedDevice
import Wording

/// A run of a suite: its cases, its files and its verdicts.
struct ConformanceRunOptions: ParsableArguments {
    @OptionGroup var cases: CaseSelectionOptions

    @Option(
        help: ArgumentHelp(
            "Only the cases that failed in this report; with --fail-on warning those that warned, too.",
            valueName: "file"))
    var rerunFailed: String?

    @Option(
        help: ArgumentHelp(
            """
            The profile that the subject claims, such as fido2.1-security-key or webauthn-l3-server. A demand of the \
            profile that the subject does not declare fails.
            """,
            valueName: "name"))
    var profile: String?

    @Option(
        help: ArgumentHelp(
            "Write each verdict to this file at once, and go on from it after an interruption.", valueName: "file"))
    var resume: String?

    @OptionGroup var output: ConformanceOutputOptions

    /// The most new failures that the last sentence of a run names.
    private static let longestList = 20

    /// - Throws: `CommandError` for an unknown name.
    private func runProfile<Bench>(of suite: ConformanceSuite<Bench>) throws -> RunProfile? {
        guard let profile else { return nil }
        if let found = suite.profiles.first(where: { $0.name == profile }) { return found }
        let names = suite.profiles.map(\.name)
        throw CommandError(
            "--profile \(profile): there is no such profile of a run"
                + NearestNames.question(profile, among: names, orElse: "choose one of \(names.joined(separator: ", "))"),
            .badInput)
    }

    /// - Throws: `CommandError` when there is none, or an identifier fits no case.
    private func selection<Bench>(of suite: ConformanceSuite<Bench>) throws -> CaseSelection {
        var selection = cases.selection
        if selection.specifications.isEmpty, let profile = try runProfile(of: suite) {
            selection.specifications = profile.specifications
        }
        let all = suite.cases.map(\.description)
        try cases.check(all, of: suite.name)
        if let rerunFailed {
            let failures = try Self.failures(in: rerunFailed, from: output.failOn, of: suite)
            let wanted = all.filter { selection.contains($0) && failures.contains($0.id) }
            guard !wanted.isEmpty else {
                throw CommandError(
                    "--rerun-failed \(rerunFailed): no chosen case failed there; leave the option out for a whole run",
                    .badInput)
            }
            selection.identifiers = wanted.map(\.id)
        }
        guard all.contains(where: selection.contains) else {
            throw CommandError(
                "no case matches all filters; remove one, or see `touchstone conformance list \(suite.name)`", .badInput
            )
        }
        return selection
    }

    /// - Throws: `CommandError` for the report of another suite.
    private static func failures<Bench>(
        in file: String, from threshold: FailureThreshold, of suite: ConformanceSuite<Bench>
    ) throws -> Set<String> {
        let report = try ConformanceReport(file: file)
        guard report.suite == suite.name else {
            throw CommandError(
                "--rerun-failed \(file): the report is one of the suite \(report.suite); choose one of \(suite.name)",
                .badInput)
        }
        return Set(report.failures(from: threshold))
    }

    /// Refuses wrong options before the subject is used.
    func check<Bench>(_ suite: ConformanceSuite<Bench>) throws {
        _ = try selection(of: suite)
        _ = try baseline(of: suite)
        try output.check()
        _ = try olderBaseline(of: suite)
    }

    private func baseline<Bench>(of suite: ConformanceSuite<Bench>) throws -> Baseline? {
        try output.baseline.map { try Baseline(file: $0, known: Set(suite.cases.map(\.description.id))) }
    }

    private func olderBaseline<Bench>(of suite: ConformanceSuite<Bench>) throws -> Baseline? {
        try output.olderBaseline(known: Set(suite.cases.map(\.description.id)))
    }

    /// The cases that a run with a permission performs.
    func performed<Bench>(
        of suite: ConformanceSuite<Bench>, on bench: Bench, _ permission: RunPermission
    ) throws -> [CaseDescription] {
        let selection = try selection(of: suite)
        return suite.cases.filter { single in
            selection.contains(single.description)
                && (permission.isDestructive || !single.description.isDestructive)
                && single.needs.allSatisfy { bench.obstacle(to: $0) == nil }
        }.map(\.description)
    }

    /// Performs the cases, shows and writes the verdicts.
    ///
    /// The files are written however the run ends.
    ///
    /// - Parameter afterwards: is called after the summary of a run that was not cut short, before files are written.
    /// - Throws: `CommandError` with exit status 1 for a failure that the baseline does not know, with 3 for a subject
    ///   that was lost.
    func run<Bench>(
        _ suite: ConformanceSuite<Bench>, on bench: Bench, _ plain: ConformanceSubject, _ permission: RunPermission,
        afterwards: (ConformanceReport) throws -> Void = { _ in }
    ) async throws {
        let (selection, profile) = (try selection(of: suite), try runProfile(of: suite))
        let (baseline, older) = (try baseline(of: suite), try olderBaseline(of: suite))
        let subject = plain.named(output.subjectName, adding: profile.map { " --profile \($0.name)" } ?? "")
        let progress = try resume.map {
            try ProgressFile($0, suite: suite.name, subject: subject, profile: profile, permission: permission)
        }
        let count = suite.cases.count { selection.contains($0.description) }
        let narrator = ConformanceNarrator(verbose: output.verbose, isQuiet: output.json, expected: count)
        narrator.begin(subject)
        let kept = (progress?.finished ?? []).filter { result in
            suite.cases.contains { $0.description.id == result.id && selection.contains($0.description) }
        }
        if !kept.isEmpty {
            let verb = kept.count == 1 ? "is" : "are"
            Terminal.writeError("\(Wording.counted(kept.count, "verdict")) of the earlier run \(verb) kept.")
        }
        let descriptions = Dictionary(suite.cases.map { ($0.description.id, $0.description) }) { first, _ in first }
        func show(_ result: CaseResult, _ description: CaseDescription) {
            narrator.show(baseline?.marked(result) ?? result, description, of: subject)
        }
        for result in kept {
            if let description = descriptions[result.id] { show(result, description) }
        }
        let clock = SystemTime()
        let began = clock.now()
        let run = ConformanceRun(suite, on: bench, permission: permission, profile: profile) { clock.now() }
        let outcome = try await run.results(
            of: selection, finished: progress?.finished ?? [],
            onResult: { result, description in
                try progress?.append(result)
                show(result, description)
            })
        let report = ConformanceReport(
            suite: suite.name, subject: subject, version: Touchstone.version, began: began, profile: profile?.name,
            results: outcome.results.map { baseline?.marked($0) ?? $0 }, cases: suite.cases.map(\.description))
        narrator.end(report)
        if outcome.end == nil { try afterwards(report) }
        try output.write(report, keeping: older)
        if outcome.end != nil, let resume { Terminal.writeError("The same command goes on from \(resume).") }
        switch outcome.end {
        case .interrupted: throw CancellationError()
        case .lost(let id, let seen):
            throw CommandError("the run ended after the case \(id): \(seen)", .notFound)
        case nil: try judge(report, baseline)
        }
    }

    /// Writes the reports of a run whose subject did not answer at all: no case is run.
    func writeUnreached<Bench>(
        _ suite: ConformanceSuite<Bench>, _ plain: ConformanceSubject, because error: some Error
    ) throws {
        let selection = try selection(of: suite)
        let reason = "the subject could not be reached: \(error)"
        let report = ConformanceReport(
            suite: suite.name, subject: plain.named(output.subjectName, adding: ""), version: Touchstone.version,
            began: SystemTime().now(), profile: profile,
            results: suite.cases.map(\.description).filter(selection.contains)
                .map { CaseResult(id: $0.id, notRun: reason) },
            cases: suite.cases.map(\.description))
        try output.writeReports(report)
    }

    /// - Throws: `CommandError` for cases that a refused valid request kept from running, where no case has failed for it.
    private func judgeBlocked(_ report: ConformanceReport) throws {
        let blocked = report.results.count { $0.isBlocked == true }
        guard blocked > 0, report.count(.failed) == 0 else { return }
        throw CommandError(
            "\(Wording.counted(blocked, "case")) could not be run because the subject refuses a valid request; their "
                + "reasons name it", .checkFailed)
    }

    /// - Throws: `CommandError` for a failure that the baseline does not know.
    private func judge(_ report: ConformanceReport, _ baseline: Baseline?) throws {
        let mended = baseline?.mended(in: report) ?? []
        if !mended.isEmpty {
            Terminal.writeError(
                "These cases no longer fail; remove them from the baseline: \(mended.joined(separator: ", ")).")
        }
        let failures = baseline?.newFailures(in: report, from: output.failOn) ?? report.failures(from: output.failOn)
        guard !failures.isEmpty else { return try judgeBlocked(report) }
        let verb =
            switch output.failOn {
            case .failed: "failed"
            case .warning: "failed or warned"
            }
        guard baseline != nil else {
            throw CommandError("\(Wording.counted(failures.count, "case")) \(verb)", .checkFailed)
        }
        let others = failures.count - Self.longestList
        throw CommandError(
            "\(Wording.counted(failures.count, "new case")) \(verb): "
                + failures.prefix(Self.longestList).joined(separator: ", ") + (others > 0 ? " and \(others) more" : ""),
            .checkFailed)
    }
}
