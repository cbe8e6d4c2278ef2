internal import HTTPTypes
package import Hummingbird

/// The time for which a client waits for an answer, as it tells the server: `Prefer: wait=10` (RFC 7240 §4.3).
///
/// On a simulated clock a slow server moves the time by this span at most, for its client then hangs up.
package struct WaitPreference: Hashable, Sendable {
    package static let header = "Prefer"

    package let span: Duration

    package init(_ span: Duration) { self.span = span }

    package init?(of request: Request) {
        let preferences = HTTPField.Name(Self.header).flatMap { request.headers[$0] }?.split(separator: ",") ?? []
        let waits = preferences.compactMap { preference -> Int? in
            let text = preference.drop { $0 == " " }
            return text.hasPrefix(Self.prefix) ? Int(text.dropFirst(Self.prefix.count)) : nil
        }
        guard let seconds = waits.first, seconds >= 0 else { return nil }
        span = .seconds(seconds)
    }

    private static let prefix = "wait="

    /// The header's value, in whole seconds.
    package var text: String { "\(Self.prefix)\(span.components.seconds)" }
}
