import MachineNeeds
import Tables

/// The report of `touchstone doctor` for a terminal.
struct DoctorDescription {
    private let report: MachineReport

    init(_ report: MachineReport) { self.report = report }

    func write() {
        Terminal.writeText(
            "touchstone \(Touchstone.version) (\(BuildKind.current.rawValue) build) on \(report.system)")
        Terminal.write()
        var uses = TextTable("USE", "STATE", "COMMAND")
        for use in report.uses {
            let without = use.without.isEmpty ? "" : "\(use.isReady ? "," : ";") without \(names(use.without))"
            uses.add(
                use.use.rawValue, (use.isReady ? "ready" : "lacks \(names(use.lacks))") + without, use.use.command)
        }
        Terminal.write(uses)
        Terminal.write()
        var parts = TextTable("PART", "STATE", "DETAIL")
        for finding in report.findings { parts.add(finding.need.rawValue, finding.state.rawValue, finding.detail) }
        Terminal.write(parts)
        writeRemedies()
    }

    /// A command stays in one line, so that it can be copied.
    private func writeRemedies() {
        let findings = report.findings.filter { !$0.remedies.isEmpty }
        guard !findings.isEmpty else { return }
        Terminal.write()
        for finding in findings {
            Terminal.write(Terminal.styled(finding.need.rawValue, .bold))
            for remedy in finding.remedies {
                Terminal.writeText("  \(remedy.words)\(remedy.command == nil ? "" : ":")", hanging: 2)
                if let command = remedy.command { Terminal.write("    \(command)") }
            }
        }
    }

    private func names(_ needs: [MachineNeed]) -> String { needs.map(\.rawValue).joined(separator: ", ") }
}
