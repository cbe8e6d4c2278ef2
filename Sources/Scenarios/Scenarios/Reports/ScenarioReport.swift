package import Causes
package import PlatformErrors
package import SimulatedDevice

/// A difference between an expectation and an observation.
package struct Mismatch: Hashable, Sendable, Codable {
    /// The line of the expectation; nil for an implicit one.
    package let line: Int?
    /// The observed quantity, such as `outcome`.
    package let subject: String
    /// The expected value; nil for a step that was not played to its end.
    package let expected: String?
    /// The observed value, or the reason why the step was not played to its end.
    package let seen: String

    /// An act that changed nothing.
    static func withoutEffect(line: Int, because reason: String) -> Mismatch {
        Mismatch(line: line, subject: "act", expected: "an effect", seen: "none: \(reason)")
    }

    package func words(line: Int? = nil) -> String {
        let place = line.map { " (line \($0))" } ?? ""
        guard let expected else { return seen + place }
        return "\(subject)\(place): expected \(expected), saw \(seen)"
    }
}

/// An expectation that a step states, with the observed value.
package struct CheckedExpectation: Hashable, Sendable, Codable {
    package let line: Int
    /// The observed quantity, such as `outcome`.
    package let subject: String
    package let expected: String
    package let seen: String
    package let isMet: Bool
}

/// The reference app of a run.
package struct AppFacts: Hashable, Sendable, Codable {
    package let style: String
    /// The role of the user who logs in at the providers.
    package let role: String
    /// Whether the scenario states the style.
    package let namesStyle: Bool
    /// Whether the scenario states the role.
    package let namesRole: Bool
}

/// A device of a run.
package struct DeviceFacts: Hashable, Sendable, Codable {
    /// The title of its profile, or of the real key.
    package let title: String
    /// Whether a real key stands for it.
    package let isReal: Bool
}

/// The report of a played scenario.
package struct ScenarioReport: Sendable, Codable {
    /// Its place among all selected runs, counted from 1.
    package let number: Int
    package internal(set) var part: ReportPart
    package let name: String
    /// The scenario's name, which its runs share.
    package let scenario: String
    /// The values of the matrix's parameters.
    package let parameters: [String: String]
    /// The reference app; nil where the scenario does not configure it.
    package let app: AppFacts?
    /// The profiles of the devices, by the devices' names.
    package let devices: [String: String]
    /// More about the devices, by the devices' names; nil in the reports of version 0.1.0.
    package let deviceFacts: [String: DeviceFacts]?
    package let file: String
    /// The seed of the devices' and the relying party's randomness.
    package let seed: UInt64
    package let requirements: [String]
    /// Its steps in order, including those that were not played.
    package let steps: [StepReport]
    /// The real duration in seconds.
    package let realSeconds: Double
    /// The duration on the devices' clock in seconds.
    package let simulatedSeconds: Double
    /// The buttons and fields that the user used in the reference app; nil where the scenario does not play it.
    package let taps: Int?

    /// The CTAP messages and events as lines; nil if they were not recorded.
    package let trace: [String]?

    package var passed: Bool { steps.allSatisfy(\.passed) }
}

/// The report of one step, as each side observed it.
package struct StepReport: Sendable, Codable {
    /// Its number in the scenario, counted from 1.
    package let number: Int
    /// The file that declares it: the scenario's, or one that the scenario names under `before`.
    package let file: String
    package let line: Int
    /// The step in a few words, the same in every run.
    package let name: String
    /// The step in a few words, with the refusal that ended it.
    package let title: String
    /// The device it happened on; nil for a step at the relying party.
    package let device: String?
    package let requirements: [String]
    /// Whether it was played; steps after a failed one are not.
    package let wasPlayed: Bool
    /// The acts of the device and its user.
    package let did: [String]
    /// The CTAP commands and their statuses, with the reason of a refusal.
    package let ctap: [String]
    /// The relying party's requests and responses.
    package let server: [String]
    /// The errors that a page and an app get.
    package let told: [String]
    /// The cause of a failure; nil on success.
    package let cause: Cause?
    /// The errors of each interface an app has.
    package let platformErrors: [PlatformError]
    /// The expectations that the step states and that were checked; empty when it was not played to its end.
    package let checks: [CheckedExpectation]
    /// The differences from the expectation; empty when the step passed, or was not played.
    package internal(set) var mismatches: [Mismatch]
    /// The acts and checks omitted because the device is a real one.
    package let notes: [String]
    /// The device's events, for a step that failed.
    package let events: [EventDescription]
    package let timeline: [TimelineEntry]
    /// The real duration in seconds; 0 for a step that was not played.
    package let realSeconds: Double

    private enum CodingKeys: String, CodingKey {
        case number, file, line, name, title, device, requirements, wasPlayed, did, ctap, server, told, cause
        case platformErrors = "faces"
        case checks, mismatches, notes, events, timeline, realSeconds
    }

    package var passed: Bool { wasPlayed && mismatches.isEmpty }
}
