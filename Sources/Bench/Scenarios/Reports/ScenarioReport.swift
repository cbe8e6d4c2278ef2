package import PlatformErrors
package import SimulatedDevice

/// Something that was not as a scenario expected.
package struct Mismatch: Hashable, Sendable, Codable {
    /// The line of the expectation; nil when it was not written down.
    package let line: Int?
    /// What was looked at.
    package let subject: String
    /// What it should have been.
    package let expected: String
    /// What it was.
    package let seen: String
}

/// What a played scenario came to.
package struct ScenarioReport: Sendable, Codable {
    /// What happens in it, in one line.
    package let name: String
    /// The file it was read from.
    package let file: String
    /// The requirements it shows, by identifier.
    package let requirements: [String]
    /// Its steps in order, those that were not played included.
    package let steps: [StepReport]
    /// How many seconds it took.
    package let realSeconds: Double
    /// How many seconds passed on the devices' clock.
    package let simulatedSeconds: Double

    /// Whether every step was played and was as expected.
    package var passed: Bool { steps.allSatisfy(\.passed) }
}

/// What one step came to, told from each side.
package struct StepReport: Sendable, Codable {
    /// Its place in the scenario, counted from 1.
    package let number: Int
    /// The line it is written on.
    package let line: Int
    /// What happened, in words.
    package let title: String
    /// The device it happened on; nil for a step on none.
    package let device: String?
    /// Whether it was played; a step after a failed one is not.
    package let wasPlayed: Bool
    /// What the device and its person did.
    package let did: [String]
    /// What CTAP answered: each command with its status, and the reason of a refusal.
    package let ctap: [String]
    /// What the relying party saw.
    package let server: [String]
    /// What a page and an app would have been told, line by line.
    package let told: [String]
    /// Why it failed, as ``PlatformErrorTable`` names it; nil when it did not.
    package let cause: String?
    /// What the failure looks like through each interface an app has.
    package let platformErrors: [PlatformError]
    /// What was not as expected; none when the step passed, or was not played.
    package let mismatches: [Mismatch]
    /// What was not done or not looked at, because the device is a real one.
    package let notes: [String]
    /// Everything that happened in the device, for a step that failed.
    package let events: [EventDescription]

    private enum CodingKeys: String, CodingKey {
        case number, line, title, device, wasPlayed, did, ctap, server, told, cause
        case platformErrors = "faces"
        case mismatches, notes, events
    }

    /// Whether the step was played and was as expected.
    package var passed: Bool { wasPlayed && mismatches.isEmpty }
}
