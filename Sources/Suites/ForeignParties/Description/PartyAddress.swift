internal import Documents
internal import Foundation

/// The address of a relying party: scheme, host, port, and the path that its paths are below.
package struct PartyAddress: Hashable, Sendable, CustomStringConvertible {
    enum Scheme: String {
        case http, https

        /// The port of URLs without one (RFC 9110 §4.2).
        var port: Int { self == .http ? 80 : 443 }
    }

    let scheme: Scheme
    let host: String
    let port: Int
    let path: String

    init() { (scheme, host, port, path) = (.http, "localhost", Scheme.http.port, "") }

    package struct Mistake: Error, CustomStringConvertible {
        package let description: String
    }

    /// Reads a URL such as `http://localhost:8000`.
    package init(_ text: String) throws(Mistake) {
        guard let parts = URLComponents(string: text), let name = parts.scheme, let host = parts.host, !host.isEmpty
        else { throw Mistake(description: "\"\(text)\" is not a URL; write one such as http://localhost:8000") }
        guard let scheme = Scheme(rawValue: name.lowercased()) else {
            throw Mistake(description: "\(name) is not supported; give an address on http or https")
        }
        let port = parts.port ?? scheme.port
        guard parts.query == nil, parts.fragment == nil, parts.user == nil, (1...65535).contains(port)
        else { throw Mistake(description: "a URL of a relying party has a host, a port and a path only") }
        (self.scheme, self.host, self.port) = (scheme, host.lowercased(), port)
        path =
            parts.percentEncodedPath.hasSuffix("/")
            ? String(parts.percentEncodedPath.dropLast()) : parts.percentEncodedPath
    }

    var origin: String { "\(scheme.rawValue)://\(host)" + (port == scheme.port ? "" : ":\(port)") }

    package var description: String { origin + path }

    static let form = Form<PartyAddress>(.pattern("https?://.*"), words: "an http or https URL") { value in
        do {
            return try PartyAddress(try value.string())
        } catch let error as Mistake {
            throw value.error("\(error)")
        }
    }
}
