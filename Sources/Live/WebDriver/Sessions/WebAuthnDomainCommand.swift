internal import ControlAPI
internal import Documents
internal import Hummingbird
internal import LoopbackHTTP

/// A command of the DevTools domain `WebAuthn` that a client sends through the driver.
struct WebAuthnDomainCommand: Sendable {
    let method: String
    let params: JSONValue

    /// - Returns: nil for a command of another domain.
    init?(_ body: [UInt8]) {
        guard let json = try? JSONValue(parsing: body), let method = json["cmd"]?.text,
            method.hasPrefix(WebAuthnDomain.prefix)
        else { return nil }
        self.method = method
        params = json["params"] ?? [:]
    }
}

extension DriverSession {
    /// Performs a command of the domain `WebAuthn`; its authenticators answer all pages of the session.
    func perform(_ command: WebAuthnDomainCommand) async throws -> Response {
        do {
            return try Reply.json(["value": try await webAuthn.perform(command.method, command.params)] as JSONValue)
        } catch let error as DevToolsError {
            throw WebDriverError.invalidArgument.because(error.message)
        }
    }
}
