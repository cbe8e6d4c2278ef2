package import HTTPTypes

/// What this server does with a command.
package enum ProxiedCommand: Hashable, Sendable {
    case newSession
    case deleteSession(String)
    /// A command of WebAuthn L3 §11; the path behind the session.
    case virtualAuthenticator(session: String, path: String)
    /// The user picks a suggested passkey.
    case pick(session: String)
    /// An operation of the control API on the session's device; the path behind the device.
    case device(session: String, path: String)
    /// A command of the driver.
    case other

    private static let authenticators = "/webauthn/"
    private static let devices = "/touchstone"
    private static let picking = "/pick"

    /// - Parameter target: the path and the query.
    package init(_ method: HTTPRequest.Method, _ target: String) {
        let prefix = "/session"
        guard target.hasPrefix(prefix) else {
            self = .other
            return
        }
        let rest = target.dropFirst(prefix.count)
        guard rest.hasPrefix("/") else {
            self = rest.isEmpty && method == .post ? .newSession : .other
            return
        }
        let session = String(rest.dropFirst().prefix { $0 != "/" && $0 != "?" })
        let path = String(rest.dropFirst(1 + session.count))
        if path.hasPrefix(Self.authenticators) {
            self = .virtualAuthenticator(session: session, path: path)
        } else if path.hasPrefix(Self.devices) {
            let operation = String(path.dropFirst(Self.devices.count))
            guard operation.isEmpty || operation.hasPrefix("/") || operation.hasPrefix("?") else {
                self = .other
                return
            }
            self =
                operation == Self.picking && method == .post
                ? .pick(session: session) : .device(session: session, path: operation)
        } else {
            self = path.isEmpty && method == .delete ? .deleteSession(session) : .other
        }
    }
}
