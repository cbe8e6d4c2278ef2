package import CTAP
package import WebAuthnClient

/// A real device that replaces a simulated device of a scenario.
package struct RealDevice: Sendable {
    package enum UserPlace: Sendable {
        /// At this terminal: the user gets instructions, and is asked for the PIN.
        case here
        /// Not at this terminal, as behind UDP: the user gets no instructions, and the scenario types the PINs.
        case elsewhere
    }

    let ctap: any CTAPDevice
    let person: UserPlace
    let environment: ClientEnvironment
    let tell: @Sendable (String) -> Void

    /// - Parameters:
    ///   - environment: the source of the client's time, randomness, PIN and choice of account.
    ///   - tell: shows the user an instruction while the device waits.
    package init(
        ctap: any CTAPDevice, person: UserPlace, environment: ClientEnvironment,
        tell: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.ctap, self.person, self.environment, self.tell) = (ctap, person, environment, tell)
    }
}
