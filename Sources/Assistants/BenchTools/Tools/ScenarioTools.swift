internal import Causes
internal import Conformance
internal import Documents
internal import Foundation
internal import ModelContext
internal import PlatformErrors
internal import ProfileFiles
internal import Scenarios
internal import SimulatedDevice
internal import Wording

extension Bench {
    /// The most failed runs in an answer.
    private static let mostFailures = 5

    var scenarioTools: [ContextTool] { [runScenarioTool, readReportTool] }

    private var runScenarioTool: ContextTool {
        ContextTool(
            "run_scenario", title: "Run a scenario",
            """
            Play a scenario, and check the observations of each side: the device, the page, the app and the relying party. Returns \
            the verdict and the steps that failed; read_report has the rest. Each run has devices and a relying party of its own, \
            on a simulated clock.
            """,
            .changing, isRepeatable: true,
            input: .object(
                Schema.Members(
                    members: [
                        .optional("text", .string(1...100_000), "The scenario in YAML."),
                        .optional(
                            "path", .string(1...4096),
                            "A file, or the name of a built-in scenario such as user-cancel, in place of the text."),
                        .optional("seed", .integer(0...Int.max), "The random seed; default: 1."),
                        .optional("strict", .boolean, "Fail a step that expects a refusal without a reason."),
                    ]))
        ) { [self] value, call in
            let arguments = Arguments(value)
            let scenarios = try scenarios(arguments)
            let runner = ScenarioRunner(
                profiles: profiles.caching(), seed: UInt64(arguments.integer("seed") ?? 1),
                isStrict: arguments.flag("strict"))
            let part = Shard.all.part(of: scenarios.count)
            let items = Shard.all.items(of: scenarios)
            let jobs = ProcessInfo.processInfo.activeProcessorCount
            var played: [ScenarioReport] = []
            do {
                played = try await ScenarioBatch(jobs: jobs).run(items) { item in
                    try await runner.run(item.scenario, number: item.number, of: part)
                } onReport: { report in
                    played.append(report)
                    call.tell(played.count, items.count, "\(report.name): \(report.passed ? "passed" : "failed")")
                }
            } catch let error as CancellationError {
                throw error
            } catch {
                throw ToolFailure("scenario.notStarted", because: error)
            }
            return try ToolAnswer(Self.summary(of: played, named: reports.keep(.scenarios(played))))
        }
    }

    private func scenarios(_ arguments: Arguments) throws(ToolFailure) -> [Scenario] {
        do {
            switch (arguments.text("text"), arguments.text("path")) {
            case (let text?, nil): return try Scenario.runs(parsing: text, file: "scenario", profiles: profiles)
            case (nil, let path?):
                // `-` would read the messages of this server's client.
                guard path != "-" else { break }
                return try ScenarioLibrary.standard().files(matching: [path])
                    .flatMap { try ScenarioLibrary.runs(of: $0, profiles: profiles) }
            default: break
            }
        } catch {
            throw ToolFailure("scenario.invalid", because: error)
        }
        throw ToolFailure("scenario.invalid", "Give the scenario as “text”, or its file as “path”; one of them.")
    }

    private static func summary(of reports: [ScenarioReport], named name: String) -> JSONValue {
        let failed = reports.filter { !$0.passed }
        var summary: [String: JSONValue] = [
            "verdict": failed.isEmpty ? "passed" : "failed", "runs": .integer(reports.count), "report": .text(name),
        ]
        guard !failed.isEmpty else { return .object(summary) }
        summary["failedRuns"] = .integer(failed.count)
        summary["failures"] = .array(
            failed.prefix(mostFailures).map { report in
                let steps = report.steps.filter { $0.wasPlayed && !$0.passed }
                return [
                    "run": .integer(report.number), "name": .text(report.name),
                    "steps": .array(
                        steps.map { step in
                            [
                                "step": .integer(step.number), "line": .integer(step.line), "title": .text(step.title),
                                "mismatches": .array(step.mismatches.map { .text($0.words(line: $0.line)) }),
                                "events": .array(step.events.map { .text($0.text) }),
                            ]
                        }),
                    "notPlayed": .integer(report.steps.count { !$0.wasPlayed }),
                ]
            })
        return .object(summary)
    }

    // MARK: Reports

    private var readReportTool: ContextTool {
        ContextTool(
            "read_report", title: "Read a report",
            """
            Read a part of a report: of run_scenario or run_conformance by its name, or of a file that `touchstone scenario run \
            --json` or `touchstone conformance … --json` wrote. Without run, step and case it is the overview.
            """,
            .reading,
            input: .object(
                .required("report", .string(1...4096), "The name, such as report-1, or the path of a file."),
                .optional("run", .integer(1...Int.max), "The number of a scenario's run: its steps."),
                .optional("step", .integer(1...Int.max), "The number of a step of the run: what each side observed."),
                .optional("case", .string(1...200), "A conformance case: its deviations and messages."))
        ) { [self] value, _ in
            let arguments = Arguments(value)
            switch try report(arguments.text("report") ?? "") {
            case .scenarios(let reports):
                guard arguments["case"] == nil else {
                    throw ToolFailure("member.idle", "“case” has no effect: the report is of scenarios; give “run”.")
                }
                return try ToolAnswer(try Self.part(of: reports, arguments))
            case .conformance(let report):
                guard arguments["run"] == nil, arguments["step"] == nil else {
                    throw ToolFailure(
                        "member.idle", "“run” and “step” have no effect: the report is of conformance; give “case”.")
                }
                return try ToolAnswer(try Self.part(of: report, arguments))
            }
        }
    }

    private func report(_ name: String) throws(ToolFailure) -> KeptReports.Report {
        if let report = reports.report(name) { return report }
        guard FileManager.default.fileExists(atPath: name) else {
            throw ToolFailure(
                "report.notFound",
                Wording.sentence(
                    "No report and no file is named “\(name)”" + NearestNames.question(name, among: reports.names)))
        }
        if let report = try? ConformanceReport(file: name) { return .conformance(report) }
        do {
            return .scenarios(try ReportFile.read(name))
        } catch {
            throw ToolFailure("report.invalid", because: error)
        }
    }

    private static func part(of reports: [ScenarioReport], _ arguments: Arguments) throws -> JSONValue {
        guard let number = arguments.integer("run") else {
            guard arguments["step"] == nil else {
                throw ToolFailure("member.idle", "“step” has no effect without “run”; give both.")
            }
            return .array(
                reports.map { report in
                    [
                        "run": .integer(report.number), "name": .text(report.name),
                        "verdict": report.passed ? "passed" : "failed", "steps": .integer(report.steps.count),
                    ]
                })
        }
        guard let report = reports.first(where: { $0.number == number }) else {
            throw ToolFailure("run.notFound", "The report has no run \(number); its runs are 1 to \(reports.count).")
        }
        guard let wanted = arguments.integer("step") else {
            return .array(
                report.steps.map { step in
                    [
                        "step": .integer(step.number), "line": .integer(step.line), "title": .text(step.title),
                        "verdict": step.passed ? "passed" : step.wasPlayed ? "failed" : "not played",
                    ]
                })
        }
        guard let step = report.steps.first(where: { $0.number == wanted }) else {
            throw ToolFailure(
                "step.notFound", "The run has no step \(wanted); its steps are 1 to \(report.steps.count).")
        }
        return observations(of: step)
    }

    /// What each side observed in a step.
    private static func observations(of step: StepReport) -> JSONValue {
        func texts(_ lines: [String]) -> JSONValue { .array(lines.map(JSONValue.text)) }
        return [
            "title": .text(step.title), "file": .text(step.file), "line": .integer(step.line),
            "verdict": step.passed ? "passed" : step.wasPlayed ? "failed" : "not played",
            "device": texts(step.did), "ctap": texts(step.ctap), "relyingParty": texts(step.server),
            "told": texts(step.told), "cause": step.cause.map { .text($0.rawValue) } ?? .null,
            "errors": texts(step.platformErrors.map(\.text)),
            "checks": .array(
                step.checks.map { check in
                    [
                        "line": .integer(check.line), "subject": .text(check.subject),
                        "expected": .text(check.expected), "seen": .text(check.seen), "met": .bool(check.isMet),
                    ]
                }),
            "mismatches": texts(step.mismatches.map { $0.words(line: $0.line) }),
            "events": texts(step.events.map(\.text)), "notes": texts(step.notes),
        ]
    }

    private static func part(of report: ConformanceReport, _ arguments: Arguments) throws -> JSONValue {
        guard let id = arguments.text("case") else { return summary(of: report) }
        guard let entry = report.entries.first(where: { $0.result.id == id }) else {
            throw ToolFailure(
                "case.notFound",
                Wording.sentence(
                    "The report has no case “\(id)”"
                        + NearestNames.question(id, among: report.entries.map(\.result.id))))
        }
        return try JSONValue(encoding: entry.result)
    }
}
