internal import CTAP
internal import Causes
internal import PlatformErrors
internal import WebAuthnClient

extension Cause {
    /// Every cause that a step can have: a device's, a platform's and a client's.
    static let known: [Cause] = {
        let named = PlatformErrorTable.shared.outcomes.flatMap { [$0.cause] + $0.aliases }
        let lost = [
            RefusalReason.deviceDisconnected, .deviceTimedOut, .deviceBusy, .deviceProtocolViolation,
        ].map(\.cause)
        let statuses = CTAPStatus.all.map { WebAuthnClientError(refusal: $0, during: .get).cause }
        return Set(all + named + lost + statuses).sorted { $0.rawValue < $1.rawValue }
    }()
}
