internal import LoopbackHTTP

/// A request to a provider's authorization page, as the provider got it.
package struct AuthorizationRequest: Hashable, Sendable {
    package let parameters: [String: String]
    /// The names of the parameters whose value no earlier request had.
    package let fresh: Set<String>

    static func all(in requests: [ServiceRequest]) -> [AuthorizationRequest] {
        var seen: [String: Set<String>] = [:]
        return requests.filter { $0.endpoint == OpenIDProvider.Endpoint.authorize.rawValue }.map { request in
            let parameters = (try? FormFields(request.query))?.values ?? [:]
            let fresh = parameters.filter { seen[$0.key]?.contains($0.value) != true }.map(\.key)
            for (name, value) in parameters { seen[name, default: []].insert(value) }
            return AuthorizationRequest(parameters: parameters, fresh: Set(fresh))
        }
    }
}
