internal import DeviceActs
internal import Synchronization

/// What came of the acts that happened in the middle of a prompt.
final class Happenings: Sendable {
    private let results = Mutex<[DeviceActResult]>([])

    func append(_ result: DeviceActResult) {
        results.withLock { $0.append(result) }
    }

    /// Everything about them that is not as expected.
    func mismatches(_ expected: [ScenarioStep.Happening]) -> [Mismatch] {
        let results = results.withLock { $0 }
        return expected.enumerated().flatMap { index, happening in
            guard index < results.count else {
                return [
                    Mismatch(
                        line: happening.line, subject: "meanwhile", expected: "\(happening.word) done",
                        seen: "the step's end before it")
                ]
            }
            var observation = Observation()
            observation.succeeded = results[index].cause == nil
            observation.ownCause = results[index].cause
            observation.answer = results[index].answer
            let checker = ExpectationChecker(observation: observation, snapshot: nil, device: nil, vocabulary: nil)
            return checker.mismatches(happening.expectation).map { mismatch in
                Mismatch(
                    line: mismatch.line ?? happening.line, subject: "meanwhile",
                    expected: "\(happening.word): \(mismatch.subject) \(mismatch.expected)", seen: mismatch.seen)
            }
        }
    }
}
