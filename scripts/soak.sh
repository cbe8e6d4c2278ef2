#!/usr/bin/env bash
# Strains the release build: malformed input, kills under load, and sign-ins with flat memory.
#
# SOAK_INPUTS malformed inputs go to the commands, and 1.4 times as many to framing, CBOR, devices, parsers, answers and files,
# and twice as many to the hybrid transport.
# SOAK_KILLS processes are killed, rounded up to runs of 300. The sign-ins take SOAK_SECONDS. SOAK_BUILD=debug uses the build
# of `make test`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

inputs=${SOAK_INPUTS:-5000000}
kills=${SOAK_KILLS:-1200}
seconds=${SOAK_SECONDS:-3600}
# Each soak has other inputs, unless SOAK_SEED repeats those of an earlier one.
seed=${SOAK_SEED:-$RANDOM}
# CrashTests kill two devices, 150 times each in the whole ring.
kills_of_run=300
if [[ ${SOAK_BUILD:-release} == debug ]]; then
    options=()
    program=.build/debug/touchstone
else
    # The options of `make release`, with which the compiler crashes on other suites.
    options=(-c release)
    [[ $(uname) != Linux ]] || options+=(-Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs)
    export TEST_SUITES="FuzzTests CrashTests"
    program=.build/release/touchstone
fi
if [[ ${SOAK_BUILD:-release} == debug ]]; then
    scripts/build.sh --build-tests
else
    swift build "${options[@]}" --build-tests
fi

# part NAME COMMAND…: runs a command and prints the time that it took.
part() {
    local name=$1 began=$SECONDS
    shift
    "$@"
    echo "== $name: $((SECONDS - began)) s"
}

fuzz() {
    TEST_FUZZ_INPUTS=$inputs TEST_FUZZ_SEED=$seed \
        CONFIGURATION=${SOAK_BUILD:-release} scripts/run-tests.sh --filter '^FuzzTests\.'
}

crash() {
    local killed
    for ((killed = 0; killed < kills; killed += kills_of_run)); do
        TEST_RING=all CONFIGURATION=${SOAK_BUILD:-release} scripts/run-tests.sh --filter '^CrashTests\.'
    done
}

sign_in() { "$program" bench sign-in-memory --seconds "$seconds"; }

part "malformed input, $inputs to the commands, seed $seed" fuzz
part "kills under load, at least $kills" crash
part "sign-ins for $seconds s" sign_in
