/* OpenSSH's interface to middleware for security keys, version 10 (OpenSSH 8.9 and later); its PROTOCOL.u2f describes it. */
#ifndef SK_API_H
#define SK_API_H

#include <stddef.h>
#include <stdint.h>

enum { SK_API_VERSION = 0x000A0000 };

enum { SK_USER_PRESENCE = 0x01, SK_USER_VERIFICATION = 0x04, SK_FORCE = 0x10, SK_RESIDENT = 0x20 };

enum { SK_ECDSA = 0, SK_ED25519 = 1 };

enum {
    SK_OK = 0,
    SK_GENERAL = -1,
    SK_UNSUPPORTED = -2,
    SK_PIN_REQUIRED = -3,
    SK_DEVICE_NOT_FOUND = -4,
    SK_CREDENTIAL_EXISTS = -5,
};

/* OpenSSH frees every pointer of an answer with free(). */
struct sk_enroll_response {
    uint8_t flags;
    uint8_t *public_key;
    size_t public_key_length;
    uint8_t *key_handle;
    size_t key_handle_length;
    uint8_t *signature;
    size_t signature_length;
    uint8_t *attestation_certificate;
    size_t attestation_certificate_length;
    uint8_t *authenticator_data;
    size_t authenticator_data_length;
};

struct sk_sign_response {
    uint8_t flags;
    uint32_t counter;
    /* r of ECDSA, or the whole signature of Ed25519. */
    uint8_t *r;
    size_t r_length;
    uint8_t *s;
    size_t s_length;
};

struct sk_resident_key {
    uint32_t algorithm;
    size_t slot;
    char *application;
    struct sk_enroll_response key;
    uint8_t flags;
    uint8_t *user_id;
    size_t user_id_length;
};

struct sk_option {
    char *name;
    char *value;
    uint8_t is_required;
};

uint32_t sk_api_version(void);
int sk_enroll(
    uint32_t algorithm, const uint8_t *challenge, size_t challenge_length, const char *application, uint8_t flags,
    const char *pin, struct sk_option **options, struct sk_enroll_response **response);
int sk_sign(
    uint32_t algorithm, const uint8_t *data, size_t data_length, const char *application, const uint8_t *key_handle,
    size_t key_handle_length, uint8_t flags, const char *pin, struct sk_option **options,
    struct sk_sign_response **response);
int sk_load_resident_keys(
    const char *pin, struct sk_option **options, struct sk_resident_key ***keys, size_t *count);

#endif
