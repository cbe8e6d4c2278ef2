internal import ControlAPI
internal import Documents
internal import Hummingbird
internal import Logging
internal import LoopbackHTTP

/// Answers each command: performs it, or passes it on to the driver.
struct CommandResponder: HTTPResponder {
    typealias Context = ClientContext

    let driver: Driver
    let sessions: DriverSessions
    let logger: Logger

    /// The largest body; clients send files and extensions in base64.
    private static let largestBody = 1 << 28

    func respond(to request: Request, context: ClientContext) async throws -> Response {
        do {
            try checkCaller(of: request)
            return try await answer(request)
        } catch let error as APIError {
            return try WebDriverError.response(error)
        } catch {
            logger.error("a command failed: \(error)")
            return try WebDriverError.response(.internalError)
        }
    }

    /// Refuses pages: the driver gets its requests from this computer and cannot tell.
    private func checkCaller(of request: Request) throws(APIError) {
        guard Loopback.isHost(ofAuthority: try Loopback.authority(of: request)) else { throw .hostUnexpected }
        let source = RequestSource(request.headers)
        if let origin = source.origin { throw .originForbidden(origin) }
        try source.checkSite()
    }

    private func answer(_ request: Request) async throws -> Response {
        let buffer: ByteBuffer
        do {
            buffer = try await request.body.collect(upTo: Self.largestBody)
        } catch {
            throw APIError.bodyTooLarge(limit: Self.largestBody)
        }
        let body = Array(buffer.readableBytesView)
        switch ProxiedCommand(request.method, request.uri.string) {
        case .newSession:
            // The driver judges a body that this server does not understand.
            if let json = try? JSONValue(parsing: body), let requested = try NewSession(json) {
                return try await sessions.open(requested, request)
            }
        case .deleteSession(let id): return try await sessions.close(id, request)
        case .virtualAuthenticator(let id, let path):
            return try await sessions.session(id).virtualAuthenticator(request, path, body: body)
        case .pick(let id): return try await sessions.session(id).pick(body: body)
        case .device(let id, let path): return try await sessions.session(id).device(request, path, body: body)
        case .devTools(let id):
            if let command = WebAuthnDomainCommand(body) {
                return try await sessions.session(id).perform(command)
            }
            try await sessions.requireDevTools(of: id)
        case .shutdown:
            throw WebDriverError.unknownCommand.because(
                "/shutdown would end the driver for all sessions; end touchstone webdriver with Ctrl-C.")
        case .other(let id):
            if let id, let firefox = await sessions.firefox(of: id) {
                let path = String(request.uri.path.dropFirst("/session/\(id)".count))
                return try await firefox.perform(request, path, body: body)
            }
        }
        return Driver.response(try await driver.answer(request, body: body))
    }
}
