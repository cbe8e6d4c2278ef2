/// Performs the cases of a suite.
package struct ConformanceRun<Bench: ConformanceBench>: Sendable {
    private let suite: ConformanceSuite<Bench>
    private let bench: Bench
    private let permission: RunPermission
    private let demands: Set<String>
    private let clock: @Sendable () -> Duration

    /// - Parameters:
    ///   - profile: makes cases fail that are not applicable because the subject lacks a demand of the profile.
    ///   - clock: a monotonic clock, for the duration of cases.
    package init(
        _ suite: ConformanceSuite<Bench>, on bench: Bench, permission: RunPermission, profile: RunProfile? = nil,
        clock: @escaping @Sendable () -> Duration
    ) {
        self.suite = suite
        self.bench = bench
        self.permission = permission
        self.demands = Set(profile?.demands ?? [])
        self.clock = clock
    }

    /// Performs the selected cases one after another, in the order of the catalogue.
    ///
    /// - Parameters:
    ///   - finished: the results of an earlier run that was interrupted; their cases are not performed again.
    ///   - willBegin: is called before each case that is performed.
    ///   - onResult: is called with each new result.
    /// - Throws: `CancellationError`, or the error that makes the subject unusable.
    package func results(
        of selection: CaseSelection, finished: [CaseResult] = [],
        willBegin: (CaseDescription) -> Void = { _ in },
        onResult: (CaseResult, CaseDescription) throws -> Void = { _, _ in }
    ) async throws -> [CaseResult] {
        let known = Dictionary(finished.map { ($0.id, $0) }) { first, _ in first }
        var results: [CaseResult] = []
        for single in suite.cases where selection.contains(single.description) {
            if let result = known[single.description.id] {
                results.append(result)
                continue
            }
            try Task.checkCancellation()
            let result = try await perform(single, willBegin)
            results.append(result)
            try onResult(result, single.description)
        }
        return results
    }

    private func perform(
        _ single: ConformanceCase<Bench>, _ willBegin: (CaseDescription) -> Void
    ) async throws -> CaseResult {
        let description = single.description
        let recorder = CaseRecorder(level: description.level)
        let began = clock()
        if let stop = obstacle(to: single, recorder) { return result(description, recorder, stop, since: began) }
        willBegin(description)
        var stop: CaseStop?
        try await bench.begin(description, recorder)
        do {
            try await single.perform(bench, recorder)
        } catch let error as CaseStop {
            stop = error
        } catch is CancellationError {
            try await bench.end(description)
            throw CancellationError()
        } catch {
            // A cancelled request ends in the error of its transport.
            try Task.checkCancellation()
            stop = recorder.fail("an answer", seen: "\(error)")
        }
        try await bench.end(description)
        return result(description, recorder, stop, since: began)
    }

    private func obstacle(to single: ConformanceCase<Bench>, _ recorder: CaseRecorder) -> CaseStop? {
        for need in single.needs {
            guard let stop = bench.obstacle(to: need) else { continue }
            if case .notApplicable(let reason) = stop, demands.contains("\(need)") {
                return recorder.fail("\(need), which the profile of the run demands", seen: reason)
            }
            return stop
        }
        let description = single.description
        if description.isDestructive, !permission.isDestructive {
            let effects = description.effects.filter(\.isDestructive).map(\.words).joined(separator: " and ")
            return .notRun("the case \(effects); --destructive allows it")
        }
        if !description.person.isEmpty, !permission.hasPerson { return .notRun("a person has to take part") }
        return nil
    }

    private func result(
        _ description: CaseDescription, _ recorder: CaseRecorder, _ stop: CaseStop?, since began: Duration
    ) -> CaseResult {
        let deviations = recorder.deviations
        let (verdict, reason): (Verdict, String?) =
            switch stop {
            case _ where deviations.contains { $0.level == .must }: (.failed, nil)
            case _ where !deviations.isEmpty: (.warning, nil)
            case .notApplicable(let reason): (.notApplicable, reason)
            case .notRun(let reason): (.notRun, reason)
            case .deviation, nil: (.passed, nil)
            }
        return CaseResult(
            id: description.id, verdict: verdict, reason: reason, deviations: deviations,
            exchanges: verdict == .failed || verdict == .warning ? recorder.exchanges : [],
            messages: recorder.exchangeCount,
            seconds: (clock() - began) / .seconds(1))
    }
}
