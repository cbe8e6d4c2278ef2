internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// Turns every error into JSON, and adds the headers every answer carries.
struct ErrorMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            response = try await next(request, context)
        } catch let error as APIError {
            response = try Reply.error(error)
        } catch let error as HTTPError where error.status == .notFound {
            response = try Reply.error(.routeNotFound)
        } catch {
            context.logger.error("request failed", metadata: ["error": "\(error)"])
            response = try Reply.error(.internalError)
        }
        for field in commonFields where response.headers[field.name] == nil {
            response.headers.append(field)
        }
        return response
    }
}

/// What every answer says unless its route says otherwise: nothing here is to be cached, framed or run.
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
