internal import HTTPTypes
package import Hummingbird

/// The names of this computer's loopback interface.
package enum Loopback {
    private static let hosts: Set = ["localhost", "127.0.0.1", "::1", "[::1]"]

    package static func isHost(_ host: String) -> Bool { hosts.contains(host.lowercased()) }

    /// Whether `HOST` or `HOST:PORT` names the loopback interface; an IPv6 address must be in brackets.
    package static func isHost(ofAuthority authority: String?) -> Bool {
        guard let (host, _) = authority.flatMap(parts) else { return false }
        return isHost(host)
    }

    /// Whether `HOST:PORT` names the loopback interface and this port; a missing port means 80.
    package static func isHost(ofAuthority authority: String?, port: Int) -> Bool {
        guard let (host, stated) = authority.flatMap(parts) else { return false }
        return isHost(host) && (stated ?? "80") == String(port)
    }

    /// The value of a request's Host header.
    ///
    /// - Throws: `host.repeated` for several: the server and a proxy in front of it could read different ones.
    package static func authority(of request: Request) throws(APIError) -> String? {
        // The first one has become the authority; further ones have stayed among the fields.
        if let host = HTTPField.Name("Host"), request.headers.contains(host) { throw .hostRepeated }
        return request.head.authority
    }

    /// Host and port; nil when the rest is not a port, as in `localhost:1@example.org` (RFC 9110 §7.2, RFC 3986 §3.2.3).
    private static func parts(of authority: String) -> (host: String, port: String?)? {
        let hostEnd: String.Index
        if authority.hasPrefix("["), let bracket = authority.firstIndex(of: "]") {
            hostEnd = authority.index(after: bracket)
        } else {
            hostEnd = authority.firstIndex(of: ":") ?? authority.endIndex
        }
        let host = String(authority[..<hostEnd])
        guard hostEnd < authority.endIndex else { return (host, nil) }
        let port = authority[hostEnd...].dropFirst()
        guard authority[hostEnd] == ":", UInt16(port) != nil, port.allSatisfy(\.isNumber) else { return nil }
        return (host, String(port))
    }
}
