internal import CSSL
internal import Foundation

/// The reason why a connection has no TLS.
struct TLSError: Error, CustomStringConvertible {
    let description: String
    /// Whether the file with the authorities is the reason, and not the server.
    var isOfAuthorities = false

    /// The error of OpenSSL after it has read a file with authorities.
    static func authorities(in file: String) -> TLSError {
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
