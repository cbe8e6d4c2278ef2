internal import Synchronization

/// TLS with a server on https, whose certificate names the server and has a trusted authority (RFC 8446, RFC 6125).
package final class ClientTLS: Sendable {
    private let host: String
    private let trust: Trust
    /// Reading the authorities takes longer than a handshake.
    private let context = Mutex<TLSContext?>(nil)

    /// The authorities of a server's certificate.
    enum Trust: Sendable {
        /// Those of the system, and those in a PEM file.
        case system(and: String?)
        /// This one only, in DER.
        case only([UInt8])
    }

    /// - Parameter authorities: a PEM file with authorities that are trusted besides those of the system.
    package init(host: String, authorities: String? = nil) {
        (self.host, trust) = (host, .system(and: authorities))
    }

    /// - Parameter authority: the certificate of the only trusted authority, in DER.
    package init(host: String, trusting authority: [UInt8]) { (self.host, trust) = (host, .only(authority)) }

    /// - Throws: ``TLSError``, such as for a file that cannot be read.
    func handler() throws(TLSError) -> TLSHandler { try TLSHandler(try sharedContext().session(with: host)) }

    private func sharedContext() throws(TLSError) -> TLSContext {
        try context.withLock { known throws(TLSError) in
            if let known { return known }
            let made = try TLSContext(trust)
            known = made
            return made
        }
    }
}
