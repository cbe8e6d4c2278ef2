/* An SSH SecurityKeyProvider: OpenSSH enrols, signs and reads resident keys with the virtual key. */
#define _GNU_SOURCE
#include "sk_api.h"
#include "virtual_key.h"

#include <fido/credman.h>
#include <openssl/ecdsa.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The length of the user ID that OpenSSH gives a key, and the longest name for it. */
enum { USER_ID = 32 };

struct request {
    char path[VIRTUAL_KEY_PATH];
    uint8_t user_id[USER_ID];
};

/* Reads the options `device` and `user`. */
static int read_options(struct sk_option **options, struct request *request) {
    memset(request, 0, sizeof *request);
    if (!virtual_key_path(request->path)) return SK_GENERAL;
    for (; options != NULL && *options != NULL; options++) {
        const struct sk_option *option = *options;
        if (strcmp(option->name, "device") == 0) {
            if (strlen(option->value) >= sizeof request->path) return SK_DEVICE_NOT_FOUND;
            strcpy(request->path, option->value);
        } else if (strcmp(option->name, "user") == 0) {
            if (strlen(option->value) > USER_ID) return SK_GENERAL;
            memcpy(request->user_id, option->value, strlen(option->value));
        } else if (option->is_required) {
            fprintf(stderr, "touchstone: the option %s is unknown; use device or user\n", option->name);
            return SK_UNSUPPORTED;
        }
    }
    return SK_OK;
}

/* Reads the options, and opens the device that they name. */
static int open_device(struct sk_option **options, struct request *request, fido_dev_t **device) {
    int result = read_options(options, request);
    if (result != SK_OK) return result;
    fido_init(getenv("FIDO_DEBUG") == NULL ? 0 : FIDO_DEBUG);
    if ((*device = fido_dev_new()) == NULL) return SK_GENERAL;
    if (fido_dev_set_io_functions(*device, &virtual_key_io) == FIDO_OK
        && fido_dev_open(*device, request->path) == FIDO_OK)
        return SK_OK;
    fido_dev_free(device);
    return SK_DEVICE_NOT_FOUND;
}

/* The same for a request with keys of an algorithm. */
static int open_device_for(
    uint32_t algorithm, struct sk_option **options, struct request *request, fido_dev_t **device) {
    if (algorithm != SK_ECDSA && algorithm != SK_ED25519) return SK_UNSUPPORTED;
    return open_device(options, request, device);
}

static void close_device(fido_dev_t **device) {
    if (*device != NULL) fido_dev_close(*device);
    fido_dev_free(device);
}

struct refusal {
    int error, result;
    /* The cause and the next step; the device's path follows if the text ends in "--device ". */
    const char *words;
};

#define NOT_TOUCHED                                                                                                  \
    "the key was not touched in time, or the user declined; try again and touch it, a virtual key with: "             \
    "touchstone device present touch"

static const struct refusal refusals[] = {
    {FIDO_ERR_OPERATION_DENIED, SK_GENERAL, NOT_TOUCHED},
    {FIDO_ERR_USER_ACTION_TIMEOUT, SK_GENERAL, NOT_TOUCHED},
    {FIDO_ERR_ACTION_TIMEOUT, SK_GENERAL, NOT_TOUCHED},
    {FIDO_ERR_NO_CREDENTIALS, SK_DEVICE_NOT_FOUND,
        "the key does not have this credential: another key made it, or this key was reset; select a key with -O "
        "device=udp:HOST:PORT or TOUCHSTONE_UDP"},
    {FIDO_ERR_PIN_NOT_SET, SK_UNSUPPORTED, "the key has no PIN, which this needs; set one: touchstone keys pin set --device "},
    {FIDO_ERR_PIN_AUTH_BLOCKED, SK_GENERAL,
        "after three wrong PINs in a row the PIN is blocked until a power cycle: touchstone device power-cycle --name NAME"},
    {FIDO_ERR_PIN_BLOCKED, SK_GENERAL,
        "no PIN retries are left; only a reset, which erases the key, helps: touchstone keys reset --device "},
    {FIDO_ERR_PIN_POLICY_VIOLATION, SK_GENERAL,
        "the PIN must be changed first: touchstone keys pin change --device "},
    {FIDO_ERR_UV_BLOCKED, SK_GENERAL, "the sensor is blocked after failed attempts; the right PIN unblocks it"},
    {FIDO_ERR_KEY_STORE_FULL, SK_GENERAL,
        "the key has no room for another resident key; delete one: touchstone keys credentials delete NAME --device "},
    {FIDO_ERR_UNSUPPORTED_OPTION, SK_UNSUPPORTED, "the key does not support an option of this request"},
    {FIDO_ERR_UNSUPPORTED_ALGORITHM, SK_UNSUPPORTED, "the key does not support this type of key"},
};

/* The result of a refusal, after a line about it on standard error. */
static int refused(int error, const char *path) {
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        if (refusals[i].error != error) continue;
        size_t length = strlen(refusals[i].words);
        fprintf(stderr, "touchstone: %s%s\n", refusals[i].words, refusals[i].words[length - 1] == ' ' ? path : "");
        return refusals[i].result;
    }
    fprintf(stderr, "touchstone: the request failed with %s: touchstone errors --code %s\n", fido_strerr(error),
        fido_strerr(error));
    return SK_GENERAL;
}

/* The result for OpenSSH, which asks for a PIN after SK_PIN_REQUIRED, and tries again with it. */
static int result_of(int error, fido_dev_t *device, const char *path, const char *pin) {
    switch (error) {
    case FIDO_OK: return SK_OK;
    case FIDO_ERR_PIN_REQUIRED:
    case FIDO_ERR_UNAUTHORIZED_PERM:
        return pin != NULL || fido_dev_has_pin(device) ? SK_PIN_REQUIRED : refused(FIDO_ERR_PIN_NOT_SET, path);
    case FIDO_ERR_UNSUPPORTED_OPTION:
        return pin == NULL && fido_dev_has_pin(device) ? SK_PIN_REQUIRED : refused(error, path);
    case FIDO_ERR_PIN_INVALID:
        fprintf(stderr, "touchstone: the PIN is wrong; enter the right one\n");
        return SK_PIN_REQUIRED;
    default: return refused(error, path);
    }
}

/* Whether the user can be verified without a PIN, or with this one; otherwise the result for OpenSSH. */
static int check_verification(fido_dev_t *device, const char *path, const char *pin) {
    if (fido_dev_has_uv(device)) return SK_OK;
    if (!fido_dev_has_pin(device)) return refused(FIDO_ERR_PIN_NOT_SET, path);
    return pin == NULL ? SK_PIN_REQUIRED : SK_OK;
}

/* Copies bytes; no bytes are a null pointer and right. */
static bool copy(uint8_t **target, size_t *length, const void *bytes, size_t count) {
    if (bytes == NULL || count == 0) return true;
    if ((*target = malloc(count)) == NULL) return false;
    memcpy(*target, bytes, count);
    *length = count;
    return true;
}

/* OpenSSH takes a point of P-256 with its leading 4 (SEC 1), and a key of Ed25519 as it is. */
static bool copy_public_key(const fido_cred_t *credential, struct sk_enroll_response *response) {
    uint8_t key[65] = {4};
    size_t prefix = fido_cred_type(credential) == COSE_ES256 ? 1 : 0, length = fido_cred_pubkey_len(credential);
    if (fido_cred_pubkey_ptr(credential) == NULL || length > sizeof key - 1) return false;
    memcpy(key + prefix, fido_cred_pubkey_ptr(credential), length);
    return copy(&response->public_key, &response->public_key_length, key, prefix + length)
        && copy(&response->key_handle, &response->key_handle_length, fido_cred_id_ptr(credential),
            fido_cred_id_len(credential));
}

static void clear(struct sk_enroll_response *response) {
    free(response->public_key);
    free(response->key_handle);
    free(response->signature);
    free(response->attestation_certificate);
    free(response->authenticator_data);
}

/* Whether the key has a resident credential of this application and user already. */
static bool has_resident_key(
    fido_dev_t *device, const char *application, const uint8_t user_id[USER_ID], const char *pin) {
    fido_assert_t *assertion = fido_assert_new();
    bool found = false;
    if (assertion != NULL && fido_assert_set_clientdata(assertion, (const unsigned char *)"", 1) == FIDO_OK
        && fido_assert_set_rp(assertion, application) == FIDO_OK
        && fido_assert_set_up(assertion, FIDO_OPT_FALSE) == FIDO_OK
        && fido_dev_get_assert(device, assertion, pin) == FIDO_OK)
        for (size_t i = 0; i < fido_assert_count(assertion); i++)
            found |= fido_assert_user_id_len(assertion, i) == USER_ID
                && memcmp(fido_assert_user_id_ptr(assertion, i), user_id, USER_ID) == 0;
    fido_assert_free(&assertion);
    return found;
}

EXPORTED uint32_t sk_api_version(void) { return SK_API_VERSION; }

static int make_credential(
    fido_dev_t *device, fido_cred_t *credential, const struct request *request, int type, const uint8_t *challenge,
    size_t challenge_length, const char *application, uint8_t flags, const char *pin) {
    bool is_resident = flags & SK_RESIDENT, is_verified = flags & SK_USER_VERIFICATION;
    if (is_resident && !(flags & SK_FORCE) && has_resident_key(device, application, request->user_id, pin))
        return SK_CREDENTIAL_EXISTS;
    if (fido_cred_set_type(credential, type) != FIDO_OK
        || fido_cred_set_clientdata(credential, challenge, challenge_length) != FIDO_OK
        || fido_cred_set_rk(credential, is_resident ? FIDO_OPT_TRUE : FIDO_OPT_OMIT) != FIDO_OK
        || fido_cred_set_user(credential, request->user_id, USER_ID, "openssh", "openssh", NULL) != FIDO_OK
        || fido_cred_set_rp(credential, application, NULL) != FIDO_OK)
        return SK_GENERAL;
    if (is_resident || is_verified) {
        if (!fido_dev_supports_cred_prot(device)) {
            fprintf(stderr, "touchstone: resident and verify-required need credProtect, and this key lacks it\n");
            return SK_UNSUPPORTED;
        }
        int protection = is_verified ? FIDO_CRED_PROT_UV_REQUIRED : FIDO_CRED_PROT_UV_OPTIONAL_WITH_ID;
        if (fido_cred_set_prot(credential, protection) != FIDO_OK) return SK_GENERAL;
    }
    /* As OpenSSH's own provider: a key without a sensor makes the credential, which needs the PIN at each signature. */
    if (is_verified && pin == NULL && fido_dev_has_uv(device)
        && fido_cred_set_uv(credential, FIDO_OPT_TRUE) != FIDO_OK)
        return SK_GENERAL;
    int error = fido_dev_make_cred(device, credential, pin);
    if (error == FIDO_OK && strcmp(fido_cred_fmt(credential), "none") != 0)
        error = fido_cred_x5c_ptr(credential) == NULL ? fido_cred_verify_self(credential) : fido_cred_verify(credential);
    return result_of(error, device, request->path, pin);
}

EXPORTED int sk_enroll(
    uint32_t algorithm, const uint8_t *challenge, size_t challenge_length, const char *application, uint8_t flags,
    const char *pin, struct sk_option **options, struct sk_enroll_response **response) {
    struct request request;
    fido_dev_t *device = NULL;
    *response = NULL;
    int result = open_device_for(algorithm, options, &request, &device);
    if (result != SK_OK) return result;
    fido_cred_t *credential = fido_cred_new();
    struct sk_enroll_response *answer = calloc(1, sizeof *answer);
    result = SK_GENERAL;
    if (credential != NULL && answer != NULL)
        result = make_credential(
            device, credential, &request, algorithm == SK_ECDSA ? COSE_ES256 : COSE_EDDSA, challenge, challenge_length,
            application, flags, pin);
    if (result == SK_OK) {
        answer->flags = flags;
        bool copied = copy_public_key(credential, answer)
            && copy(&answer->signature, &answer->signature_length, fido_cred_sig_ptr(credential),
                fido_cred_sig_len(credential))
            && copy(&answer->attestation_certificate, &answer->attestation_certificate_length,
                fido_cred_x5c_ptr(credential), fido_cred_x5c_len(credential))
            && copy(&answer->authenticator_data, &answer->authenticator_data_length,
                fido_cred_authdata_ptr(credential), fido_cred_authdata_len(credential));
        if (!copied) result = SK_GENERAL;
    }
    if (result == SK_OK) {
        *response = answer;
    } else if (answer != NULL) {
        clear(answer);
        free(answer);
    }
    fido_cred_free(&credential);
    close_device(&device);
    return result;
}

/* ECDSA's signature is DER, and OpenSSH takes its two numbers; Ed25519's is 64 bytes. */
static bool copy_signature(uint32_t algorithm, const fido_assert_t *assertion, struct sk_sign_response *response) {
    const unsigned char *bytes = fido_assert_sig_ptr(assertion, 0);
    size_t length = fido_assert_sig_len(assertion, 0);
    if (algorithm == SK_ED25519) return length == 64 && copy(&response->r, &response->r_length, bytes, length);
    ECDSA_SIG *signature = d2i_ECDSA_SIG(NULL, &bytes, (long)length);
    if (signature == NULL) return false;
    uint8_t r[66], s[66];
    bool fits = BN_num_bytes(ECDSA_SIG_get0_r(signature)) <= (int)sizeof r
        && BN_num_bytes(ECDSA_SIG_get0_s(signature)) <= (int)sizeof s;
    bool copied = fits
        && copy(&response->r, &response->r_length, r, (size_t)BN_bn2bin(ECDSA_SIG_get0_r(signature), r))
        && copy(&response->s, &response->s_length, s, (size_t)BN_bn2bin(ECDSA_SIG_get0_s(signature), s));
    ECDSA_SIG_free(signature);
    return copied;
}

EXPORTED int sk_sign(
    uint32_t algorithm, const uint8_t *data, size_t data_length, const char *application, const uint8_t *key_handle,
    size_t key_handle_length, uint8_t flags, const char *pin, struct sk_option **options,
    struct sk_sign_response **response) {
    struct request request;
    fido_dev_t *device = NULL;
    *response = NULL;
    int result = open_device_for(algorithm, options, &request, &device);
    if (result != SK_OK) return result;
    fido_assert_t *assertion = fido_assert_new();
    struct sk_sign_response *answer = calloc(1, sizeof *answer);
    result = SK_GENERAL;
    bool is_present = flags & SK_USER_PRESENCE, asks_for_uv = (flags & SK_USER_VERIFICATION) && pin == NULL;
    if (assertion != NULL && answer != NULL && fido_assert_set_clientdata(assertion, data, data_length) == FIDO_OK
        && fido_assert_set_rp(assertion, application) == FIDO_OK
        && fido_assert_allow_cred(assertion, key_handle, key_handle_length) == FIDO_OK
        && fido_assert_set_up(assertion, is_present ? FIDO_OPT_TRUE : FIDO_OPT_FALSE) == FIDO_OK
        && fido_assert_set_uv(assertion, asks_for_uv ? FIDO_OPT_TRUE : FIDO_OPT_OMIT) == FIDO_OK)
    {
        result = asks_for_uv ? check_verification(device, request.path, pin) : SK_OK;
        if (result == SK_OK)
            result = result_of(fido_dev_get_assert(device, assertion, pin), device, request.path, pin);
    }
    if (result == SK_OK) {
        answer->flags = fido_assert_flags(assertion, 0);
        answer->counter = fido_assert_sigcount(assertion, 0);
        if (!copy_signature(algorithm, assertion, answer)) result = SK_GENERAL;
    }
    if (result == SK_OK) {
        *response = answer;
    } else if (answer != NULL) {
        free(answer->r);
        free(answer->s);
        free(answer);
    }
    fido_assert_free(&assertion);
    close_device(&device);
    return result;
}

/* Appends one resident credential to the keys. */
static bool append(
    const fido_cred_t *credential, const char *application, size_t slot, struct sk_resident_key ***keys,
    size_t *count) {
    struct sk_resident_key *key = calloc(1, sizeof *key);
    struct sk_resident_key **more = key == NULL ? NULL : realloc(*keys, (*count + 1) * sizeof *more);
    if (more == NULL) {
        free(key);
        return false;
    }
    *keys = more;
    more[(*count)++] = key;
    key->algorithm = fido_cred_type(credential) == COSE_ES256 ? SK_ECDSA : SK_ED25519;
    key->slot = slot;
    key->flags = SK_USER_PRESENCE | SK_RESIDENT;
    if (fido_cred_prot(credential) == FIDO_CRED_PROT_UV_REQUIRED) key->flags |= SK_USER_VERIFICATION;
    return (key->application = strdup(application)) != NULL && copy_public_key(credential, &key->key)
        && copy(&key->user_id, &key->user_id_length, fido_cred_user_id_ptr(credential),
            fido_cred_user_id_len(credential));
}

static int read_application(
    fido_dev_t *device, const char *path, const char *application, size_t slot, const char *pin,
    struct sk_resident_key ***keys, size_t *count) {
    fido_credman_rk_t *found = fido_credman_rk_new();
    if (found == NULL) return SK_GENERAL;
    int result = result_of(fido_credman_get_dev_rk(device, application, found, pin), device, path, pin);
    for (size_t i = 0; result == SK_OK && i < fido_credman_rk_count(found); i++) {
        const fido_cred_t *credential = fido_credman_rk(found, i);
        int type = credential == NULL ? 0 : fido_cred_type(credential);
        if (type != COSE_ES256 && type != COSE_EDDSA) continue;
        if (!append(credential, application, slot, keys, count)) result = SK_GENERAL;
    }
    fido_credman_rk_free(&found);
    return result;
}

EXPORTED int sk_load_resident_keys(
    const char *pin, struct sk_option **options, struct sk_resident_key ***keys, size_t *count) {
    struct request request;
    fido_dev_t *device = NULL;
    *keys = NULL;
    *count = 0;
    if (pin == NULL) return SK_PIN_REQUIRED;
    int result = open_device(options, &request, &device);
    if (result != SK_OK) return result;
    fido_credman_rp_t *applications = fido_credman_rp_new();
    if (applications != NULL)
        result = result_of(fido_credman_get_dev_rp(device, applications, pin), device, request.path, pin);
    else
        result = SK_GENERAL;
    for (size_t i = 0; result == SK_OK && i < fido_credman_rp_count(applications); i++) {
        const char *application = fido_credman_rp_id(applications, i);
        if (application != NULL && strncmp(application, "ssh:", 4) == 0)
            result = read_application(device, request.path, application, i, pin, keys, count);
    }
    if (result != SK_OK) {
        for (size_t i = 0; i < *count; i++) {
            clear(&(*keys)[i]->key);
            free((*keys)[i]->application);
            free((*keys)[i]->user_id);
            free((*keys)[i]);
        }
        free(*keys);
        *keys = NULL;
        *count = 0;
    }
    fido_credman_rp_free(&applications);
    close_device(&device);
    return result;
}
