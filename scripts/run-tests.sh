#!/usr/bin/env bash
# Runs the tests its options select, and names those that failed once more at the end, where a log is read first.
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
