package import ReferenceApp

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

    package var screens: [Showing] = []
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
