#!/usr/bin/env bash
# The Swift compiler for debug builds: build.sh names it to the package manager.
#
# A package is compiled as a whole: its files are read once, not once for each batch. Our own modules are compiled file by
# file, so that a change compiles little.
set -euo pipefail

compiler=$(dirname "$(readlink -f "$(command -v swift)")")/swiftc

# An allocator that takes a sixteenth off the compiler's time.
allocator=/usr/lib/x86_64-linux-gnu/libtcmalloc_minimal.so.4
[[ ! -f $allocator ]] || export LD_PRELOAD=$allocator

for argument; do
    if [[ $argument == @*/sources ]] && grep -q /checkouts/ "${argument#@}"; then
        options=(-whole-module-optimization -num-threads 2)
        for option; do [[ $option == -incremental || $option == -enable-batch-mode ]] || options+=("$option"); done
        exec "$compiler" "${options[@]}"
    fi
done
exec "$compiler" "$@"
