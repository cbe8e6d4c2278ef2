#!/usr/bin/env bash
# Plays scenarios or performs conformance cases in a job of GitHub Actions; action.yml describes the variables INPUT_….
set -euo pipefail

fail() {
    echo "::error title=Touchstone::${*//$'\n'/ }"
    exit 2
}

# Adds the lines of a text to an array; blank ones do not count.
add_lines() {
    local -n list=$1
    local line
    while IFS= read -r line; do
        line=${line#"${line%%[![:space:]]*}"}
        line=${line%"${line##*[![:space:]]}"}
        [[ -z $line ]] || list+=("$line")
    done <<<"$2"
}

run=${INPUT_RUN:-scenarios}
party=${INPUT_RELYING_PARTY:-}
reports=${INPUT_REPORTS:-touchstone-reports}
html=$reports/touchstone.html
junit=$reports/touchstone.xml
files=()
arguments=()
add_lines files "${INPUT_FILES:-}"
add_lines arguments "${INPUT_ARGUMENTS:-}"

# refuse INPUT VALUE: an input without an effect is an error.
refuse() { [[ -z $2 ]] || fail "$1 has no effect for $run. Remove it."; }

case $run in
scenarios)
    refuse device "${INPUT_DEVICE:-}"
    [[ -n $party ]] || {
        for name in url wait; do
            variable=INPUT_${name^^}
            [[ -z ${!variable:-} ]] || fail "$name has no effect without a relying party. Name one, or remove it."
        done
    }
    command=(touchstone scenario run)
    ;;
conformance-relying-party)
    refuse device "${INPUT_DEVICE:-}"
    refuse files "${INPUT_FILES:-}"
    command=(touchstone conformance relying-party)
    [[ -z ${INPUT_WAIT:-} ]] || command+=(--wait "$INPUT_WAIT")
    ;;
conformance-authenticator)
    refuse files "${INPUT_FILES:-}"
    refuse relying-party "$party"
    refuse url "${INPUT_URL:-}"
    refuse wait "${INPUT_WAIT:-}"
    [[ -n ${INPUT_DEVICE:-} ]] || fail "conformance-authenticator needs a device, such as virtual:solo-2. Name one."
    command=(touchstone conformance authenticator --device "$INPUT_DEVICE")
    ;;
*) fail "run is $run. Write scenarios, conformance-relying-party or conformance-authenticator." ;;
esac

[[ -z $party ]] || command+=(--relying-party "$party")
[[ -z ${INPUT_URL:-} ]] || command+=(--url "$INPUT_URL")
command+=(--github --html "$html" --junit "$junit")
mkdir -p -- "$reports"

status=0
if [[ $run == scenarios && -n ${INPUT_WAIT:-} ]]; then
    check=(touchstone relying-party check "$party" --wait "$INPUT_WAIT")
    [[ -z ${INPUT_URL:-} ]] || check+=(--url "$INPUT_URL")
    "${check[@]}" || status=$?
fi
if ((status == 0)); then
    "${command[@]}" ${arguments[@]+"${arguments[@]}"} ${files[@]+"${files[@]}"} || status=$?
fi

case $status in
0) result=passed ;;
1) result=failed ;;
*) result=error ;;
esac
{
    echo "status=$status"
    echo "result=$result"
    [[ ! -e $html ]] || echo "html=$html"
    [[ ! -e $junit ]] || echo "junit=$junit"
} >>"$GITHUB_OUTPUT"
if [[ -n ${GITHUB_STEP_SUMMARY:-} ]]; then
    printf '**Touchstone, %s:** %s (exit status %s)\n' "$run" "$result" "$status" >>"$GITHUB_STEP_SUMMARY"
fi
exit "$status"
