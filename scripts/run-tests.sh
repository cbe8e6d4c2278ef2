#!/usr/bin/env bash
# Runs the tests that the options select, and lists the failures again at the end.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

log=.build/tests.log
swift test --skip-build --disable-xctest "$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
if ((status != 0)); then
    printf '\n== what failed\n' >&2
    grep --text -E '^(✘|↳|error:)|Fatal error:' "$log" | grep --text -vE '^✘ Suite|^↳ (Testing Library|Target Platform)' | head -n 100 >&2
fi
exit "$status"
