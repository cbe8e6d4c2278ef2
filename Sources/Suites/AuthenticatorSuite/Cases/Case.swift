internal import CTAP
internal import Conformance

typealias Case = AuthenticatorSuite.Case
typealias CaseTable = Conformance.CaseTable<AuthenticatorBench>

extension ConformanceCase where Bench == AuthenticatorBench {
    /// - Parameter resets: whether the case ends with a reset, whatever its verdict is; default: if it changes settings.
    init(
        _ id: String, _ title: String, _ clause: Clause, level: Level = .must, from start: StartingState = .any,
        needs: [AuthenticatorNeed] = [], effects: Set<CaseEffect> = [], person: [ManualAct] = [],
        resets: Bool? = nil, steps: @escaping @Sendable (AuthenticatorBench) async throws -> Void
    ) {
        let resets = resets ?? effects.contains(.changesSettings)
        let all = effects.union(start.effects).union(resets ? [.erases] : [])
        let reset: [AuthenticatorNeed] = all.contains(.erases) && !needs.contains(.resetElsewhere) ? [.reset] : []
        self.init(
            id, title, clause, level: level, needs: start.needs + reset + needs,
            effects: all, person: start.person + person + (resets ? .reset : [])
        ) { bench, _ in
            try await bench.begin(in: start)
            guard resets else { return try await steps(bench) }
            do {
                try await steps(bench)
            } catch {
                try await bench.takeBackSettings()
                throw error
            }
            try await bench.takeBackSettings()
        }
    }
}
