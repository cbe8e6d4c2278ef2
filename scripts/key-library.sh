#!/bin/sh
# Builds the library with which OpenSSH, and programs with libfido2, use a virtual key on UDP: key-library.sh FILE. Linux only.
set -eu

sources=$(dirname "$0")/../Sources/Transports/KeyLibrary
compiler=${CC:-}
[ -n "$compiler" ] || if command -v cc >/dev/null; then compiler=cc; else compiler=clang; fi
# shellcheck disable=SC2046 # Several words.
"$compiler" -shared -fPIC -std=c11 -O2 -Wall -Wextra -Werror -fvisibility=hidden -Wl,-z,defs -Wl,-s -o "$1" "$sources"/*.c \
    $(pkg-config --cflags --libs libfido2 libcrypto)
