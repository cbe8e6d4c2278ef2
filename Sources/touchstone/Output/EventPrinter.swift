import Biometrics
import Devices
import Foundation
import VirtualAuthenticator

/// Prints what happens in a device as it happens.
struct EventPrinter: Sendable {
    let json: Bool

    func print(_ event: AuthenticatorEvent) {
        let description = EventDescription(event)
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            guard let data = try? encoder.encode(description) else { return }
            Terminal.write(String(decoding: data, as: UTF8.self))
        } else {
            let date = Date(timeIntervalSince1970: description.at)
            Terminal.write("\(date.formatted(.iso8601.time(includingFractionalSeconds: true)))  \(description.text)")
        }
    }
}
