internal import Documents
internal import HTTPTypes
internal import LoopbackHTTP
internal import RelyingPartyServer

extension ControlOperations {
    var server: [Operation] {
        [
            operation(
                .get, "/v1/server", "readServer", "Read the relying party's trouble", .server, answer: .server,
                errors: [409]
            ) { _ in ServerReport(try conditions().current) },
            operation(
                .patch, "/v1/server", "changeServer", "Slow the relying party down, or let its next requests fail",
                .server, body: Self.troubleSchema, answer: .server, errors: [409, 422]
            ) { call in
                let conditions = try conditions()
                let latency = try call.body["latency"]?.text.map(Span.duration)
                let failsAlready = conditions.current.failingRequests > 0
                guard call.body["failingStatus"] == nil || call.body["failingRequests"] != nil || failsAlready else {
                    throw APIError.idleMember(
                        "failingStatus", "has no effect while no request fails; send failingRequests, too")
                }
                return ServerReport(
                    conditions.change { trouble in
                        trouble.latency = latency ?? trouble.latency
                        trouble.failingStatus = call.body["failingStatus"]?.integer ?? trouble.failingStatus
                        trouble.failingRequests = call.body["failingRequests"]?.integer ?? trouble.failingRequests
                    })
            },
        ]
    }

    private static let troubleSchema = Schema.object(
        Schema.Members(
            members: [
                .optional("latency", Span.schema, "The time that every later request takes; \"0 s\" ends it."),
                .optional(
                    "failingRequests", .integer(0...ServerTrouble.maximumFailingRequests),
                    "The number of coming requests that fail without effect."),
                .optional(
                    "failingStatus", .integer(ServerTrouble.failingStatuses),
                    "The HTTP status of the requests that fail; default: \(ServerTrouble().failingStatus)."),
            ], atLeast: 1))

    private func conditions() throws(APIError) -> ServerConditions {
        guard let server = configuration.server else { throw APIError.serverAbsent }
        return server
    }
}

/// The relying party's trouble.
struct ServerReport: Codable, Sendable {
    let latencySeconds: Double
    let failingRequests: Int
    let failingStatus: Int

    init(_ trouble: ServerTrouble) {
        latencySeconds = trouble.latency / .seconds(1)
        failingRequests = trouble.failingRequests
        failingStatus = trouble.failingStatus
    }
}

extension TypedAnswer<ServerReport> {
    fileprivate static var server: Self { Self("The relying party's trouble", named: "Server") }
}
