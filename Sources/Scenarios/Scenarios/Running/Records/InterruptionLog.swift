internal import DeviceActs
internal import Synchronization

/// The results of the acts that interrupted a prompt.
final class InterruptionLog: Sendable {
    private let results = Mutex<[DeviceActResult]>([])

    func append(_ result: DeviceActResult) { results.withLock { $0.append(result) } }

    func mismatches(_ expected: [ScenarioStep.Interruption], isStrict: Bool) -> [Mismatch] {
        let results = results.withLock { $0 }
        return expected.enumerated().flatMap { index, interruption in
            guard index < results.count else {
                return [
                    Mismatch(
                        line: interruption.line, subject: "meanwhile", expected: "\(interruption.word) done",
                        seen: "the step ended first")
                ]
            }
            let checker = ExpectationChecker(
                observation: Observation(.success(StepResult(results[index]))), isStrict: isStrict)
            let checks = checker.checks(interruption.expectation)
            let idle =
                results[index].idleness.map { reason in
                    [Mismatch.withoutEffect(line: interruption.line, because: reason)]
                } ?? []
            return (checker.mismatches(interruption.expectation, checks) + idle).map { mismatch in
                Mismatch(
                    line: mismatch.line ?? interruption.line, subject: "meanwhile",
                    expected: mismatch.expected.map { "\(interruption.word): \(mismatch.subject) \($0)" },
                    seen: mismatch.seen)
            }
        }
    }
}
