package import CTAP
package import WebAuthnClient

/// A real device in the place of one that a scenario would simulate.
package struct RealDevice: Sendable {
    /// The place of its user.
    package enum Person: Sendable {
        /// At this terminal: the user is told what to do, and asked for the PIN.
        case here
        /// Elsewhere, as behind UDP: the user is told nothing, and the scenario types the PINs.
        case elsewhere
    }

    let ctap: any CTAPDevice
    let person: Person
    let environment: ClientEnvironment
    let tell: @Sendable (String) -> Void

    /// - Parameters:
    ///   - ctap: the opened device.
    ///   - person: where its user is.
    ///   - environment: the source of the client's time, randomness, PIN and choice of account.
    ///   - tell: tells the user what to do while the device waits for them.
    package init(
        ctap: any CTAPDevice, person: Person, environment: ClientEnvironment,
        tell: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.ctap = ctap
        self.person = person
        self.environment = environment
        self.tell = tell
    }
}
