#!/usr/bin/env bash
# Builds the tests, and installs the programs that they start meanwhile.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

log=.build/logs/setup.out
mkdir -p "${log%/*}"
install() { scripts/setup.sh test && scripts/kernel.sh; }

# Where a password may be asked for, the user sees the question.
if [[ $EUID -ne 0 && -t 0 ]]; then
    install
    exec scripts/build.sh --build-tests
fi
install >"$log" 2>&1 </dev/null &
installing=$!
built=0
scripts/build.sh --build-tests || built=$?
installed=0
wait "$installing" || installed=$?
((installed == 0)) || cat "$log" >&2
((built == 0)) || exit "$built"
exit "$installed"
