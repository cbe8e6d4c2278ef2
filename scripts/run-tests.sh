#!/usr/bin/env bash
# Runs the built tests that the options select, and lists the failures again at the end.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit

# WIDTH tests run at a time, by default one on each processor: with hundreds at once a single one takes minutes, and
# deadlines mean nothing. CONFIGURATION is the build, by default debug. NICE lowers the priority. LOG is the file for the
# output.
log=${LOG:-.build/tests.log}
tests=.build/${CONFIGURATION:-debug}/touchstone-benchPackageTests.xctest
# A shell that starts a job in the background has it ignore the signals of the keyboard, and tests send them to programs.
reset=(env "--default-signal=INT,QUIT")
"${reset[@]}" true 2>/dev/null || reset=()
nice -n "${NICE:-0}" ${reset[@]+"${reset[@]}"} "$tests" --testing-library swift-testing \
    --experimental-maximum-parallelization-width "${WIDTH:-$(getconf _NPROCESSORS_ONLN)}" "$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
if ((status != 0)); then
    printf '\n== what failed\n' >&2
    grep --text -E '(✘|↳|error:)|Fatal error:' "$log" | grep --text -vE '✘.* Suite|↳ (Testing Library|Target Platform)' | head -n 100 >&2
fi
exit "$status"
