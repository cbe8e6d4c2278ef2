/// TLS of a server on this computer (RFC 8446).
package final class ServerTLS: Sendable {
    private let context: TLSContext

    /// - Parameters:
    ///   - certificate: the server's certificate in DER.
    ///   - key: its private key on P-256, as PKCS#8 in DER.
    /// - Throws: the library's error, for a key that does not fit.
    package init(certificate: [UInt8], key: [UInt8]) throws {
        context = try TLSContext(certificate: certificate, key: key)
    }

    func handler() throws(TLSError) -> TLSHandler { try TLSHandler(try context.sessionWithClient()) }
}
