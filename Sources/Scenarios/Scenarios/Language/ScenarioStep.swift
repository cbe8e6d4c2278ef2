package import DeviceActs
package import Documents
package import SimulatedDevice

/// One thing that happens in a scenario.
package struct ScenarioStep: Sendable {
    /// The place it is written at.
    package let place: SourcePlace
    /// The word it is written with, one of ``words``.
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
    /// The expected observations.
    package let expectation: Expectation
    /// The requirements that the expectation looks at.
    package let requirements: [String]

    /// The line it is written on.
    package var line: Int { place.line }

    /// Something done to the device during a prompt.
    package struct Interruption: Sendable {
        /// The line it is written on.
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
        /// A step at the relying party.
        case site(SiteStep)
        /// A step at a service beside the relying party.
        case service(ServiceStep)
        /// A WebAuthn ceremony.
        case ceremony(CeremonyStep)
        /// A step of a page that offers passkeys.
        case page(PageStep)
        /// A step that changes a device.
        case device(DeviceStep)
        /// The user's act in the reference app.
        case app(AppStep)
        /// Moves the clock.
        case wait(Duration)
        /// Only checks the device's state.
        case check
    }

    /// Every word a step can be written with.
    package static let words = StepVerb.all.map(\.word)
}
