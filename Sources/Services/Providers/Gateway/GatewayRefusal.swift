internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP

/// A refusal of the gateway in the form of Supabase Auth: flat, and in one of two versions.
///
/// A client that sends `X-Supabase-Api-Version: 2024-01-01` gets the code in `code` and the sentence in `message`; any other
/// one gets them in `error_code` and `msg`, and the status in `code`.
struct GatewayRefusal: ServiceRefusal {
    let error: APIError
    let isVersioned: Bool

    private static let version = "2024-01-01"
    private static let header = HTTPField.Name("X-Supabase-Api-Version")

    init(_ error: APIError, to request: Request) {
        self.error = error
        isVersioned = Self.header.flatMap { request.headers[$0] }.map { $0 >= Self.version } ?? false
    }

    private struct Versioned: Encodable {
        let code: String
        let message: String
        let weakPassword: [String: [String]]?
    }

    private struct Plain: Encodable {
        let code: Int
        let errorCode: String
        let msg: String
        let weakPassword: [String: [String]]?
    }

    func response() throws -> Response {
        let (code, status) = (error.code.rawValue, HTTPResponse.Status(code: error.status))
        // Supabase's clients demand the reasons.
        let weak = code == APIError.weakPassword ? ["reasons": ["length"]] : nil
        var response =
            isVersioned
            ? try SnakeCase.reply(Versioned(code: code, message: error.message, weakPassword: weak), status: status)
            : try SnakeCase.reply(
                Plain(code: error.status, errorCode: code, msg: error.message, weakPassword: weak), status: status)
        response.headers.append(contentsOf: error.headers)
        if isVersioned, let name = Self.header { response.headers[name] = Self.version }
        return response
    }
}

extension ServiceDoor {
    /// A handler of the gateway, whose refusals have the gateway's form.
    func gatewayHandler(
        _ endpoint: GatewayRoutes.Endpoint, _ handle: @escaping RouteTable.Handler
    ) -> RouteTable.Handler {
        handler(.gateway, endpoint.rawValue) { request, context in
            do {
                return try await handle(request, context)
            } catch let error as APIError {
                throw GatewayRefusal(error, to: request)
            } catch let error as AuthsignalError {
                throw GatewayRefusal(error.asAPIError, to: request)
            }
        }
    }
}
