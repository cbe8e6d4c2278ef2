public import Biometrics
internal import SimulatedDevice

/// An act of the user at a prompt.
///
/// The acts are those of scenarios. One that a prompt does not ask for waits for the next prompt that does, or stays
/// without an effect, which ``Phone/checkActs()`` reports.
public struct PersonAct: Hashable, Sendable, CustomStringConvertible {
    let act: UserAct

    init(_ act: UserAct) { self.act = act }

    /// An act at the gate of the phone's sensors and its passcode.
    public static func gate(_ act: GateAct) -> PersonAct { PersonAct(.gate(act)) }

    /// The act's word in scenarios, such as `no-match`.
    public var description: String { act.word }
}

/// Samples at a sensor; without a name, at the first one that the prompt uses.
extension PersonAct {
    /// Shows the enrolled face or finger.
    public static let match = gate(.match())
    /// Shows the enrolled face or finger to one of several sensors.
    public static func match(on sensor: BiometricModality) -> PersonAct { gate(.sample(.match(), on: sensor)) }
    /// Shows a face or finger that is not enrolled; it counts as a failed attempt.
    public static let noMatch = gate(.nonMatch)
    /// Shows a face or finger that is not enrolled to one of several sensors.
    public static func noMatch(on sensor: BiometricModality) -> PersonAct { gate(.sample(.nonMatch, on: sensor)) }
    /// Shows the enrolled face without looking; no match where the sensor requires attention.
    public static let inattentiveMatch = gate(.inattentiveMatch)
    /// Shows a mask or a copy, which the sensor rejects; it counts as a failed attempt.
    public static let spoof = gate(.spoof)
    /// Shows too little to compare; the sensor gives a hint, and on most devices counts nothing.
    public static func badCapture(_ hint: AcquiredHint = .partial) -> PersonAct { gate(.badCapture(hint)) }
    /// Touches the device, or its fingerprint sensor with an enrolled finger.
    public static let touch = PersonAct(.touch)
    /// The sensor gives up on the prompt with an error, and works again for the next one.
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
    /// Lets a paused sensor look again, which users do without a plan.
    public static let tryAgain = gate(.tryAgain)
    /// Accepts that the sensor has given up, or closes the question for the passcode.
    public static let giveUp = gate(.giveUp)
    /// Confirms a match, which users do without a plan.
    public static let confirm = gate(.confirm)
    /// Declines to confirm a match.
    public static let declineConfirmation = gate(.declineConfirmation)
    /// Types the challenge phrase, which users do without a plan.
    public static let challengePhrase = gate(.challengePhrase)
    /// Does nothing until the prompt's deadline; the phone's clock moves to it.
    public static let ignore = gate(.noAnswer)
    /// Presses the power button.
    public static let powerButton = gate(.powerButton)
    /// Chooses an account in a list of passkeys, counted from 1; the newest is the first.
    public static func choose(_ number: Int) -> PersonAct { PersonAct(.choose(number - 1)) }
}

/// Events that end a prompt without the user.
extension PersonAct {
    /// The system cancels the prompt, as for a call or a locked screen.
    public static let systemCancel = gate(.cancelBySystem)
    /// The app cancels the prompt.
    public static let appCancel = gate(.cancelByApp)
    /// The user leaves the app, which is no longer on the screen.
    public static let leaveScreen = gate(.leaveScreen)
}
