internal import Foundation
package import HTTPTypes

/// This server's way with a command.
package enum ProxiedCommand: Hashable, Sendable {
    case newSession
    case deleteSession(String)
    /// A command of WebAuthn L3 §11; the path behind the session.
    case virtualAuthenticator(session: String, path: String)
    /// The user picks a suggested passkey.
    case pick(session: String)
    /// An operation of the control API on the session's device; the path behind the device.
    case device(session: String, path: String)
    /// A command to DevTools that the driver passes on.
    case devTools(session: String)
    /// The end of chromedriver with all its sessions, which is not a command of WebDriver.
    case shutdown
    /// A command of the driver; the session that it concerns, if any.
    case other(session: String?)

    private static let authenticators = "/webauthn/"
    private static let devices = "/touchstone"
    private static let picking = "/pick"
    /// Behind the vendor's name: `/goog/cdp/execute`, `/ms/cdp/execute`.
    private static let devTools = "/cdp/execute"

    /// - Parameter target: the path and the query.
    package init(_ method: HTTPRequest.Method, _ target: String) {
        guard !Self.isShutdown(target) else {
            self = .shutdown
            return
        }
        let prefix = "/session"
        guard target.hasPrefix(prefix) else {
            self = .other(session: nil)
            return
        }
        let rest = target.dropFirst(prefix.count)
        guard rest.hasPrefix("/") else {
            self = rest.isEmpty && method == .post ? .newSession : .other(session: nil)
            return
        }
        let session = String(rest.dropFirst().prefix { $0 != "/" && $0 != "?" })
        let path = String(rest.dropFirst(1 + session.count))
        if path.hasPrefix(Self.authenticators) {
            self = .virtualAuthenticator(session: session, path: path)
        } else if path.hasPrefix(Self.devices) {
            let operation = String(path.dropFirst(Self.devices.count))
            guard operation.isEmpty || operation.hasPrefix("/") || operation.hasPrefix("?") else {
                self = .other(session: session)
                return
            }
            self =
                operation == Self.picking && method == .post
                ? .pick(session: session) : .device(session: session, path: operation)
        } else if path.hasSuffix(Self.devTools), method == .post {
            self = .devTools(session: session)
        } else {
            self = path.isEmpty && method == .delete ? .deleteSession(session) : .other(session: session)
        }
    }

    /// Whether a driver could read a target as `/shutdown`, also in another spelling.
    private static func isShutdown(_ target: String) -> Bool {
        let path = String(target.prefix { $0 != "?" && $0 != "#" })
        let parts = (path.removingPercentEncoding ?? path).lowercased().split(separator: "/")
            .map { $0.filter { !$0.isWhitespace } }
        return parts.contains("shutdown") && (parts.first != "session" || parts.contains(".."))
    }
}
