package import DeviceActs
package import Documents
package import SimulatedDevice

/// One thing that happens in a scenario.
package struct ScenarioStep: Sendable {
    package let place: SourcePlace
    package let word: String
    /// The device it happens on; nil for steps that need none.
    package let device: String?
    /// The user's acts, in order; afterwards the user agrees to everything.
    package let person: [UserAct]
    /// The PINs the user types, in order; afterwards they cancel.
    package let pins: [String]
    /// The act on the device during the first prompt for which no user act is left.
    package let interruptions: [Interruption]
    package let action: Action
    /// The place of the `together` that it belongs to; nil for a step that is played alone.
    package internal(set) var together: SourcePlace?
    /// The name of the session with the relying party that it belongs to; nil for the current one.
    let session: String?
    package let expectation: Expectation
    package let requirements: [String]

    package var line: Int { place.line }

    /// The names of the devices that take part.
    var devices: [String] {
        guard case .device(let action) = action, let other = action.otherDevice else {
            return device.map { [$0] } ?? []
        }
        return (device.map { [$0] } ?? []) + [other]
    }

    /// Something done to the device during a prompt.
    package struct Interruption: Sendable {
        package let line: Int
        /// The word it is written with, one of `DeviceAct.vocabulary`.
        package let word: String
        package let act: DeviceAct
        /// Its expected result: outcome, cause and answer.
        package let expectation: Expectation
    }

    /// The action, by the kind of step.
    ///
    /// Each kind declares its steps, their verbs, titles and performing in a file of its own. A further kind is a case
    /// here, a list of verbs in `StepVerb.all`, and a line in `ScenarioRunner`.
    package enum Action: Sendable {
        case site(SiteStep)
        case service(ServiceStep)
        case ceremony(CeremonyStep)
        case page(PageStep)
        case device(DeviceStep)
        case app(AppStep)
        /// Moves the clock.
        case wait(Duration)
        case setClockBack(Duration)
        /// Only checks the device's state.
        case check
    }

    package static let words = StepVerb.all.map(\.word)
}
