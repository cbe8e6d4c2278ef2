#!/usr/bin/env bash
# Runs every suite of tests in two lanes side by side, and the mutations beside them at the lowest
# priority. One lane begins with the suites that compute; both run the suites that start programs and often wait.
#
# TEST_RING=all runs everything; otherwise long lists and the mutations are sampled with TEST_SEED, by default
# from the commit.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit

if [[ -z ${TEST_SEED:-} ]]; then
    commit=$(git rev-parse --short=8 HEAD 2>/dev/null || echo 1)
    export TEST_SEED=$((16#$commit))
fi
echo "== samples: ${TEST_RING:-quick} ring, TEST_SEED=$TEST_SEED"

# The suites that start real programs, or stop and kill their own; the longest come first.
programs=(Clients Assistant Interop Kernel ControlAPI Reader Install Selenium Crash HostileInput Transports)
pattern="^($(IFS='|'; echo "${programs[*]}"))Tests\."

logs=.build/logs
rm -rf "$logs"
mkdir -p "$logs"

# suite NAME OPTION…: runs tests, and prints one line with their number and time.
suite() {
    local name=$1 began=$SECONDS status
    shift
    LOG=$logs/$name.log scripts/run-tests.sh "$@" >"$logs/$name.out" 2>&1
    status=$?
    printf '== %-14s %5d s  %s\n' "$name" $((SECONDS - began)) \
        "$(grep --text -aoE 'Test run with .*' "$logs/$name.log" | tail -n 1)"
    ((status == 0)) || { echo "$name" >>"$logs/failed"; sed -n '/^== what failed/,$p' "$logs/$name.out"; }
}

printf '%s\n' "${programs[@]}" >"$logs/queue"

# lane: runs the suites of the queue that no lane has taken.
lane() {
    local name
    # shellcheck disable=SC2016 # The inner shell has the parameter.
    while name=$(flock "$logs" sh -c 'head -n 1 "$0" && sed -i 1d "$0"' "$logs/queue") && [[ -n $name ]]; do
        WIDTH=4 suite "$name" --filter "^${name}Tests\."
    done
}

# mutations: changes the sources one at a time, and checks that a test or a case fails.
mutations() {
    local began=$SECONDS sample=(--sample 60 --seed "$TEST_SEED") status
    [[ ${TEST_RING:-} != all ]] || sample=()
    nice -n 10 scripts/mutate.py run ${sample[@]+"${sample[@]}"} >"$logs/mutations.out" 2>&1
    status=$?
    printf '== %-14s %5d s  %s\n' mutations $((SECONDS - began)) "$(grep -E 'built in' "$logs/mutations.out")"
    ((status == 0)) || { echo mutations >>"$logs/failed"; cat "$logs/mutations.out"; }
}

# example: builds and tests the example as a package of its own; `make test` runs the same tests in the suite ExampleTests.
example() {
    local began=$SECONDS status
    nice -n 10 scripts/example.sh >"$logs/example.out" 2>&1
    status=$?
    printf '== %-14s %5d s  %s\n' example $((SECONDS - began)) \
        "$(grep --text -aoE 'Test run with .*' "$logs/example.out" | tail -n 1)"
    ((status == 0)) || { echo example >>"$logs/failed"; tail -n 50 "$logs/example.out"; }
}

# Programs that wait for each other come first at a processor; the suites that compute come second, and the
# mutations last.
mutations &
[[ ${TEST_RING:-} != all ]] || example &
{ NICE=1 suite rest --skip "$pattern"; lane; } &
lane
wait

# A test whose name is a sentence stands in quotation marks in the log, and has no brackets.
ran=$(cat "$logs"/*.log | grep --text -aoE 'Test run with [0-9]+ tests' | awk '{ n += $4 } END { print n + 0 }')
failed=$(cat "$logs"/*.log | grep --text -acE '✘.* Test ("|[A-Za-z0-9_]+\().* failed after')
if [[ -f $logs/failed ]]; then
    echo "== failed: $(tr '\n' ' ' <"$logs/failed")(the whole output is in $logs)"
    # A suite that crashes or hangs has no line for its test.
    suites=$(wc -l <"$logs/failed")
    ((failed >= suites)) || failed=$suites
fi
echo "$((ran - failed)) passed, $failed failed"
[[ ! -f $logs/failed ]]
