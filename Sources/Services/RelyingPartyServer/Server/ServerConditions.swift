internal import HTTPTypes
internal import Hummingbird

/// A server's trouble: a slow network, an overloaded machine, a failing proxy.
package struct ServerTrouble: Hashable, ConditionSettings {
    /// A part of the trouble that changed an answer.
    package enum Effect: Hashable, Sendable {
        case latency
    }

    /// The time that each request takes beyond the server's own.
    package var latency = Duration.zero
    package var failingStatus = 503
    /// The number of coming requests that fail; they have no effect.
    package var failingRequests = 0

    package init() {}

    package static let failingStatuses = 400...599
    package static let maximumFailingRequests = 1000
}

/// The trouble of a running server.
package typealias ServerConditions = Conditions<ServerTrouble>

extension ServerConditions {
    package convenience init() { self.init(ServerTrouble()) }

    /// The conditions of the next request: its latency, and its status if it fails.
    fileprivate func ofNextRequest() -> (latency: Duration, status: Int?) {
        var status: Int?
        let trouble = change { trouble in
            guard trouble.failingRequests > 0 else { return }
            trouble.failingRequests -= 1
            status = trouble.failingStatus
        }
        if trouble.latency > .zero { note(.latency) }
        return (trouble.latency, status)
    }
}

/// Delays requests and fails them without a body, as a proxy before the server would.
struct TroubleMiddleware<Context: RequestContext>: RouterMiddleware {
    let conditions: ServerConditions
    let pass: @Sendable (Duration) async throws -> Void

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let (latency, status) = conditions.ofNextRequest()
        if latency > .zero { try await pass(latency) }
        if let status { return Response(status: HTTPResponse.Status(code: status)) }
        return try await next(request, context)
    }
}
