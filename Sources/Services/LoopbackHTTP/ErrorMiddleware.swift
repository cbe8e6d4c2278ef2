internal import HTTPTypes
package import Hummingbird
internal import Logging

/// Turns every error into a response, and adds the common headers to every response.
package struct ErrorMiddleware<Context: RequestContext>: RouterMiddleware {
    package typealias Renderer = @Sendable (APIError, Request) throws -> Response

    private let render: Renderer
    private let translate: @Sendable (any Error) -> APIError?

    /// - Parameters:
    ///   - translate: the answer to an error other than an ``APIError``; nil for one that only the log explains.
    ///   - render: renders errors; default: ``Reply/error(_:)``.
    package init(
        translate: @escaping @Sendable (any Error) -> APIError? = { _ in nil },
        render: @escaping Renderer = { error, _ in try Reply.error(error) }
    ) {
        self.translate = translate
        self.render = render
    }

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            response = try await next(request, context)
        } catch let error as APIError {
            response = try render(error, request)
        } catch let error as HTTPError where error.status == .notFound {
            response = try render(.routeNotFound, request)
        } catch {
            // The end of the server cancels the requests that it still has.
            if !(error is CancellationError) {
                context.logger.error("request failed", metadata: ["error": "\(error)"])
            }
            response = try render(translate(error) ?? .internalError, request)
        }
        for field in commonFields where response.headers[field.name] == nil {
            response.headers.append(field)
        }
        return response
    }
}

/// The headers of every response, unless its route sets them: no caching, framing or scripts.
private let commonFields: [HTTPField] = [
    ("Cache-Control", "no-store"),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
].compactMap { name, value in
    HTTPField.Name(name).map { HTTPField(name: $0, value: value) }
}
