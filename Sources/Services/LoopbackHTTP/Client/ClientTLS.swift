internal import CSSL
internal import Foundation
internal import Synchronization

/// TLS with a server on https, whose certificate names the server and has a trusted authority (RFC 8446, RFC 6125).
package final class ClientTLS: Sendable {
    private let host: String
    private let authorities: String?
    /// Reading the authorities takes longer than a handshake.
    private let context = Mutex<TLSContext?>(nil)

    /// - Parameter authorities: a PEM file with authorities that are trusted besides those of the system.
    package init(host: String, authorities: String? = nil) { (self.host, self.authorities) = (host, authorities) }

    /// - Throws: ``TLSError``, such as for a file that cannot be read.
    func handler() throws(TLSError) -> TLSHandler { try TLSHandler(try sharedContext(), server: host) }

    private func sharedContext() throws(TLSError) -> TLSContext {
        try context.withLock { known throws(TLSError) in
            if let known { return known }
            let made = try TLSContext(authorities: authorities)
            known = made
            return made
        }
    }
}

/// The protocol versions and the trusted authorities of connections.
///
/// `@unchecked`: OpenSSL lets threads share an `SSL_CTX` that no longer changes, and only `init` changes it.
final class TLSContext: @unchecked Sendable {
    private let pointer: OpaquePointer

    /// - Parameter authorities: a PEM file with authorities that are trusted besides those of the system.
    init(authorities: String?) throws(TLSError) {
        guard let pointer = SSL_CTX_new(TLS_client_method()) else { throw .ofOpenSSL() }
        self.pointer = pointer
        SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
        guard cssl_require_tls12(pointer) == 1, SSL_CTX_set_default_verify_paths(pointer) == 1 else {
            throw .ofOpenSSL()
        }
        if let authorities, SSL_CTX_load_verify_file(pointer, authorities) != 1 {
            throw .authorities(in: authorities)
        }
    }

    deinit { SSL_CTX_free(pointer) }

    /// A client's session with a server, which the certificate has to name; the caller frees the `SSL`.
    func session(with server: String) throws(TLSError) -> OpaquePointer {
        guard let session = SSL_new(pointer) else { throw .ofOpenSSL() }
        // An address is compared with those in the certificate; the handshake names hosts only (RFC 6066 §3).
        let isAddress = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), server) == 1
        guard isAddress || SSL_set1_host(session, server) == 1 && cssl_set_server_name(session, server) == 1 else {
            SSL_free(session)
            throw .ofOpenSSL()
        }
        SSL_set_connect_state(session)
        return session
    }
}

/// The reason why a connection has no TLS.
struct TLSError: Error, CustomStringConvertible {
    let description: String
    /// Whether the file with the authorities is the reason, and not the server.
    var isOfAuthorities = false

    /// The error of OpenSSL after it has read a file with authorities.
    fileprivate static func authorities(in file: String) -> TLSError {
        let reason = ofOpenSSL()
        let problem =
            access(file, R_OK) != 0
            ? "cannot be read: \(String(cString: strerror(errno)))" : "has no certificates in PEM: \(reason)"
        return TLSError(
            description: "the file \(file) \(problem); name a PEM file with the certificates of authorities",
            isOfAuthorities: true)
    }

    /// The newest error of OpenSSL on this thread.
    static func ofOpenSSL() -> TLSError {
        defer { ERR_clear_error() }
        guard let text = ERR_reason_error_string(ERR_peek_last_error()) else {
            return TLSError(description: "OpenSSL gives no reason")
        }
        return TLSError(description: String(cString: text))
    }

    /// A session's failed handshake.
    static func handshake(of session: OpaquePointer) -> TLSError {
        switch SSL_get_verify_result(session) {
        case Int(X509_V_ERR_HOSTNAME_MISMATCH), Int(X509_V_ERR_IP_ADDRESS_MISMATCH):
            return TLSError(description: "its certificate names another host")
        case Int(X509_V_OK):
            let isPlain = ERR_GET_REASON(ERR_peek_last_error()) == SSL_R_WRONG_VERSION_NUMBER
            let reason = ofOpenSSL()
            return TLSError(
                description: isPlain
                    ? "the server's answer is not TLS; write http:// where the server has no https"
                    : "TLS failed: \(reason)")
        case let result:
            ERR_clear_error()
            return TLSError(
                description: "TLS failed, because the certificate is not trusted "
                    + "(\(String(cString: X509_verify_cert_error_string(result)))); renew it, or name its authority under "
                    + "certificate-authorities")
        }
    }
}
