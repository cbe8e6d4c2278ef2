/// A command for the first minutes with the program.
package struct FirstStep: Hashable, Sendable {
    /// The purpose, in words.
    package let words: String
    package let command: String

    /// The uses whose readiness chooses the steps.
    package static let deciding: [MachineUse] = [.phone, .browser, .usb, .nfc]

    /// The three steps for a computer; each command works in an empty folder.
    package static func three(on report: MachineReport) -> [FirstStep] {
        [
            FirstStep(
                words: "a phone that locks out its user, in a scenario",
                command: "touchstone scenario run android-timed-lockout --verbose"),
            browser(report), key(report),
        ]
    }

    private static func browser(_ report: MachineReport) -> FirstStep {
        if report.isReady(for: .phone) {
            return FirstStep(
                words: "a phone that scans the QR code of a browser",
                command: "touchstone browser --phone iphone-face-id")
        }
        if report.isReady(for: .browser) {
            return FirstStep(words: "a phone behind the passkey prompts of a browser", command: "touchstone browser")
        }
        return FirstStep(
            words: "what a browser with a simulated phone lacks here", command: "touchstone doctor --for browser")
    }

    private static func key(_ report: MachineReport) -> FirstStep {
        let connected: MachineUse? = [.usb, .nfc].first { report.isReady(for: $0) }
        guard let connected else {
            return FirstStep(
                words: "the verdicts for a security key, here a virtual one",
                command: "touchstone conformance authenticator --device virtual:solo-2")
        }
        return FirstStep(
            words: "the security key in your hand", command: "touchstone keys info --device \(connected.rawValue)")
    }
}
