internal import CSSL

/// The protocol versions of connections, and the trusted authorities of a client or the certificate of a server.
///
/// `@unchecked`: OpenSSL lets threads share an `SSL_CTX` that no longer changes, and only `init` changes it.
final class TLSContext: @unchecked Sendable {
    private let pointer: OpaquePointer

    private init(method: OpaquePointer?) throws(TLSError) {
        guard let pointer = SSL_CTX_new(method) else { throw .ofOpenSSL() }
        self.pointer = pointer
        guard cssl_require_tls12(pointer) == 1 else { throw .ofOpenSSL() }
    }

    /// The context of a client.
    convenience init(_ trust: ClientTLS.Trust) throws(TLSError) {
        try self.init(method: TLS_client_method())
        SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
        switch trust {
        case .system(let file):
            guard SSL_CTX_set_default_verify_paths(pointer) == 1 else { throw .ofOpenSSL() }
            if let file, SSL_CTX_load_verify_file(pointer, file) != 1 { throw .authorities(in: file) }
        case .only(let certificate):
            var bytes: UnsafePointer<UInt8>?
            let isAdded = certificate.withUnsafeBufferPointer { buffer in
                bytes = buffer.baseAddress
                guard let authority = d2i_X509(nil, &bytes, buffer.count) else { return false }
                defer { X509_free(authority) }
                return X509_STORE_add_cert(SSL_CTX_get_cert_store(pointer), authority) == 1
            }
            guard isAdded else { throw .ofOpenSSL() }
        }
    }

    /// - Parameters:
    ///   - certificate: the server's certificate in DER.
    ///   - key: its private key for ES256, as PKCS#8 in DER.
    convenience init(certificate: [UInt8], key: [UInt8]) throws(TLSError) {
        try self.init(method: TLS_server_method())
        guard SSL_CTX_use_certificate_ASN1(pointer, CInt(certificate.count), certificate) == 1,
            SSL_CTX_use_PrivateKey_ASN1(EVP_PKEY_EC, pointer, key, key.count) == 1,
            SSL_CTX_check_private_key(pointer) == 1
        else { throw .ofOpenSSL() }
    }

    deinit { SSL_CTX_free(pointer) }

    /// A client's session with a server, which the certificate has to name; the caller frees the `SSL`.
    func session(with server: String) throws(TLSError) -> OpaquePointer {
        let session = try newSession()
        // An address is compared with those in the certificate; the handshake names hosts only (RFC 6066 §3).
        let isAddress = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), server) == 1
        guard isAddress || SSL_set1_host(session, server) == 1 && cssl_set_server_name(session, server) == 1 else {
            SSL_free(session)
            throw .ofOpenSSL()
        }
        SSL_set_connect_state(session)
        return session
    }

    /// A server's session with a client; the caller frees the `SSL`.
    func sessionWithClient() throws(TLSError) -> OpaquePointer {
        let session = try newSession()
        SSL_set_accept_state(session)
        return session
    }

    private func newSession() throws(TLSError) -> OpaquePointer {
        guard let session = SSL_new(pointer) else { throw .ofOpenSSL() }
        return session
    }
}
