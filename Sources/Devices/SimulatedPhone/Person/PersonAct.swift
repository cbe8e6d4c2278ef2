public import Biometrics
internal import SimulatedDevice

/// An act of the user at a prompt.
///
/// The acts are those of scenarios. An act that a prompt does not ask for waits for a later prompt.
/// ``Phone/checkActs()`` reports an act that stays without an effect.
public struct PersonAct: Hashable, Sendable, CustomStringConvertible {
    let act: UserAct

    init(_ act: UserAct) { self.act = act }

    /// An act at the phone's sensors or its passcode, by the type of the library `Biometrics`.
    public static func gate(_ act: GateAct) -> PersonAct { PersonAct(.gate(act)) }

    /// The act's word in scenarios, such as `no-match`.
    public var description: String { act.word }
}

/// Samples at a sensor: at the given one, or at the first one that the prompt uses.
extension PersonAct {
    /// Shows the enrolled face or finger.
    public static let match = gate(.match())
    /// Shows the enrolled face or finger to one of several sensors.
    public static func match(on sensor: BiometricModality) -> PersonAct { gate(.sample(.match(), on: sensor)) }
    /// Shows a face or finger that is not enrolled; it counts as a failed attempt.
    public static let noMatch = gate(.nonMatch)
    /// Shows a face or finger that is not enrolled to one of several sensors.
    public static func noMatch(on sensor: BiometricModality) -> PersonAct { gate(.sample(.nonMatch, on: sensor)) }
    /// Shows the enrolled face without looking at the sensor; a sensor that requires attention does not match it.
    public static let inattentiveMatch = gate(.inattentiveMatch)
    /// Shows a mask or a copy; the sensor rejects it and counts a failed attempt.
    public static let spoof = gate(.spoof)
    /// Shows too little to compare; the sensor gives a hint, and most devices do not count an attempt.
    public static func badCapture(_ hint: AcquiredHint = .partial) -> PersonAct { gate(.badCapture(hint)) }
    /// Touches the device, or its fingerprint sensor with an enrolled finger.
    public static let touch = PersonAct(.touch)
    /// Makes the sensor end the prompt with an error; it works again at the next prompt.
    public static func sensorError(_ error: SensorError) -> PersonAct { gate(.sensorError(error)) }
}

/// The passcode and the buttons of a prompt.
extension PersonAct {
    /// Enters the passcode, correctly or not.
    public static func passcode(correct: Bool) -> PersonAct { gate(.passcode(correct: correct)) }
    /// Presses the fallback button, such as "Enter Password", if the prompt offers it.
    public static let fallback = gate(.fallback)
    /// Presses Cancel.
    public static let cancel = gate(.cancelByUser)
    /// Starts a paused sensor again, as users do without a plan.
    public static let tryAgain = gate(.tryAgain)
    /// Closes a prompt whose sensor has stopped, or closes the question for the passcode.
    public static let giveUp = gate(.giveUp)
    /// Confirms a match, as users do without a plan.
    public static let confirm = gate(.confirm)
    /// Declines to confirm a match.
    public static let declineConfirmation = gate(.declineConfirmation)
    /// Types the challenge phrase, as users do without a plan.
    public static let challengePhrase = gate(.challengePhrase)
    /// Does nothing until the prompt's deadline; the phone's clock moves to it.
    public static let ignore = gate(.noAnswer)
    /// Presses the power button, which ends the prompt and locks the phone.
    public static let powerButton = gate(.powerButton)
    /// Chooses an account in a list of passkeys, counted from 1; the newest passkey is the first.
    public static func choose(_ number: Int) -> PersonAct { PersonAct(.choose(number - 1)) }
}

/// Events that end a prompt without the user.
extension PersonAct {
    /// The system cancels the prompt, as for a telephone call or a locked screen.
    public static let systemCancel = gate(.cancelBySystem)
    /// The app cancels the prompt.
    public static let appCancel = gate(.cancelByApp)
    /// The user leaves the app, which moves to the background.
    public static let leaveScreen = gate(.leaveScreen)
}
