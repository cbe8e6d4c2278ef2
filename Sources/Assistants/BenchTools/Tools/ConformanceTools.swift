internal import AuthenticatorSuite
internal import Conformance
internal import Documents
internal import KeyBench
internal import Machine
internal import MachineTime
internal import ModelContext
internal import ProfileFiles
internal import Wording

extension Bench {
    /// The most failed cases in an answer.
    private static let mostCases = 20

    var conformanceTools: [ContextTool] { [conformanceTool] }

    private var conformanceTool: ContextTool {
        let suite = AuthenticatorSuite.all
        let groups = suite.groups.map(\.name).joined(separator: ", ")
        return ContextTool(
            "run_conformance", title: "Run conformance cases",
            """
            Check an authenticator against CTAP, case by case. Returns the number of each verdict and the cases that failed; \
            read_report has a case with its messages. Nothing on a real key is erased, no PIN is set and no try is spent.
            """,
            .changing, isRepeatable: true,
            input: .object(
                .required(
                    "device", .string(1...200),
                    "The authenticator: virtual:PROFILE for a new simulated one, usb, nfc or udp:HOST:PORT."),
                .optional(
                    "cases", .array(.string(1...200), count: 1...100),
                    "Groups or cases, such as getInfo or makeCredential.excludeList; default: all. The groups: \(groups)."
                ))
        ) { [self] value, call in
            let arguments = Arguments(value)
            var selection = CaseSelection()
            selection.identifiers = arguments.texts("cases")
            try Self.check(selection, suite)
            let device = try await device(arguments.text("device") ?? "")
            var permission = RunPermission()
            permission.isDestructive = device.isSimulated
            permission.hasPerson = device.isSimulated
            var settings = AuthenticatorBench.Settings()
            settings.isAttended = permission.hasPerson
            let bench: AuthenticatorBench
            do {
                bench = try await AuthenticatorBench.open(device, settings: settings)
            } catch let error as CancellationError {
                throw error
            } catch {
                throw ToolFailure("device.notReached", because: error)
            }
            let clock = SystemTime()
            let began = clock.now()
            let results: [CaseResult] = try await closing(bench.close) {
                let total = suite.cases.count { selection.contains($0.description) }
                var done = 0
                return try await ConformanceRun(suite, on: bench, permission: permission) { clock.now() }
                    .results(of: selection) { result, _ in
                        done += 1
                        call.tell(done, total, "\(result.id): \(result.verdict.rawValue)")
                    }
                    .uninterrupted()
            }
            let report = ConformanceReport(
                suite: suite.name,
                subject: ConformanceSubject(
                    title: device.title, facts: [:],
                    command: "touchstone conformance authenticator --device '\(device.selector)'"),
                version: version, began: began, profile: nil, results: results,
                cases: suite.cases.map(\.description))
            var summary = Self.summary(of: report).object ?? [:]
            summary["report"] = .text(reports.keep(.conformance(report)))
            return try ToolAnswer(.object(summary))
        }
    }

    private static func check(
        _ selection: CaseSelection, _ suite: ConformanceSuite<AuthenticatorBench>
    ) throws(ToolFailure) {
        let all = suite.cases.map(\.description)
        for identifier in selection.identifiers {
            var only = CaseSelection()
            only.identifiers = [identifier]
            guard !all.contains(where: only.contains) else { continue }
            throw ToolFailure(
                "case.notFound",
                Wording.sentence(
                    "The suite has no case or group “\(identifier)”"
                        + NearestNames.question(identifier, among: suite.groups.map(\.name) + all.map(\.id))))
        }
    }

    private func device(_ text: String) async throws -> BenchDevice {
        let selector: DeviceSelector
        switch DeviceSelector(text) {
        case .hybrid?, .link?, nil:
            throw ToolFailure(
                "device.invalid", "“\(text)” is not such a device; write virtual:PROFILE, usb, nfc or udp:HOST:PORT.")
        case let known?: selector = known
        }
        let found: [BenchDevice]
        do {
            found = try await DeviceFinder { [profiles] in try profiles.profile($0) }.devices(selector)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw ToolFailure("device.notFound", because: error)
        }
        guard found.count == 1, let device = found.first else {
            let names = found.map { "\($0.selector)" }.joined(separator: ", ")
            throw ToolFailure("device.ambiguous", "“\(text)” names \(found.count) devices; give one of \(names).")
        }
        return device
    }

    static func summary(of report: ConformanceReport) -> JSONValue {
        let failed = report.entries.filter { FailureThreshold.warning.includes($0.result.verdict) }
        var counts: [String: JSONValue] = [:]
        for verdict in Verdict.allCases where report.count(verdict) > 0 {
            counts[verdict.rawValue] = .integer(report.count(verdict))
        }
        var summary: [String: JSONValue] = ["subject": .text(report.subject.title), "verdicts": .object(counts)]
        guard !failed.isEmpty else { return .object(summary) }
        summary["failures"] = .array(
            failed.prefix(mostCases).map { result, description in
                [
                    "case": .text(result.id), "verdict": .text(result.verdict.rawValue),
                    "title": .text(description.title), "clause": .text(description.clause.description),
                    "deviations": .array(
                        result.deviations.map { ["expected": .text($0.expected), "seen": .text($0.seen)] }),
                ]
            })
        if failed.count > mostCases { summary["moreFailures"] = .integer(failed.count - mostCases) }
        return .object(summary)
    }
}
