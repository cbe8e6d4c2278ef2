internal import NIOSSL
internal import Synchronization

/// TLS with a server on https, whose certificate names the server and has a trusted authority (RFC 8446, RFC 6125).
package final class ClientTLS: Sendable {
    private let host: String
    private let authorities: String?
    /// Reading the authorities takes longer than a handshake.
    private let context = Mutex<NIOSSLContext?>(nil)

    /// - Parameters:
    ///   - host: the name or the address that the certificate has to name.
    ///   - authorities: a PEM file with authorities that are trusted besides those of the system.
    package init(host: String, authorities: String? = nil) {
        (self.host, self.authorities) = (host, authorities)
    }

    /// The handler of a new connection.
    ///
    /// - Throws: an error of NIOSSL, such as for a file that cannot be read.
    func handler() throws -> NIOSSLClientHandler {
        let context = try context.withLock { known in
            if let known { return known }
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.additionalTrustRoots = authorities.map { [.file($0)] } ?? []
            let made = try NIOSSLContext(configuration: configuration)
            known = made
            return made
        }
        // An address is compared with those in the certificate; the handshake names hosts only (RFC 6066 §3).
        return try NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : host)
    }

    private var isAddress: Bool { host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." } }
}
