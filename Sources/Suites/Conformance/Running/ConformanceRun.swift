/// Performs the cases of a suite.
package struct ConformanceRun<Bench: ConformanceBench>: Sendable {
    private let suite: ConformanceSuite<Bench>
    private let bench: Bench
    private let permission: RunPermission
    private let demands: Set<String>
    private let clock: @Sendable () -> Duration
    /// By demand, the identifier of the case that fails at a subject without it.
    private var accusers: [String: String] = [:]

    /// - Parameters:
    ///   - profile: makes the first case fail that is not applicable because the subject lacks a demand of the profile.
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
    /// A case that does not pass at a subject in another state than usual is performed again once the subject is restored.
    /// Where it cannot be restored, the cases that are left are not run; nor is the case after which the subject is silent,
    /// because it may have been unplugged.
    ///
    /// - Parameters:
    ///   - finished: the results of an earlier run that was interrupted; their cases are not performed again.
    ///   - onResult: is called with each new result; not for the cases after an early end.
    /// - Throws: the errors of `onResult`.
    package func results(
        of selection: CaseSelection, finished: [CaseResult] = [],
        onResult: (CaseResult, CaseDescription) throws -> Void = { _, _ in }
    ) async throws -> RunResults {
        var run = self
        run.accusers = accusers(among: suite.cases.filter { selection.contains($0.description) })
        return try await run.perform(selection, finished, onResult)
    }

    private func perform(
        _ selection: CaseSelection, _ finished: [CaseResult], _ onResult: (CaseResult, CaseDescription) throws -> Void
    ) async throws -> RunResults {
        let known = Dictionary(finished.map { ($0.id, $0) }) { first, _ in first }
        var results: [CaseResult] = []
        var end: EarlyEnd?
        for single in suite.cases where selection.contains(single.description) {
            let description = single.description
            if let result = known[description.id] {
                results.append(result)
                continue
            }
            if end == nil, Task.isCancelled { end = .interrupted }
            if end == nil {
                var settled: CaseResult?
                do throws(CancellationError) {
                    (settled, end) = try await settledResult(of: single)
                } catch {
                    end = .interrupted
                }
                if let settled {
                    results.append(settled)
                    try onResult(settled, description)
                    continue
                }
            }
            if let end { results.append(CaseResult(id: description.id, notRun: end.reason, isBlocked: true)) }
        }
        return RunResults(results: results, end: end)
    }

    /// One performance of a case.
    private struct Attempt {
        var result: CaseResult
        /// Whether the case began and did not pass, for which the subject's state may be the reason.
        var isSuspect = false
        /// Whether the subject was tidied up after the case.
        var isTidy = true

        /// The result and the end of the run, for a subject that could not be restored after the case.
        func lost(in state: SubjectState) -> (CaseResult?, EarlyEnd?)? {
            switch state {
            case .lost(let seen): (result, .lost(since: result.id, seen))
            case .silent(let seen): (nil, .lost(since: result.id, seen))
            case .sound, .restored: nil
            }
        }
    }

    /// The result of a case at a subject in its usual state, and the reason to end the run after it; no result where the
    /// subject is silent afterwards.
    private func settledResult(
        of single: ConformanceCase<Bench>
    ) async throws(CancellationError) -> (CaseResult?, EarlyEnd?) {
        let first = try await perform(single)
        guard first.isSuspect || !first.isTidy else { return (await controlled(first.result, of: single), nil) }
        let state = await bench.restored()
        if let lost = first.lost(in: state) { return lost }
        guard case .restored(let act) = state else { return (await controlled(first.result, of: single), nil) }
        guard first.isSuspect else { return (first.result, nil) }
        var second = try await perform(single)
        second.result.restoration = act
        if second.isSuspect || !second.isTidy, let lost = second.lost(in: await bench.restored()) { return lost }
        return (await controlled(second.result, of: single), nil)
    }

    /// The result of a case once the valid requests behind its refusals are known.
    ///
    /// A case that spends tries or changes the subject may be the reason that a valid request is refused.
    private func controlled(_ result: CaseResult, of single: ConformanceCase<Bench>) async -> CaseResult {
        guard !single.description.isDestructive, result.verdict == .failed || result.verdict == .warning,
            let refusal = await bench.refusalOfValidRequests(behind: result)
        else { return result }
        return CaseResult(id: result.id, notRun: refusal, isBlocked: true)
    }

    private func perform(_ single: ConformanceCase<Bench>) async throws(CancellationError) -> Attempt {
        let description = single.description
        let recorder = CaseRecorder(level: description.level)
        let began = clock()
        if let stop = obstacle(to: single, recorder) {
            return Attempt(result: result(description, recorder, stop, since: began))
        }
        var stop: CaseStop?
        var hasBegun = false
        do {
            try await bench.begin(description, recorder)
            hasBegun = true
            try await single.perform(bench, recorder)
        } catch let error as CaseStop {
            stop = error
        } catch is CancellationError {
            try? await bench.end(description)
            throw CancellationError()
        } catch {
            // A cancelled request ends in the error of its transport.
            guard !Task.isCancelled else { throw CancellationError() }
            let broken = bench.demand(brokenBy: error, in: description)
            stop =
                hasBegun
                ? recorder.fail(broken.expected, seen: "\(error)", clause: broken.clause)
                : .notRun("the subject could not be prepared for the case: \(error)")
        }
        var isTidy = true
        do { try await bench.end(description) } catch { isTidy = false }
        guard !Task.isCancelled else { throw CancellationError() }
        let result = result(description, recorder, stop, since: began)
        let isSuspect = result.verdict != .passed && result.verdict != .notApplicable
        return Attempt(result: result, isSuspect: isSuspect, isTidy: isTidy)
    }

    /// The first of the cases that need each demand of the profile; it fails at a subject without it, for the others.
    private func accusers(among cases: [ConformanceCase<Bench>]) -> [String: String] {
        var accusers: [String: String] = [:]
        for single in cases {
            for need in single.needs.map({ "\($0)" }) where demands.contains(need) && accusers[need] == nil {
                accusers[need] = single.description.id
            }
        }
        return accusers
    }

    private func obstacle(to single: ConformanceCase<Bench>, _ recorder: CaseRecorder) -> CaseStop? {
        let stops = single.needs.compactMap { need in bench.obstacle(to: need).map { (need: need, stop: $0) } }
        // A missing demand comes before another missing need.
        for (need, stop) in stops {
            guard let accuser = accusers["\(need)"], case .notApplicable(let reason) = stop else { continue }
            guard accuser == single.description.id else {
                return .notRun("\(reason), although the profile of the run demands it; \(accuser) has failed for it")
            }
            recorder.expect(false, "\(need), which the profile of the run demands", seen: reason, level: .must)
            return .deviation
        }
        if let first = stops.first { return first.stop }
        let description = single.description
        if description.isDestructive, !permission.isDestructive {
            let effects = description.effects.filter(\.isDestructive).map(\.words).joined(separator: " and ")
            return .notRun("the case \(effects); --destructive allows it")
        }
        if !permission.actsByMachine.isSuperset(of: description.person), !permission.hasPerson {
            return .notRun("a person has to take part")
        }
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
            case .notRun(let reason), .blocked(let reason): (.notRun, reason)
            case .deviation, nil: (.passed, nil)
            }
        let isBlocked: Bool? = if case .blocked? = stop, verdict == .notRun { true } else { nil }
        return CaseResult(
            id: description.id, verdict: verdict, reason: reason, isBlocked: isBlocked, restoration: nil,
            deviations: deviations,
            exchanges: verdict == .failed || verdict == .warning ? recorder.exchanges : [],
            messages: recorder.exchangeCount,
            seconds: (clock() - began) / .seconds(1))
    }
}
