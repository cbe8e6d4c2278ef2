internal import Hummingbird
internal import LoopbackHTTP
internal import RelyingPartyServer

/// A refusal in the shape of a service's own protocol.
protocol ServiceRefusal: Error {
    func response() throws -> Response
}

/// The way into the services: applies their availability and records their requests.
struct ServiceDoor: Sendable {
    let conditions: ServiceConditions
    let journal: ServiceJournal
    let configuration: RelyingPartyConfiguration

    func handler(
        _ service: ServiceName, _ endpoint: String, _ handle: @escaping RouteTable.Handler
    ) -> RouteTable.Handler {
        { request, context in
            let answer = try await answer(service, endpoint, request, context, handle)
            journal.append(
                ServiceRequest(
                    service: service, endpoint: endpoint, request: "\(request.method.rawValue) \(request.uri.path)",
                    query: request.uri.query ?? "", status: answer.map { Int($0.status.code) },
                    time: configuration.clock()))
            guard let answer else {
                context.closeConnection()
                return Response(status: .serviceUnavailable)
            }
            return answer
        }
    }

    /// The answer; nil to close the connection without one.
    private func answer(
        _ service: ServiceName, _ endpoint: String, _ request: Request, _ context: RouteTable.Context,
        _ handle: RouteTable.Handler
    ) async throws -> Response? {
        let availability = conditions.current[service]
        if availability.endpoint == nil || availability.endpoint == endpoint {
            if !availability.isUsual { conditions.note(.availability(service)) }
            // A client that hangs up sees no more of the time than it waited.
            let patience = WaitPreference(of: request)?.span ?? .seconds(Int32.max)
            if availability.latency > .zero { try await configuration.pass(min(availability.latency, patience)) }
            if availability.latency > patience { return nil }
            switch availability.outage {
            case .unavailable: return Response(status: .serviceUnavailable)
            case .refused: return nil
            case .silent:
                try await configuration.pass(min(ServiceAvailability.patience, patience))
                return nil
            case .answerLost:
                _ = try? await handle(request, context)
                return nil
            case nil: break
            }
        }
        do {
            return try await handle(request, context)
        } catch let refusal as any ServiceRefusal {
            return try refusal.response()
        } catch let error as APIError {
            return try Reply.error(error)
        }
    }
}
