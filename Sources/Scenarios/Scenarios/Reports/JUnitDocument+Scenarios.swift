package import Documents
package import Reports
internal import SimulatedDevice
internal import Wording

extension JUnitDocument {
    /// One test suite for each scenario, one test case for each step.
    ///
    /// - Parameter reason: the reason that other runs were not played, or did not end; it is a failed test case. nil for none.
    package init(_ reports: [ScenarioReport], unplayed reason: String? = nil) {
        let name = "touchstone scenario run"
        let failure = reason.map { reason in
            JUnitDocument.Suite(
                name: name, seconds: 0,
                cases: [
                    JUnitDocument.Case(
                        className: name, name: "each run is played", outcome: .failed(message: reason, detail: reason))
                ])
        }
        self.init(reports.map(\.suite) + [failure].compactMap(\.self))
    }

    /// One failed test case for each mistake in a file of scenarios; no scenario was played.
    package init(_ mistakes: SourceError) {
        let files = Dictionary(grouping: mistakes.each, by: \.file).sorted { $0.key < $1.key }
        self.init(
            files.map { file, mistakes in
                JUnitDocument.Suite(
                    name: file, file: file, seconds: 0,
                    cases: mistakes.map { mistake in
                        JUnitDocument.Case(
                            className: file, name: "line \(mistake.line ?? 1) can be read",
                            place: (file, mistake.line ?? 1),
                            outcome: .failed(message: mistake.message, detail: mistake.description))
                    })
            })
    }
}

extension ScenarioReport {
    fileprivate var suite: JUnitDocument.Suite {
        var uses: [String: Int] = [:]
        return JUnitDocument.Suite(
            name: name, file: file, seconds: realSeconds,
            properties: ["seed": "\(seed)"].merging(taps.map { ["taps": "\($0)"] } ?? [:]) { first, _ in first },
            cases: steps.map { step in
                let name = (step.device.map { "\($0): " } ?? "") + step.name
                uses[name, default: 0] += 1
                let use = uses[name, default: 1]
                return JUnitDocument.Case(
                    className: self.name, name: use == 1 ? name : "\(name) (\(Wording.ordinal(use)) time)",
                    place: (step.file, step.line), seconds: step.wasPlayed ? step.realSeconds : nil,
                    outcome: step.outcome,
                    output: step.notes.isEmpty || !step.wasPlayed ? nil : step.notes.joined(separator: "\n"))
            })
    }
}

extension StepReport {
    fileprivate var outcome: JUnitDocument.Outcome {
        guard wasPlayed else { return .skipped("an earlier step failed") }
        guard !mismatches.isEmpty else { return .passed }
        let sentences = mismatches.map { $0.words(line: $0.line ?? line) }
        return .failed(
            message: sentences.joined(separator: "; "),
            detail: (sentences + told.map { "app gets: \($0)" } + events.map(\.text)).joined(separator: "\n"))
    }
}
