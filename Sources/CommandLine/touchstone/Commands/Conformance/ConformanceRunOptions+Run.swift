import Conformance
import Documents
internal import MachineTime
import SimulatedDevice
import Wording

extension ConformanceRunOptions {
    /// The most new failures that the last sentence of a run names.
    private static let longestList = 20

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
                .map { CaseResult(id: $0.id, notRun: reason, isBlocked: true) },
            cases: suite.cases.map(\.description))
        try output.writeReports(report)
    }

    /// - Throws: `CommandError` for cases that a refused valid request kept from running, where no case has failed for it.
    private func judgeBlocked(_ report: ConformanceReport) throws {
        let blocked = report.results.count { $0.isBlocked == true }
        guard blocked > 0, report.count(.failed) == 0 else { return }
        throw CommandError(
            "\(Wording.counted(blocked, "case")) could not be run because a valid request has no success; their reasons "
                + "name it", .checkFailed)
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
