package import CTAP
package import KnownKeys
internal import SecurityKeys
package import Trace

/// Compares the answers of devices to the same requests.
package struct DeviceComparison: Encodable, Sendable {
    package typealias Verdict = InfoTable.Verdict

    /// One compared value.
    package struct Row: Encodable, Hashable, Sendable {
        /// `getInfo.maxMsgSize`, `getAssertion.rk`, `getAssertion.flags`.
        package let name: String
        /// The meaning of a member, or the request.
        package let about: String
        /// The clause that determines the answer.
        package let clause: String
        /// Each device's value, in the order of the devices.
        package let values: [String]
        package let verdict: Verdict
    }

    /// The durations of one request.
    package struct Timing: Encodable, Hashable, Sendable {
        package let name: String
        /// Each device's median; nil where it was not measured.
        package let milliseconds: [Double?]
        /// The same, as multiples of the first device's.
        package let ratios: [Double?]
    }

    /// The names of the devices.
    package let devices: [String]
    package let rows: [Row]
    package let timings: [Timing]

    /// The number of rows that differ in more than state.
    package var differenceCount: Int { rows.count { $0.verdict == .different } }

    private enum CodingKeys: String, CodingKey {
        case devices, rows, timings, differences
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(devices, forKey: .devices)
        try container.encode(differenceCount, forKey: .differences)
        try container.encode(rows, forKey: .rows)
        try container.encode(timings, forKey: .timings)
    }

    /// Sends every probe to one device.
    ///
    /// - Throws: ``ProbeRunner/Failure`` when it disconnects or does not answer.
    package static func run(
        on device: any CTAPDevice, touching: Bool = false, now: @escaping @Sendable () -> Duration
    ) async throws(ProbeRunner.Failure) -> DeviceAnswers {
        try await ProbeRunner(touching: touching, now: now).run(on: device)
    }

    /// Compares the answers of devices to the same probes.
    package init(_ answers: [(device: String, answers: DeviceAnswers)]) {
        devices = answers.map(\.device)
        let all = answers.map(\.answers)
        var rows: [Row] = []
        var timings: [Timing] = []
        for (index, result) in (all.first?.results ?? []).enumerated() {
            let results = all.compactMap { $0.results.indices.contains(index) ? $0.results[index] : nil }
            guard results.count == all.count else { continue }
            rows += Self.rows(result.probe, results)
            if case .information = result.probe.reading { rows += Self.members(all) }
            if let timing = Self.timing(result.probe, results) { timings.append(timing) }
        }
        self.rows = rows
        self.timings = timings
    }

    // MARK: Rows

    private static func members(_ answers: [DeviceAnswers]) -> [Row] {
        InfoTable(answers.map(\.info)).rows.map { row in
            Row(
                name: "getInfo.\(row.name)", about: row.meaning, clause: "CTAP 2.3 §6.4", values: row.values,
                verdict: row.verdict)
        }
    }

    private static func rows(_ probe: Probe, _ results: [ProbeResult]) -> [Row] {
        let facts = results.map(AnswerFacts.init)
        let outcomes = facts.map(\.outcome)
        var rows = [
            Row(
                name: probe.name, about: probe.sends, clause: probe.clause, values: outcomes,
                verdict: Set(outcomes).count == 1 ? .same : .different)
        ]
        // A refusal has no parts to compare; the row above shows it.
        let answered = facts.filter { !$0.facts.isEmpty }
        guard answered.count == facts.count else { return rows }
        var names: [String] = []
        for fact in facts.flatMap(\.facts) where !names.contains(fact.name) { names.append(fact.name) }
        for name in names {
            let found = facts.map { facts in facts.facts.first { $0.name == name } }
            let isState = found.contains { $0?.isState == true }
            let values = found.map { $0?.value ?? "absent" }
            rows.append(
                Row(
                    name: "\(probe.name).\(name)", about: probe.sends, clause: probe.clause, values: values,
                    verdict: Set(values).count == 1 ? .same : isState ? .state : .different))
        }
        return rows
    }

    private static func timing(_ probe: Probe, _ results: [ProbeResult]) -> Timing? {
        let times = results.map { $0.medianDuration.map { $0 / .milliseconds(1) } }
        guard times.contains(where: { $0 != nil }) else { return nil }
        let first = times.first ?? nil
        return Timing(
            name: probe.name, milliseconds: times,
            ratios: times.map { time in
                guard let time, let first, first > 0 else { return nil }
                return time / first
            })
    }
}

extension BenchDevice {
    /// Sends every probe of ``DeviceComparison`` to the device.
    ///
    /// - Throws: ``KeyBenchError/notFound(_:)`` that names the device and the probe at which it failed;
    ///   `SecurityKeyError` when the calling task was cancelled.
    package func answers(
        of runner: ProbeRunner, trace: DeviceTrace? = nil
    ) async throws -> DeviceAnswers {
        do {
            return try await withDevice(trace: trace) { device in try await runner.run(on: device) }
        } catch  where Task.isCancelled {
            throw SecurityKeyError.refused(.keepaliveCancel)
        } catch let failure as ProbeRunner.Failure {
            throw KeyBenchError.notFound("\(title) (\(selector)) failed: \(failure)")
        } catch let error as CTAPDeviceError {
            throw KeyBenchError.notFound("\(title) (\(selector)) cannot be reached: \(error)")
        }
    }
}
