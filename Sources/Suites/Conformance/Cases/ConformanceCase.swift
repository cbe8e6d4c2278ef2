/// A case of a suite: a demand of a specification, and the steps that decide whether the subject meets it.
package struct ConformanceCase<Bench: ConformanceBench>: Sendable {
    package internal(set) var description: CaseDescription
    package let needs: [Bench.Need]
    let perform: @Sendable (Bench, CaseRecorder) async throws -> Void

    /// - Parameters:
    ///   - id: a stable identifier, such as `makeCredential.excludeList.match`: the group's name, then words joined by dots.
    ///   - title: one sentence about the behaviour.
    ///   - clause: the clause that demands it.
    ///   - needs: the preconditions; without one the case is not applicable, or not run.
    ///   - effects: the changes that it makes to the subject.
    ///   - person: the acts of a person, in order.
    ///   - perform: the steps; a thrown ``CaseStop`` ends them.
    package init(
        _ id: String, _ title: String, _ clause: Clause, level: Level = .must, needs: [Bench.Need] = [],
        effects: Set<CaseEffect> = [], person: [ManualAct] = [],
        _ perform: @escaping @Sendable (Bench, CaseRecorder) async throws -> Void
    ) {
        description = CaseDescription(
            id: id, title: title, clause: clause, level: level, needs: needs.map { "\($0)" },
            effects: CaseEffect.allCases.filter(effects.contains), person: person, official: [])
        self.needs = needs
        self.perform = perform
    }
}

/// A case without its steps, for lists and reports.
package struct CaseDescription: Codable, Hashable, Sendable {
    package let id: String
    package let title: String
    package let clause: Clause
    package let level: Level
    package let needs: [String]
    package let effects: [CaseEffect]
    package let person: [ManualAct]
    /// The identifiers of the FIDO conformance tool about the same behaviour; the suite's table has them.
    package internal(set) var official: [String]

    /// Whether a run performs it only with the user's permission.
    package var isDestructive: Bool { effects.contains(where: \.isDestructive) }

    package var group: String { String(id.prefix { $0 != "." }) }
}

/// The cases of a suite under one heading.
package struct ConformanceGroup<Bench: ConformanceBench>: Sendable {
    /// The first part of its cases' identifiers.
    package let name: String
    package let title: String
    package internal(set) var cases: [ConformanceCase<Bench>]

    package init(_ name: String, _ title: String, _ cases: [ConformanceCase<Bench>]) {
        self.name = name
        self.title = title
        self.cases = cases
    }
}
