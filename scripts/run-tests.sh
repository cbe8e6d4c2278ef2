#!/usr/bin/env bash
# Runs the tests that the options select, and lists the failures again at the end.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# WIDTH tests run at a time, by default one on each processor: with hundreds at once a single one takes minutes, and
# deadlines mean nothing. An older Swift may lack the option.
option=--experimental-maximum-parallelization-width
width=()
if [[ $(swift test --help-hidden 2>&1) == *$option* ]]; then width=("$option" "${WIDTH:-$(getconf _NPROCESSORS_ONLN)}"); fi

log=.build/tests.log
swift test --skip-build --disable-xctest "${width[@]}" "$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
if ((status != 0)); then
    printf '\n== what failed\n' >&2
    grep --text -E '^(✘|↳|error:)|Fatal error:' "$log" | grep --text -vE '^✘ Suite|^↳ (Testing Library|Target Platform)' | head -n 100 >&2
fi
exit "$status"
