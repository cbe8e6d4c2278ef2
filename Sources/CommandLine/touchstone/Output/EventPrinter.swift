import Biometrics
import Foundation
import PlatformErrors
import SimulatedDevice
import VirtualAuthenticator

/// Prints what happens in a device as it happens.
struct EventPrinter: Sendable {
    let json: Bool
    /// The words of the device's platform.
    let vocabulary: PlatformErrorVocabulary

    func print(_ event: AuthenticatorEvent) {
        let description = EventDescription(event, in: vocabulary)
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            guard let data = try? encoder.encode(description) else { return }
            Terminal.write(String(decoding: data, as: UTF8.self))
        } else {
            let date = Date(timeIntervalSince1970: description.at)
            Terminal.write("\(date.formatted(.iso8601.time(includingFractionalSeconds: true)))  \(description.text)")
            // What a page or CTAP is told stands in the lines before; what an app would hear does not.
            let errors = description.platformErrors?.filter { $0.kind == .platform || $0.kind == .hint } ?? []
            guard !errors.isEmpty else { return }
            let column = String(repeating: " ", count: 14)
            Terminal.write(Terminal.styled(column + "app told " + errors.map(\.text).joined(separator: "; "), .dim))
        }
    }
}
