#!/usr/bin/env bash
# Strains the program for a long time: malformed input, kills under load, sign-ins with flat memory.
#
# Each part is repeated for SOAK_SECONDS; a run that has begun ends first. One run of the first part is 11,500,000 inputs, of
# which SOAK_INPUTS go to the commands and the others to framing, CBOR and parsers. SOAK_BUILD=debug uses the build of
# `make test`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

seconds=${SOAK_SECONDS:-3600}
inputs=${SOAK_INPUTS:-5000000}
signins=${SOAK_SIGN_INS:-10000000}
if [[ ${SOAK_BUILD:-release} == debug ]]; then
    options=()
    program=.build/debug/touchstone
else
    # The options of `make release`, with which the compiler crashes on other suites.
    options=(-c release)
    [[ $(uname) != Linux ]] || options+=(-Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs)
    export TOUCHSTONE_SUITES="FuzzTests CrashTests"
    program=.build/release/touchstone
fi
swift build "${options[@]}" --build-tests

# part NAME COMMAND…: repeats a command, which gets the number of the run, until the time is over.
part() {
    local name=$1 run=0 began=$SECONDS
    shift
    while ((run == 0 || SECONDS - began < seconds)); do
        run=$((run + 1))
        "$@" "$run"
    done
    echo "== $name: $run runs in $((SECONDS - began)) s"
}

# Each run has another seed.
fuzz() {
    TOUCHSTONE_FUZZ_INPUTS=$inputs TOUCHSTONE_FUZZ_SEED=$((1000 + $1)) \
        scripts/run-tests.sh "${options[@]}" --filter '^FuzzTests\.'
}

crash() { scripts/run-tests.sh "${options[@]}" --filter '^CrashTests\.'; }

sign_in() { "$program" bench sign-in-memory --rounds "$signins"; }

part "malformed input, $inputs to the commands a run" fuzz
part "kills under load, 300 a run" crash
part "sign-ins, $signins a run" sign_in
