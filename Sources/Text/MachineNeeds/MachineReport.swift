/// What a computer is ready for, and the parts that it lacks.
package struct MachineReport: Hashable, Sendable, Encodable {
    /// A use with the parts that it lacks.
    package struct Readiness: Hashable, Sendable, Encodable {
        package let use: MachineUse
        /// The parts that it needs and that do not work.
        package let lacks: [MachineNeed]
        /// The parts that only some of its options need and that do not work.
        package let without: [MachineNeed]

        /// Whether it has all that it needs.
        package var isReady: Bool { lacks.isEmpty }

        private enum CodingKeys: String, CodingKey {
            case name
            case command
            case ready
            case lacks
            case without
        }

        package func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(use.rawValue, forKey: .name)
            try values.encode(use.command, forKey: .command)
            try values.encode(isReady, forKey: .ready)
            try values.encode(lacks.map(\.rawValue), forKey: .lacks)
            try values.encode(without.map(\.rawValue), forKey: .without)
        }
    }

    /// The operating system in words.
    package let system: String
    package let uses: [Readiness]
    /// The parts that the uses need or profit from.
    package let findings: [NeedFinding]

    package init(system: String, uses: [MachineUse], findings: [NeedFinding]) {
        self.system = system
        self.findings = findings
        let working = Set(findings.filter { $0.state == .works }.map(\.need))
        self.uses = uses.map { use in
            Readiness(
                use: use, lacks: use.needs.filter { !working.contains($0) },
                without: use.extras.filter { !working.contains($0) })
        }
    }

    /// Whether a use is in the report and has all that it needs.
    package func isReady(for use: MachineUse) -> Bool { uses.contains { $0.use == use && $0.isReady } }

    /// Whether each use of the report has all that it needs.
    package var isReadyForAll: Bool { uses.allSatisfy(\.isReady) }
}
