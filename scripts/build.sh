#!/usr/bin/env bash
# Builds for debugging: build.sh [OPTION OF swift build…], such as --product touchstone or --build-tests.
#
# Every debug build uses these options: other ones in the same folder compile everything again.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# No index for editors, no information for a debugger unless DEBUG_INFO is set, and on Linux a faster linker.
options=(--disable-index-store)
[[ -n ${DEBUG_INFO:-} ]] || options+=(-Xswiftc -gnone)
[[ $(uname) != Linux ]] || options+=(-Xswiftc -use-ld=lld)

# On a terminal the package manager shows its own progress.
if [[ -t 1 ]]; then exec swift build "${options[@]}" "$@"; fi

# Elsewhere each tenth of the steps is a line, and everything that is not a step.
swift build "${options[@]}" "$@" 2>&1 | awk '
    match($0, /^\[[0-9]+\/[0-9]+\] /) {
        split(substr($0, 2, RLENGTH - 3), steps, "/")
        tenth = int(10 * steps[1] / steps[2])
        if (tenth > shown) { shown = tenth; print "  " 10 * tenth " % of the build"; fflush() }
        next
    }
    /^(Fetching|Fetched|Updating|Updated|Computing|Computed|Creating|Working copy|Building|Write|Compiling)/ { next }
    NF { print; fflush() }'
