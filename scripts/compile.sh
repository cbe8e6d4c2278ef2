#!/usr/bin/env bash
# The Swift compiler for debug builds: build.sh names it to the package manager.
#
# Modules of packages are compiled as a whole, and our own modules when they are compiled first: their files are read once,
# not once for each batch, which takes a sixth less of the processor. Later changes of our own modules are compiled file by
# file; the first one compiles its module once more.
set -euo pipefail

compiler=$(dirname "$(readlink -f "$(command -v swift)")")/swiftc

# An allocator that takes a sixteenth off the compiler's time.
allocator=/usr/lib/x86_64-linux-gnu/libtcmalloc_minimal.so.4
[[ ! -f $allocator ]] || export LD_PRELOAD=$allocator

whole=false
before=
for argument; do
    if [[ $argument == @*/sources ]] && grep -q -E "/(checkouts|Vendor)/" "${argument#@}"; then
        whole=true
    elif [[ $before == -output-file-map ]] && ! compgen -G "${argument%/*}/*.o" >/dev/null; then
        whole=true
    fi
    before=$argument
done
$whole || exec "$compiler" "$@"

options=(-whole-module-optimization -num-threads 2)
for argument; do
    [[ $argument == -incremental || $argument == -enable-batch-mode ]] || options+=("$argument")
done
exec "$compiler" "${options[@]}"
