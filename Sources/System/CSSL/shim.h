#pragma once
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

// Swift cannot import these macros.
static inline int cssl_require_tls12(SSL_CTX *context) {
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

static inline int cssl_set_server_name(SSL *session, const char *name) {
    return SSL_set_tlsext_host_name(session, name);
}
