public import Devices

/// Something that was not as a scenario expected.
public struct Mismatch: Hashable, Sendable, Codable {
    /// The line of the expectation; nil when it was not written down.
    public let line: Int?
    /// What was looked at.
    public let subject: String
    /// What it should have been.
    public let expected: String
    /// What it was.
    public let seen: String
}

/// What a played scenario came to.
public struct ScenarioReport: Sendable, Codable {
    /// What happens in it, in one line.
    public let name: String
    /// The file it was read from.
    public let file: String
    /// The requirements it shows, by identifier.
    public let requirements: [String]
    /// Its steps in order, those that were not played included.
    public let steps: [StepReport]
    /// How many seconds it took.
    public let realSeconds: Double
    /// How many seconds passed on the devices' clock.
    public let simulatedSeconds: Double

    /// Whether every step was played and was as expected.
    public var passed: Bool { steps.allSatisfy(\.passed) }
}

/// What one step came to, told from each side.
public struct StepReport: Sendable, Codable {
    /// Its place in the scenario, counted from 1.
    public let number: Int
    /// The line it is written on.
    public let line: Int
    /// What happened, in words.
    public let title: String
    /// The device it happened on; nil for a step on none.
    public let device: String?
    /// Whether it was played; a step after a failed one is not.
    public let wasPlayed: Bool
    /// What the device and its person did.
    public let did: [String]
    /// What CTAP answered: each command with its status, and the reason of a refusal.
    public let ctap: [String]
    /// What the relying party saw.
    public let server: [String]
    /// What a page and an app would have been told, line by line.
    public let told: [String]
    /// Why it failed, as the error faces name it; nil when it did not.
    public let cause: String?
    /// What the failure looks like through each interface an app has.
    public let faces: [Face]
    /// What was not as expected; none when the step passed, or was not played.
    public let mismatches: [Mismatch]
    /// What was not done or not looked at, because the device is a real one.
    public let notes: [String]
    /// Everything that happened in the device, for a step that failed.
    public let events: [EventDescription]

    /// Whether the step was played and was as expected.
    public var passed: Bool { wasPlayed && mismatches.isEmpty }
}
