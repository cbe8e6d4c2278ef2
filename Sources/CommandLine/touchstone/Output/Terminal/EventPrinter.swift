import Biometrics
import PlatformErrors
import SimulatedDevice
import Tables
import VirtualAuthenticator
import Wording

/// Prints the events of a device as they happen.
struct EventPrinter: Sendable {
    let json: Bool
    let vocabulary: PlatformErrorVocabulary

    func print(_ event: AuthenticatorEvent) {
        let description = EventDescription(event, in: vocabulary)
        guard !json else {
            try? Terminal.writeJSON(description, asOneLine: true)
            return
        }
        Terminal.writeText("\(Wording.timeOfDay(event.at))  \(description.text)", hanging: Self.indent)
        // The line above shows the errors of CTAP and pages, but not the errors of apps.
        let errors = description.platformErrors?.filter { $0.kind == .platform || $0.kind == .hint } ?? []
        guard !errors.isEmpty else { return }
        let told = String(repeating: " ", count: Self.indent) + "app gets " + errors.map(\.text).joined(separator: "; ")
        Terminal.writeText(Terminal.styled(told, .dim), hanging: Self.indent)
    }

    private static let indent = 14
}
