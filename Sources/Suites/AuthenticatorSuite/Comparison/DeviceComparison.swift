internal import CBOR
internal import CTAP
internal import Conformance
internal import KnownKeys

/// Compares the answers of devices to the safe profile of the suite.
package struct DeviceComparison: Encodable, Sendable {
    package enum Verdict: String, Encodable, Sendable {
        case same
        /// The values differ, but depend on the single device or its setup, not on its model.
        case state
        /// The answers differ because the devices are in different states.
        case notComparable = "not-comparable"
        case different
    }

    package struct Row: Encodable, Hashable, Sendable {
        /// `getInfo.maxMsgSize`, `getAssertion.missing.rpId`, `clientPIN.pinRetries`.
        package let name: String
        /// The meaning of a member, or the demand of a case.
        package let about: String
        package let clause: String
        /// Each device's value, in the order of the devices.
        package let values: [String]
        package let verdict: Verdict
    }

    package struct Timing: Encodable, Hashable, Sendable {
        package let name: String
        /// Each device's median; nil where it was not measured.
        package let milliseconds: [Double?]
        /// The same, as multiples of the first device's.
        package let ratios: [Double?]
    }

    package let devices: [String]
    package let rows: [Row]
    /// The states because of which rows are not comparable.
    package let states: [StateDifference]
    package let timings: [Timing]

    /// The number of rows that differ in more than state.
    package var differenceCount: Int { rows.count { $0.verdict == .different } }

    private enum CodingKeys: String, CodingKey {
        case devices, rows, states, timings, differences
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(devices, forKey: .devices)
        try container.encode(differenceCount, forKey: .differences)
        try container.encode(rows, forKey: .rows)
        try container.encode(states, forKey: .states)
        try container.encode(timings, forKey: .timings)
    }

    package init(_ answers: [(device: String, answers: DeviceAnswers)]) {
        devices = answers.map(\.device)
        let all = answers.map(\.answers)
        let differing = Self.differingStates(all)
        let cases = Self.cases(answers, differing)
        rows = Self.members(all) + Self.retries(all) + cases.rows
        states = differing.filter(cases.causes.contains).map { state in
            StateDifference(values: all.map { state.words($0) ?? "" }, remedy: state.remedy)
        }
        timings = Self.timings(all)
    }

    private static func members(_ answers: [DeviceAnswers]) -> [Row] {
        InfoTable(answers.map { .map($0.infoMembers) }).rows.map { row in
            Row(
                name: "getInfo.\(row.name)", about: row.meaning, clause: "CTAP 2.3 §6.4", values: row.values,
                verdict: Verdict(row.verdict))
        }
    }

    private static func retries(_ answers: [DeviceAnswers]) -> [Row] {
        [("pinRetries", "the tries left for the PIN"), ("uvRetries", "the tries left at the sensor")].map {
            name, about in
            let values = answers.map { $0.retries[name].flatMap { $0 }.map(String.init) ?? "absent" }
            return Row(
                name: "clientPIN.\(name)", about: about, clause: "CTAP 2.3 §6.5.5", values: values,
                verdict: Set(values).count == 1 ? .same : .state)
        }
    }

    /// The rows of the cases, and the states because of which some are not comparable.
    private static func cases(
        _ answers: [(device: String, answers: DeviceAnswers)], _ differing: [SetUpState]
    ) -> (rows: [Row], causes: Set<SetUpState>) {
        var causes: Set<SetUpState> = []
        let comparison = RunComparison(
            answers.map { (ConformanceSubject(title: $0.device, facts: [:], command: ""), $0.answers.sides) },
            of: AuthenticatorSuite.comparison(touching: true).cases.map(\.description))
        let rows: [Row] = comparison.rows.compactMap { row in
            // A missing declaration of a device is a difference of getInfo.
            let isDeclared = row.sides.allSatisfy { $0.verdict != .notApplicable }
            guard isDeclared || row.sides.contains(where: { $0.verdict == .failed }) else { return nil }
            let statuses = answers.reduce(into: Set<CTAPStatus>()) { $0.formUnion($1.answers.statuses(of: row.id)) }
            let causing = row.isDifferent ? differing.filter { !$0.statuses.isDisjoint(with: statuses) } : []
            causes.formUnion(causing)
            return Row(
                name: row.id, about: row.description.title, clause: row.description.clause.description,
                values: row.sides.map(\.words),
                verdict: !row.isDifferent ? .same : causing.isEmpty ? .different : .notComparable)
        }
        return (rows, causes)
    }

    private static func timings(_ answers: [DeviceAnswers]) -> [Timing] {
        let medians = answers.map(\.medians)
        let commands = Set(medians.flatMap(\.keys)).sorted { $0.rawValue < $1.rawValue }
        return commands.map { command in
            let times = medians.map { $0[command].map { $0 / .milliseconds(1) } }
            let first = times.first ?? nil
            return Timing(
                name: "\(command)", milliseconds: times,
                ratios: times.map { time in
                    guard let time, let first, first > 0 else { return nil }
                    return time / first
                })
        }
    }
}

extension DeviceComparison.Verdict {
    fileprivate init(_ verdict: InfoTable.Verdict) {
        self =
            switch verdict {
            case .same: .same
            case .state: .state
            case .different: .different
            }
    }
}

extension RunComparison.Side {
    /// The answers, and the deviations from the specification.
    fileprivate var words: String {
        guard verdict != .notApplicable else { return "\(verdict.rawValue): \(seen.joined(separator: "; "))" }
        let answers = answers ?? []
        let deviations = seen.filter { seen in !answers.contains { seen.hasSuffix($0) } }
        return ([answers.joined(separator: ", then ")] + deviations).joined(separator: "; ")
    }
}
