internal import Biometrics

extension PersonAct {
    /// The words commands and scenarios use for acts, with what they mean.
    public static let vocabulary: [(word: String, act: PersonAct, meaning: String)] = [
        ("touch", .touch, "touches the device; at a sensor, as its owner"),
        ("match", .gate(.match()), "shows the enrolled face or finger"),
        ("no-match", .gate(.nonMatch), "shows a face or finger that is not enrolled"),
        ("spoof", .gate(.spoof), "shows a mask or a copy, which the sensor rejects"),
        ("bad-capture", .gate(.badCapture(.partial)), "shows too little to compare; does not count"),
        ("passcode", .gate(.passcode(correct: true)), "enters the device's passcode"),
        ("wrong-passcode", .gate(.passcode(correct: false)), "enters a wrong passcode"),
        ("fallback", .gate(.fallback), "presses the fallback button, once it is offered"),
        ("cancel", .gate(.cancelByUser), "presses Cancel; declines a touch"),
        ("system-cancel", .gate(.cancelBySystem), "gets a call, or locks the phone"),
        ("app-cancel", .gate(.cancelByApp), "sees the app take its question back"),
        ("no-answer", .gate(.noAnswer), "does nothing until the prompt ends"),
    ]

    /// The act of a word; `choose:N` takes the Nth account, counted from 1.
    public init?(word: String) {
        if word.hasPrefix("choose:"), let number = Int(word.dropFirst("choose:".count)), number >= 1 {
            self = .choose(number - 1)
        } else if let match = Self.vocabulary.first(where: { $0.word == word }) {
            self = match.act
        } else {
            return nil
        }
    }
}
