internal import Documents
internal import HTTPTypes
internal import LoopbackHTTP
internal import Providers
internal import RelyingPartyServer

extension ControlOperations {
    var services: [Operation] {
        [
            operation(
                .get, "/v1/services/{service}", "readService", "Read a service's outage, fault and requests", .server,
                answer: .service, errors: [409]
            ) { call in try report(try service(call)) },
            operation(
                .patch, "/v1/services/{service}", "changeService",
                "Let a service fail, or an OpenID provider do something wrong", .server, body: Self.serviceSchema,
                answer: .service, errors: [409, 422]
            ) { call in
                let name = try service(call)
                let latency = try call.body["latency"]?.text.map(Span.duration)
                let provider = OpenIDProviderName.allCases.first { $0.service == name }
                let concernsProvider = ["fault", "nationalId", "resident"].contains { call.body[$0] != nil }
                guard provider != nil || !concernsProvider else {
                    throw APIError(
                        422, "service.noProvider",
                        "The service \(name.rawValue) is not an OpenID provider; only those have a fault, a nationalId "
                            + "and a resident.")
                }
                let endpoint = call.body["endpoint"]?.text
                if let endpoint, endpoint != Self.every, !name.endpoints.contains(endpoint) {
                    throw APIError(
                        422, "service.noEndpoint",
                        "The service \(name.rawValue) has no endpoint \"\(endpoint)\"; choose one of "
                            + "\((name.endpoints + [Self.every]).joined(separator: ", ")).")
                }
                let services = try running()
                var planned = services.conditions.current[name]
                if let outage = call.body["outage"]?.text { planned.outage = ServiceOutage(rawValue: outage) }
                if let latency { planned.latency = latency }
                if let endpoint, endpoint != Self.every, planned.isUsual {
                    throw APIError.idleMember(
                        "endpoint", "has no effect without an outage or a latency, which it limits; send one, too")
                }
                services.conditions.change { settings in
                    if let outage = call.body["outage"]?.text {
                        settings[name].outage = ServiceOutage(rawValue: outage)
                    }
                    if let latency { settings[name].latency = latency }
                    if let endpoint { settings[name].endpoint = endpoint == Self.every ? nil : endpoint }
                    // An endpoint limits an outage or slowness; without either it would limit the next one unseen.
                    if endpoint == nil, settings[name].isUsual { settings[name].endpoint = nil }
                    guard let provider else { return }
                    if let fault = call.body["fault"]?.text { settings[provider].fault = OpenIDFault(rawValue: fault) }
                    if let place = call.body["nationalId"]?.text {
                        settings[provider].nationalID = NationalIDPlace(rawValue: place)
                    }
                    if let resident = call.body["resident"]?.text.flatMap(Resident.init(id:)) {
                        settings[provider].resident = resident
                    }
                }
                return try report(name)
            },
        ]
    }

    private static let nothing = "none"
    private static let every = "every"

    private static let serviceSchema = Schema.object(
        Schema.Members(
            members: [
                .optional(
                    "outage", .choice(ServiceOutage.allCases.map(\.rawValue) + [nothing]),
                    "The service's reaction in place of an answer."),
                .optional("latency", Span.schema, "The time that every later request takes."),
                .optional(
                    "endpoint", .string(1...100), "The endpoint that this concerns, such as token; \(every) ends it."),
                .optional(
                    "fault", .choice(OpenIDFault.allCases.map(\.rawValue) + [nothing]),
                    "The fault of the OpenID provider."),
                .optional(
                    "nationalId", .choice(NationalIDPlace.allCases.map(\.rawValue) + [nothing]),
                    "The place of the personnummer; \(nothing): the provider's own."),
                .optional("resident", .choice(Resident.all.map(\.id)), "The person who logs in."),
            ], atLeast: 1))

    private func running() throws(APIError) -> LoopbackServices {
        guard let services = configuration.services else { throw APIError.serverAbsent }
        return services
    }

    private func service(_ call: Call) throws(APIError) -> ServiceName {
        // The path's form admits no other name.
        guard let service = ServiceName(rawValue: call.parameter("service")) else { throw APIError.routeNotFound }
        return service
    }

    private func report(_ name: ServiceName) throws(APIError) -> ServiceReport {
        let services = try running()
        return ServiceReport(name, services.conditions.current, requests: services.journal.count(name))
    }
}

/// A service's state.
struct ServiceReport: Codable, Sendable {
    let service: String
    let outage: String?
    let latencySeconds: Double
    let endpoint: String?
    let fault: String?
    let nationalId: String?
    let resident: String?
    /// The number of requests since the start.
    let requests: Int

    init(_ name: ServiceName, _ settings: ServiceSettings, requests: Int) {
        let provider = OpenIDProviderName.allCases.first { $0.service == name }.map { settings[$0] }
        service = name.rawValue
        outage = settings[name].outage?.rawValue
        latencySeconds = settings[name].latency / .seconds(1)
        endpoint = settings[name].endpoint
        fault = provider?.fault?.rawValue
        nationalId = provider?.nationalID?.rawValue
        resident = provider?.resident.id
        self.requests = requests
    }
}

extension TypedAnswer<ServiceReport> {
    fileprivate static var service: Self { Self("The service's state", named: "Service") }
}
