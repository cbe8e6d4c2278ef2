internal import HTTPTypes
internal import Hummingbird

/// Endpoints by path and method; a path answers 405 to every method it does not know, and HEAD wherever GET.
struct RouteTable {
    typealias Context = BasicRequestContext
    typealias Handler = @Sendable (Request, Context) async throws -> Response

    private var endpoints: [String: [HTTPRequest.Method: Handler]] = [:]

    mutating func add(_ method: HTTPRequest.Method, _ path: String, _ handler: @escaping Handler) {
        endpoints[path, default: [:]][method] = handler
    }

    func register(on router: Router<Context>) {
        for (path, handlers) in endpoints {
            for (method, handler) in handlers {
                router.on(RouterPath(path), method: method, use: handler)
            }
            var known = Set(handlers.keys)
            if known.contains(.get) { known.insert(.head) }
            let allowed = known.map(\.rawValue).sorted().joined(separator: ", ")
            for method in Self.methods where !known.contains(method) {
                router.on(RouterPath(path), method: method) { request, _ -> Response in
                    var response = try Reply.error(.methodNotAllowed(request.method.rawValue, allowed: allowed))
                    response.headers[.allow] = allowed
                    return response
                }
            }
        }
    }

    private static let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options]
}
