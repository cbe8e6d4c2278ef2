import ArgumentParser
import BuiltIns
import Documents
import Machine
import MachineLook
package import MachineNeeds
import Tables
import Wording

/// `touchstone doctor`.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look at what this computer can do, and say what to install or allow.",
        discussion: """
            Shows what is ready, the parts that are missing, stopped, not permitted or in use, and the commands that change that. It \
            changes nothing itself: it writes no file, opens no device and starts no service. docs/doctor.md describes it.

            With --for, the exit status is 1 when something that this use needs is missing. Without it, the exit status is 1 \
            only when not even a scenario can run.
            """)

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Look only at the parts of one use. Repeatable.", valueName: "use"))
    var uses: [MachineUse] = []

    @Flag(help: "Print the udev rule that gives the logged-in user access to keys and to /dev/uhid, and nothing else.")
    var udevRule = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        try OptionRule.exclude("--udev-rule", udevRule, from: ["--for": !uses.isEmpty, "--json": output.json])
    }

    func run() async throws {
        guard !udevRule else { return try printRule() }
        let wanted = uses.isEmpty ? MachineUse.allCases : MachineUse.allCases.filter(uses.contains)
        let report = await MachineSurvey.report(wanted, by: ThisMachine(asksVersions: true))
        if output.json {
            try Terminal.writeJSON(Answer(report))
        } else {
            DoctorDescription(report).write()
        }
        let demanded = uses.isEmpty ? [.scenario] : wanted
        let problems = report.uses.filter { demanded.contains($0.use) && !$0.isReady }
        guard problems.isEmpty else {
            let words = problems.map { "\($0.use.rawValue) lacks \($0.lacks.map(\.rawValue).joined(separator: ", "))" }
            throw CommandError(words.joined(separator: "; "), .checkFailed)
        }
    }

    private func printRule() throws {
        let path = BuiltInPath.root + UdevRule.file
        guard let text = BuiltInFiles.text(at: path) else {
            throw CommandError("\(UdevRule.file) is not part of this program; take it from the sources", .notFound)
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(text.hasSuffix("\n") ? 1 : 0)
        {
            Terminal.write(String(line))
        }
    }

    /// The report as JSON.
    private struct Answer: Encodable {
        let version = Touchstone.version
        let build = BuildKind.current.rawValue
        let system: String
        let uses: [MachineReport.Readiness]
        let parts: [NeedFinding]

        init(_ report: MachineReport) { (system, uses, parts) = (report.system, report.uses, report.findings) }
    }
}

extension MachineUse: ExpressibleByArgument {}
