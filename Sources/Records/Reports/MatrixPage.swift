/// The content of an HTML report: a matrix of rows, such as requirements, and devices, whose cells open runs.
package struct MatrixPage: Sendable {
    /// The nouns of the page.
    package struct Words: Encodable, Sendable {
        let matrix: String
        /// The noun of a row, such as `requirement`.
        let row: String
        /// The noun of the things that belong to no row's subject, such as `scenario`.
        let scenario: String
        let run: String
        /// The noun of a column, such as `device`.
        let device: String

        package init(matrix: String, row: String, scenario: String, run: String, device: String) {
            (self.matrix, self.row, self.scenario, self.run, self.device) = (matrix, row, scenario, run, device)
        }
    }

    /// Rows under one heading.
    package struct Group: Encodable, Sendable {
        let id: String
        let title: String

        package init(id: String, title: String) {
            self.id = id
            self.title = title
        }
    }

    package struct Row: Encodable, Sendable {
        let id: String
        let title: String
        let group: String
        let gap: String?
        let reason: String?

        /// - Parameter gap: why it has no run, in a word or two.
        package init(id: String, title: String, group: String, gap: String? = nil, reason: String? = nil) {
            (self.id, self.title, self.group, self.gap, self.reason) = (id, title, group, gap, reason)
        }
    }

    package enum Outcome: String, Encodable, Sendable {
        case passed, failed, warning
        /// A failure that a baseline knows.
        case known = "known to fail"
        case notApplicable = "not applicable"
        case notRun = "not run"
    }

    /// One run: cells count and open runs.
    package struct Run: Sendable {
        package var name: String
        package var scenario: String
        package var file: String
        package var outcome: Outcome
        /// The columns' devices for each row that the run shows.
        package var shows: [String: [String]]
        /// The outcomes of rows that differ from the run's own.
        package var results: [String: Outcome] = [:]
        package var devices: [String]
        package var role: String?
        package var style: String?
        package var provider: String?
        /// The observation that several failures share; nil if failures are not grouped.
        package var cause: String?
        package var steps: [Step]
        /// Lines below the steps.
        package var trace: [String]

        package init(
            name: String, scenario: String, file: String, outcome: Outcome, shows: [String: [String]],
            devices: [String],
            steps: [Step], trace: [String] = []
        ) {
            self.name = name
            self.scenario = scenario
            self.file = file
            self.outcome = outcome
            self.shows = shows
            self.devices = devices
            self.steps = steps
            self.trace = trace
        }
    }

    package struct Step: Sendable {
        /// The part of a run that a step stands for.
        package enum Role: String, Encodable, Sendable {
            /// An act with expectations of its own.
            case act
            /// A message and its answer, which are evidence and have no outcome.
            case exchange
            /// The outcome of the whole run.
            case verdict
        }

        let number: Int
        let role: Role
        let title: String
        /// The file that declares it; nil for a step of no file.
        let file: String?
        let device: String?
        let wasPlayed: Bool
        /// The rows that it shows.
        let shows: [String]
        /// The expectations that were met.
        let met: [Difference]
        let differences: [Difference]
        let timeline: [Entry]

        package init(
            number: Int, role: Role = .act, title: String, file: String? = nil, device: String? = nil,
            wasPlayed: Bool = true, shows: [String] = [], met: [Difference] = [], differences: [Difference] = [],
            timeline: [Entry] = []
        ) {
            self.number = number
            self.role = role
            self.title = title
            self.file = file
            self.device = device
            self.wasPlayed = wasPlayed
            self.shows = shows
            self.met = met
            self.differences = differences
            self.timeline = timeline
        }
    }

    /// An expectation and the observation, which may differ.
    package struct Difference: Sendable {
        let line: Int?
        let subject: String
        let expected: String?
        let seen: String

        package init(line: Int? = nil, subject: String, expected: String?, seen: String) {
            (self.line, self.subject, self.expected, self.seen) = (line, subject, expected, seen)
        }
    }

    package struct Entry: Sendable {
        /// Seconds since the run began; nil where the order alone counts.
        let time: Double?
        /// The index of its lane.
        let lane: Int
        let text: String
        let detail: String?
        let device: String?

        package init(time: Double? = nil, lane: Int, text: String, detail: String? = nil, device: String? = nil) {
            (self.time, self.lane, self.text, self.detail, self.device) = (time, lane, text, detail, device)
        }
    }

    /// The heading.
    package var title = "Touchstone report"
    /// Lines about where the runs come from, such as the time and the program's version.
    package var origins: [String] = []
    /// The heading of the lines below a run's steps.
    package var traceTitle = "Trace of the messages"
    /// The time that the runs took together, in seconds; nil where it is not known.
    package var seconds: Double?
    /// The titles of the devices.
    package var deviceTitles: [String: String] = [:]
    /// The meaning of each expectation's word.
    package var meanings: [String: String] = [:]
    let words: Words
    let groups: [Group]
    let rows: [Row]
    let lanes: [String]
    let runs: [Run]

    package init(words: Words, groups: [Group], rows: [Row], lanes: [String], runs: [Run]) {
        (self.words, self.groups, self.rows, self.lanes, self.runs) = (words, groups, rows, lanes, runs)
    }
}
