package import Causes
package import PlatformErrors
package import ReferenceApp
package import WebAuthnClient

/// The events at the app during a step.
package struct AppRecord: Sendable {
    package struct Showing: Hashable, Sendable {
        package let time: Duration
        package let screen: AppScreen
    }

    package struct Exchange: Sendable {
        package let time: Duration
        package let request: AppRequest
        package let answer: AppAnswer

        package var name: String { "\(request.method) \(request.path)" }

        package var line: String {
            switch answer {
            case .response(let status, _): "\(name) → \(status)"
            case .unreachable: "\(name) → no answer"
            }
        }
    }

    /// An error that the platform reported to the app.
    package enum Trouble: Sendable {
        /// Of a prompt or of secure storage.
        case refused(Cause, PlatformOperation)
        case passkey(WebAuthnClientError, PlatformOperation)

        package var operation: PlatformOperation {
            switch self {
            case .refused(_, let operation), .passkey(_, let operation): operation
            }
        }

        /// The cause, if that of the device's last refusal is also known.
        package func cause(after refusal: Cause?) -> Cause {
            switch self {
            case .refused(let cause, _): cause
            case .passkey(let error, _): error.cause(after: refusal)
            }
        }
    }

    package var screens: [Showing] = []
    /// The errors of the app's prompts, of its secure storage and of its passkey requests, the oldest first.
    package var troubles: [Trouble] = []
    package var exchanges: [Exchange] = []
    /// The codes of the passkey requests that failed.
    package var passkeyErrors: [String] = []
    /// The time of the match; without a prompt, of the read of the session.
    var verifiedAt: Duration?

    /// The time from the match to the last screen; nil without either.
    package var readyAfter: Duration? {
        guard let verifiedAt, let last = screens.last(where: { $0.time >= verifiedAt }) else { return nil }
        return last.time - verifiedAt
    }

    package init() {}
}
