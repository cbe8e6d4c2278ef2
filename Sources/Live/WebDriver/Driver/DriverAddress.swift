internal import Foundation
internal import LoopbackHTTP

/// The address of a WebDriver server on this computer.
package struct DriverAddress: Hashable, Sendable, CustomStringConvertible {
    package let port: Int
    /// The path before `/session`; empty for none.
    package let path: String

    package init(port: Int, path: String = "") { (self.port, self.path) = (port, path) }

    /// Reads `http://localhost:PORT/PATH`; nil for another text, and for another computer.
    package init?(_ text: String) {
        guard let url = URLComponents(string: text), url.scheme == "http", let port = url.port, let host = url.host,
            Loopback.isHost(host), url.query == nil, url.user == nil
        else { return nil }
        self.port = port
        path = url.path.hasSuffix("/") ? String(url.path.dropLast()) : url.path
    }

    /// Whether a driver answers there now.
    package var answers: Bool {
        get async {
            let client = LoopbackClient(port: port)
            let answer = try? await client.send("GET", path + "/status")
            await client.close()
            return answer != nil
        }
    }

    package var description: String { "http://localhost:\(port)\(path)" }
}
