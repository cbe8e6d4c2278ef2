/* A virtual key on UDP for libfido2: `touchstone device start PROFILE --udp PORT`. */
#ifndef VIRTUAL_KEY_H
#define VIRTUAL_KEY_H

#include <fido.h>
#include <stdbool.h>

#define EXPORTED __attribute__((visibility("default")))

/* The paths of virtual keys begin with this; HOST:PORT follows. */
#define VIRTUAL_KEY_SCHEME "udp:"

/* The longest path with its zero byte: the scheme, the name of a host (RFC 1035, 2.3.4), and a port. */
#define VIRTUAL_KEY_PATH 272

/*
 * Writes the path of the key that $TOUCHSTONE_UDP names, PORT or HOST:PORT; udp:127.0.0.1:8111 without it.
 * Returns false after a line on standard error for a value of another form.
 */
bool virtual_key_path(char path[VIRTUAL_KEY_PATH]);

/* Returns whether a key answers at a path, after a line on standard error if not. Takes at most five seconds for each address. */
bool virtual_key_answers(const char *path);

/* One datagram is one report of 64 bytes (CTAP 2.3, 11.2.4); `open` takes a path. */
extern const fido_dev_io_t virtual_key_io;

#endif
