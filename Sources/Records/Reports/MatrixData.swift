/// The data of a page's script.
///
/// Texts repeat often, so a table holds them and the data have their numbers.
struct MatrixData: Encodable {
    private let title: String
    private let seconds: Double?
    private let origins: [String]
    private let traceTitle: String
    private let words: MatrixPage.Words
    private let deviceTitles: [String: String]
    private let meanings: [String: String]
    private let groups: [MatrixPage.Group]
    private let rows: [MatrixPage.Row]
    private let lanes: [String]
    private let runs: [Run]
    private let strings: [String]

    private struct Run: Encodable {
        let name: Int
        let scenario: Int
        let file: Int
        let outcome: MatrixPage.Outcome
        let shows: [String: [String]]
        let results: [String: MatrixPage.Outcome]
        let personas: [String]
        let role: String?
        let style: String?
        let provider: String?
        let cause: Int?
        let steps: [Step]
        let trace: [Int]
    }

    private struct Step: Encodable {
        let number: Int
        let role: MatrixPage.Step.Role
        let title: Int
        let file: Int?
        let device: Int?
        let played: Bool
        let shows: [String]
        let met: [Difference]
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
        let time: Double?
        let numbers: [Int?]

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(time)
            for number in numbers { try container.encode(number) }
        }
    }

    init(_ page: MatrixPage) {
        var table = StringTable()
        title = page.title
        seconds = page.seconds
        origins = page.origins
        traceTitle = page.traceTitle
        words = page.words
        deviceTitles = page.deviceTitles
        meanings = page.meanings
        groups = page.groups
        rows = page.rows
        lanes = page.lanes
        runs = page.runs.map { run in
            Run(
                name: table.number(of: run.name), scenario: table.number(of: run.scenario),
                file: table.number(of: run.file), outcome: run.outcome, shows: run.shows, results: run.results,
                personas: run.devices,
                role: run.role, style: run.style, provider: run.provider,
                cause: run.cause.map { table.number(of: $0) },
                steps: run.steps.map { Self.step($0, &table) }, trace: run.trace.map { table.number(of: $0) })
        }
        strings = table.strings
    }

    private static func step(_ step: MatrixPage.Step, _ table: inout StringTable) -> Step {
        Step(
            number: step.number, role: step.role, title: table.number(of: step.title),
            file: step.file.map { table.number(of: $0) }, device: step.device.map { table.number(of: $0) },
            played: step.wasPlayed,
            shows: step.shows, met: step.met.map { Self.difference($0, &table) },
            mismatches: step.differences.map { Self.difference($0, &table) },
            timeline: step.timeline.map { entry in
                Entry(
                    time: entry.time,
                    numbers: [
                        entry.lane, table.number(of: entry.text), entry.detail.map { table.number(of: $0) },
                        entry.device.map { table.number(of: $0) },
                    ])
            })
    }

    private static func difference(_ difference: MatrixPage.Difference, _ table: inout StringTable) -> Difference {
        Difference(
            line: difference.line, subject: table.number(of: difference.subject),
            expected: difference.expected.map { table.number(of: $0) }, seen: table.number(of: difference.seen))
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
