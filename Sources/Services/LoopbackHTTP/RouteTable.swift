package import HTTPTypes
package import Hummingbird

/// Endpoints by path and method; a path answers 405 to an unknown method, and HEAD like GET.
package struct RouteTable {
    package typealias Context = ClientContext
    package typealias Handler = @Sendable (Request, Context) async throws -> Response

    private var endpoints: [String: [HTTPRequest.Method: Handler]] = [:]

    package init() {}

    /// - Parameter path: the path, with a colon before each parameter name, such as `/passkeys/:credentialId`.
    package mutating func add(_ method: HTTPRequest.Method, _ path: String, _ handler: @escaping Handler) {
        endpoints[path, default: [:]][method] = handler
    }

    package mutating func add(_ other: RouteTable) {
        for (path, handlers) in other.endpoints { endpoints[path, default: [:]].merge(handlers) { $1 } }
    }

    /// The methods of all endpoints.
    package var methods: Set<HTTPRequest.Method> { Set(endpoints.values.flatMap(\.keys)) }

    package mutating func remove(_ other: RouteTable) {
        for (path, handlers) in other.endpoints {
            let left = endpoints[path]?.filter { handlers[$0.key] == nil } ?? [:]
            endpoints[path] = left.isEmpty ? nil : left
        }
    }

    package func register(on router: Router<Context>) {
        guard !endpoints.isEmpty else { return }
        router.add(middleware: MethodMiddleware(methods: endpoints.mapValues { Set($0.keys) }))
        for (path, handlers) in endpoints {
            for (method, handler) in handlers {
                router.on(RouterPath(path), method: method, use: handler)
            }
        }
    }
}

/// Answers 405 instead of 404 for a known path with an unknown method.
private struct MethodMiddleware: RouterMiddleware {
    let methods: [String: Set<HTTPRequest.Method>]

    func handle(
        _ request: Request, context: RouteTable.Context,
        next: (Request, RouteTable.Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            guard var known = known(request.uri.path), !known.contains(request.method) else { throw error }
            if known.contains(.get) { known.insert(.head) }
            let allowed = known.map(\.rawValue).sorted().joined(separator: ", ")
            throw APIError.methodNotAllowed(request.method.rawValue, allowed: allowed)
        }
    }

    /// The methods of a path; nil for an unknown path.
    private func known(_ path: String) -> Set<HTTPRequest.Method>? {
        let segments = path.split(separator: "/")
        return methods.first { pattern, _ in
            let parts = pattern.split(separator: "/")
            return parts.count == segments.count && zip(parts, segments).allSatisfy { $0.hasPrefix(":") || $0 == $1 }
        }?.value
    }
}
