/* CTAPHID reports as datagrams. */
#define _GNU_SOURCE
#include "virtual_key.h"

#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#define REPORT 64
/* Milliseconds until a silent key is asked whether it still listens, and until a question counts as not answered. */
#define SILENCE 1000
#define PATIENCE 5000

struct virtual_key {
    int socket;
    char path[VIRTUAL_KEY_PATH];
};

bool virtual_key_path(char path[VIRTUAL_KEY_PATH]) {
    const char *value = getenv("TOUCHSTONE_UDP");
    if (value == NULL || *value == 0) value = "8111";
    bool is_port = strspn(value, "0123456789") == strlen(value);
    int length = snprintf(
        path, VIRTUAL_KEY_PATH, VIRTUAL_KEY_SCHEME "%s%s", is_port ? "127.0.0.1:" : "", value);
    if (length > 0 && length < VIRTUAL_KEY_PATH && strchr(value, ':') != NULL) return true;
    if (is_port && length < VIRTUAL_KEY_PATH) return true;
    fprintf(stderr, "touchstone: TOUCHSTONE_UDP is \"%s\"; write PORT or HOST:PORT\n", value);
    return false;
}

/* Whether the key at a new socket gives a channel, which it does at any time (CTAP 2.3, 11.2.9.1.3). */
static bool gives_channel(int fd) {
    uint8_t report[REPORT] = {0xFF, 0xFF, 0xFF, 0xFF, 0x86, 0, 8};
    /* A nonce; its value does not matter. */
    (void)!getrandom(report + 7, 8, 0);
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    return send(fd, report, REPORT, MSG_NOSIGNAL) == REPORT && poll(&wait, 1, PATIENCE) == 1
        && recv(fd, report, REPORT, 0) > 0;
}

/* A socket to the key, which answered on it; -1 when none answers. A name may have several addresses. */
static int connected(const char *path) {
    char copy[VIRTUAL_KEY_PATH];
    if (strncmp(path, VIRTUAL_KEY_SCHEME, strlen(VIRTUAL_KEY_SCHEME)) != 0 || strlen(path) >= sizeof copy) return -1;
    strcpy(copy, path + strlen(VIRTUAL_KEY_SCHEME));
    char *host = copy, *port = strrchr(copy, ':');
    if (port == NULL) return -1;
    *port++ = 0;
    if (*host == '[' && port[-2] == ']') port[-2] = 0, host++;
    struct addrinfo hints = {.ai_socktype = SOCK_DGRAM, .ai_flags = AI_NUMERICSERV}, *addresses = NULL;
    if (getaddrinfo(host, port, &hints, &addresses) != 0) return -1;
    int found = -1;
    for (struct addrinfo *address = addresses; address != NULL && found < 0; address = address->ai_next) {
        int fd = socket(address->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (fd < 0) continue;
        if (connect(fd, address->ai_addr, address->ai_addrlen) == 0 && gives_channel(fd))
            found = fd;
        else
            close(fd);
    }
    freeaddrinfo(addresses);
    return found;
}

/* Asks on a socket of its own. */
static bool is_listening(const char *path) {
    int fd = connected(path);
    if (fd < 0) return false;
    close(fd);
    return true;
}

bool virtual_key_answers(const char *path) {
    if (is_listening(path)) return true;
    fprintf(
        stderr,
        "touchstone: no virtual key answers at %s; start one: touchstone device start yubikey-5-nfc-5.7. "
        "For another port set TOUCHSTONE_UDP=PORT.\n", path);
    return false;
}

static void *open_key(const char *path) {
    if (path == NULL || !virtual_key_answers(path)) return NULL;
    struct virtual_key *key = calloc(1, sizeof *key);
    if (key == NULL) return NULL;
    snprintf(key->path, sizeof key->path, "%s", path);
    if ((key->socket = connected(path)) >= 0) return key;
    free(key);
    return NULL;
}

static void close_key(void *handle) {
    struct virtual_key *key = handle;
    close(key->socket);
    free(key);
}

/* `milliseconds` is -1 to wait for as long as the key listens: it is silent only between requests. */
static int read_report(void *handle, unsigned char *report, size_t length, int milliseconds) {
    struct virtual_key *key = handle;
    if (length < REPORT) return -1;
    for (;;) {
        int slice = milliseconds < 0 || milliseconds > SILENCE ? SILENCE : milliseconds;
        struct pollfd wait = {.fd = key->socket, .events = POLLIN};
        int ready = poll(&wait, 1, slice);
        if (ready < 0) return -1;
        if (ready > 0) {
            ssize_t count = recv(key->socket, report, length, 0);
            return count == REPORT ? REPORT : -1;
        }
        if (milliseconds >= 0 && (milliseconds -= slice) == 0) return -1;
        if (!is_listening(key->path)) return -1;
    }
}

/* The report number, zero, comes before the report. */
static int write_report(void *handle, const unsigned char *numbered, size_t length) {
    struct virtual_key *key = handle;
    if (length != REPORT + 1) return -1;
    return send(key->socket, numbered + 1, REPORT, MSG_NOSIGNAL) == REPORT ? (int)length : -1;
}

const fido_dev_io_t virtual_key_io = {open_key, close_key, read_report, write_report};
