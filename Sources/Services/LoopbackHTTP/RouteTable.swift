package import HTTPTypes
package import Hummingbird

/// Endpoints by path and method; a path answers 405 to every method it does not know, and HEAD wherever GET.
package struct RouteTable {
    package typealias Context = BasicRequestContext
    package typealias Handler = @Sendable (Request, Context) async throws -> Response

    private var endpoints: [String: [HTTPRequest.Method: Handler]] = [:]

    /// A table without endpoints.
    package init() {}

    /// Adds an endpoint.
    ///
    /// - Parameter path: with a colon before the names of its parameters, such as `/passkeys/:credentialId`.
    package mutating func add(_ method: HTTPRequest.Method, _ path: String, _ handler: @escaping Handler) {
        endpoints[path, default: [:]][method] = handler
    }

    /// Makes a router answer to them.
    package func register(on router: Router<Context>) {
        router.add(middleware: MethodMiddleware(methods: endpoints.mapValues { Set($0.keys) }))
        for (path, handlers) in endpoints {
            for (method, handler) in handlers {
                router.on(RouterPath(path), method: method, use: handler)
            }
        }
    }
}

/// Tells a path that does not answer a method from a path that is not there.
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

    /// The methods of a path; nil where there is no such path.
    private func known(_ path: String) -> Set<HTTPRequest.Method>? {
        let segments = path.split(separator: "/")
        return methods.first { pattern, _ in
            let parts = pattern.split(separator: "/")
            return parts.count == segments.count && zip(parts, segments).allSatisfy { $0.hasPrefix(":") || $0 == $1 }
        }?.value
    }
}
