/// Looks at the computer, and changes nothing.
package protocol MachineLookout: Sendable {
    /// The facts that decide which remedies the computer needs.
    var surroundings: MachineSurroundings { get }

    /// Looks at a part.
    func look(at need: MachineNeed) async -> Sighting
}

/// Looks at the parts that some uses need, and judges them.
package enum MachineSurvey {
    /// - Parameter uses: the uses of the report.
    package static func report(_ uses: [MachineUse], by lookout: some MachineLookout) async -> MachineReport {
        let wanted = Set(uses.flatMap { $0.needs + $0.extras })
        let sightings = await withTaskGroup(of: (MachineNeed, Sighting).self) { group in
            for need in wanted { group.addTask { (need, await lookout.look(at: need)) } }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        let findings = MachineNeed.allCases.compactMap { need in
            sightings[need].map { NeedFinding(need, $0, in: lookout.surroundings) }
        }
        return MachineReport(system: lookout.surroundings.title, uses: uses, findings: findings)
    }
}
