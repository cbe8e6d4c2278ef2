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

    /// - Throws: `CommandError` for an unknown name.
    func runProfile<Bench>(of suite: ConformanceSuite<Bench>) throws -> RunProfile? {
        guard let profile else { return nil }
        if let found = suite.profiles.first(where: { $0.name == profile }) { return found }
        let names = suite.profiles.map(\.name)
        throw CommandError(
            "--profile \(profile): there is no such profile of a run"
                + NearestNames.question(profile, among: names, orElse: "choose one of \(names.joined(separator: ", "))"),
            .badInput)
    }

    /// - Throws: `CommandError` when there is none, or an identifier fits no case.
    func selection<Bench>(of suite: ConformanceSuite<Bench>) throws -> CaseSelection {
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

    func baseline<Bench>(of suite: ConformanceSuite<Bench>) throws -> Baseline? {
        try output.baseline.map { try Baseline(file: $0, known: Set(suite.cases.map(\.description.id))) }
    }

    func olderBaseline<Bench>(of suite: ConformanceSuite<Bench>) throws -> Baseline? {
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
}
