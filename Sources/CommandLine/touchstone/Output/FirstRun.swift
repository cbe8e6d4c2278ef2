import ArgumentParser
import MachineLook
import MachineNeeds
import Tables

/// The answer to `touchstone` without arguments on a terminal.
enum FirstRun {
    static func show() async {
        let report = await MachineSurvey.report(FirstStep.deciding, by: ThisMachine(asksVersions: false))
        Terminal.write("\(Touchstone.configuration.abstract) Three things to try:")
        for step in FirstStep.three(on: report) {
            Terminal.write()
            Terminal.writeText("  \(step.words):", hanging: 2)
            Terminal.write("    " + Terminal.styled(step.command, .bold))
        }
        Terminal.write()
        Terminal.writeText(
            "`touchstone doctor` says what this computer can do and what it lacks. `touchstone --help` lists all commands."
        )
    }
}
