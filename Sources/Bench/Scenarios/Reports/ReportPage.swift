/// The data of the HTML report.
///
/// Texts, which repeat much, are numbers of a table.
struct ReportPage: Encodable {
    private let groups: [String: String]
    private let requirements: [Requirement]
    private let lanes: [String]
    private let runs: [Run]
    private let strings: [String]

    private struct Requirement: Encodable {
        let id: String
        let title: String
        let gap: String?
        let reason: String?
    }

    private struct Run: Encodable {
        let name: Int
        let scenario: Int
        let file: Int
        let passed: Bool
        /// The devices at which the run shows each requirement.
        let shows: [String: [String]]
        let personas: [String]
        let role: String?
        let style: String?
        let provider: String?
        let steps: [Step]
        let trace: [Int]
    }

    private struct Step: Encodable {
        let number: Int
        let title: Int
        let device: Int?
        let line: Int
        let played: Bool
        let mismatches: [Difference]
        let timeline: [Entry]
    }

    private struct Difference: Encodable {
        let line: Int?
        let subject: Int
        let expected: Int?
        let seen: Int
    }

    /// Time, lane, text, detail and device.
    private struct Entry: Encodable {
        let time: Double
        let numbers: [Int?]

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(time)
            for number in numbers { try container.encode(number) }
        }
    }

    init(_ reports: [ScenarioReport], _ catalogue: RequirementCatalogue) {
        var table = StringTable()
        let lanes = TimelineEntry.Lane.allCases
        groups = catalogue.groups
        requirements = catalogue.requirements.map { requirement in
            let gap: String? =
                switch requirement.gap {
                case .pending: "pending"
                case .uncovered: "no scenario yet"
                case nil: nil
                }
            return Requirement(id: requirement.id, title: requirement.title, gap: gap, reason: requirement.gap?.reason)
        }
        self.lanes = lanes.map(\.title)
        runs = reports.map { report in
            Run(
                name: table.number(of: report.name), scenario: table.number(of: report.scenario),
                file: table.number(of: report.file), passed: report.passed,
                shows: report.personas, personas: Set(report.devices.values).sorted(),
                role: report.parameters["role"] ?? report.app?.role,
                style: report.parameters["style"] ?? report.app?.style,
                provider: report.parameters["provider"],
                steps: report.steps.map { step in
                    Step(
                        number: step.number, title: table.number(of: step.title),
                        device: step.device.map { table.number(of: $0) }, line: step.line, played: step.wasPlayed,
                        mismatches: step.mismatches.map { mismatch in
                            Difference(
                                line: mismatch.line, subject: table.number(of: mismatch.subject),
                                expected: mismatch.expected.map { table.number(of: $0) },
                                seen: table.number(of: mismatch.seen))
                        },
                        timeline: step.timeline.map { entry in
                            Entry(
                                time: entry.time,
                                numbers: [
                                    lanes.firstIndex(of: entry.lane), table.number(of: entry.text),
                                    entry.detail.map { table.number(of: $0) },
                                    entry.device.map { table.number(of: $0) },
                                ])
                        })
                },
                trace: (report.trace ?? []).map { table.number(of: $0) })
        }
        strings = table.strings
    }
}

extension ScenarioReport {
    /// The profiles of the devices at which it shows each requirement; all of them for what no step at a device shows.
    fileprivate var personas: [String: [String]] {
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

/// Texts by number, each once.
private struct StringTable {
    private(set) var strings: [String] = []
    private var numbers: [String: Int] = [:]

    mutating func number(of text: String) -> Int {
        if let number = numbers[text] { return number }
        numbers[text] = strings.count
        strings.append(text)
        return strings.count - 1
    }
}
