package import ReferenceApp

/// The events at the app during a step.
package struct AppRecord: Sendable {
    /// A screen that was shown.
    package struct Showing: Hashable, Sendable {
        package let time: Duration
        package let screen: AppScreen
    }

    /// A request of the app, and its answer.
    package struct Exchange: Sendable {
        package let time: Duration
        package let request: AppRequest
        package let answer: AppAnswer

        package var name: String { "\(request.method) \(request.path)" }

        /// The exchange in one line.
        package var line: String {
            switch answer {
            case .response(let status, _): "\(name) → \(status)"
            case .unreachable: "\(name) → no answer"
            }
        }
    }

    /// The screens in the order they were shown.
    package var screens: [Showing] = []
    /// The requests in their order.
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
