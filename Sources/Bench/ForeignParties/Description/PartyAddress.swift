internal import Documents
internal import Foundation

/// The address of a relying party: host, port, and the path that its paths are below.
package struct PartyAddress: Hashable, Sendable, CustomStringConvertible {
    let host: String
    let port: Int
    let path: String

    init() { (host, port, path) = ("localhost", Self.defaultPort, "") }

    private static let defaultPort = 80

    /// The reason why a text is no address.
    package struct Mistake: Error, CustomStringConvertible {
        package let description: String
    }

    /// Reads a URL such as `http://localhost:8000`.
    ///
    /// - Throws: ``Mistake``.
    package init(_ text: String) throws(Mistake) {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme, let host = parts.host, !host.isEmpty
        else { throw Mistake(description: "\"\(text)\" is not a URL; write one such as http://localhost:8000") }
        guard scheme == "http" else {
            throw Mistake(
                description: "\(scheme) is not supported; give the http address of the server behind its proxy, and "
                    + "its pages' address as origin")
        }
        guard parts.query == nil, parts.fragment == nil, parts.user == nil, (1...65535).contains(parts.port ?? 80)
        else { throw Mistake(description: "a URL of a relying party has a host, a port and a path only") }
        self.host = host.lowercased()
        port = parts.port ?? Self.defaultPort
        path =
            parts.percentEncodedPath.hasSuffix("/")
            ? String(parts.percentEncodedPath.dropLast()) : parts.percentEncodedPath
    }

    /// The origin of a page at the address.
    var origin: String { "http://\(host)" + (port == Self.defaultPort ? "" : ":\(port)") }

    package var description: String { origin + path }

    static let form = Form<PartyAddress>(.pattern("http://.*"), words: "an http URL") { value in
        do {
            return try PartyAddress(try value.string())
        } catch let error as Mistake {
            throw value.error("\(error)")
        }
    }
}
