package import Reports

extension MatrixPage {
    /// Scenario reports: a matrix of requirements and devices, whose cells open the timeline of a run.
    package init(_ reports: [ScenarioReport], catalogue: RequirementCatalogue = .shared) {
        self.init(
            words: Words(
                matrix: "Requirements by device, role and style", row: "requirement", scenario: "scenario", run: "run"),
            groups: catalogue.groups.sorted { $0.key < $1.key }.map {
                Group(id: $0.key, title: "\($0.key) · \($0.value)")
            },
            rows: catalogue.requirements.map { requirement in
                let gap: String? =
                    switch requirement.gap {
                    case .pending: "pending"
                    case .uncovered: "no scenario yet"
                    case nil: nil
                    }
                return Row(
                    id: requirement.id, title: requirement.title, group: String(requirement.id.prefix(1)), gap: gap,
                    reason: requirement.gap?.reason)
            },
            lanes: TimelineEntry.Lane.allCases.map(\.title), runs: reports.map(\.run))
    }
}

extension ScenarioReport {
    fileprivate var run: MatrixPage.Run {
        var run = MatrixPage.Run(
            name: name, scenario: scenario, file: file, outcome: passed ? .passed : .failed, shows: personas,
            devices: Set(devices.values).sorted(), steps: steps.map(\.matrixStep), trace: trace ?? [])
        run.role = parameters["role"] ?? app?.role
        run.style = parameters["style"] ?? app?.style
        run.provider = parameters["provider"]
        return run
    }

    /// The profiles of the devices at which it shows each requirement; all of them for a requirement that no step at a device shows.
    private var personas: [String: [String]] {
        var personas: [String: Set<String>] = [:]
        for step in steps {
            for requirement in step.requirements {
                let profile = step.device.flatMap { devices[$0] }
                personas[requirement, default: []].formUnion(profile.map { [$0] } ?? Array(devices.values))
            }
        }
        for requirement in requirements where personas[requirement] == nil {
            personas[requirement] = Set(devices.values)
        }
        return personas.mapValues { $0.sorted() }
    }
}

extension StepReport {
    fileprivate var matrixStep: MatrixPage.Step {
        MatrixPage.Step(
            number: number, title: title, device: device, wasPlayed: wasPlayed,
            differences: mismatches.map { mismatch in
                MatrixPage.Difference(
                    line: mismatch.line ?? line, subject: mismatch.subject, expected: mismatch.expected,
                    seen: mismatch.seen)
            },
            timeline: timeline.map { entry in
                MatrixPage.Entry(
                    time: entry.time, lane: TimelineEntry.Lane.allCases.firstIndex(of: entry.lane) ?? 0,
                    text: entry.text, detail: entry.detail, device: entry.device)
            })
    }
}
