#!/usr/bin/env bash
# Installs the program for the other steps of a job of GitHub Actions; action.yml describes INPUT_PACKAGE and INPUT_SHA256.
set -euo pipefail

fail() {
    # A line feed would end the annotation.
    echo "::error title=Touchstone is not installed::${*//$'\n'/ }"
    exit 2
}

as_root() {
    if [[ $EUID -eq 0 ]]; then "$@"; else sudo -n "$@"; fi
}

package=${INPUT_PACKAGE:-}
checksum=${INPUT_SHA256:-}
folder=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/touchstone-XXXXXX")

[[ -n $package || -z $checksum ]] || fail "sha256 has no effect without a package. Name the package, or remove sha256."
case $package in
http://* | https://*)
    [[ -n $checksum ]] || fail "A package from an address needs its sha256. Take it from SHA256SUMS of the release."
    file=$folder/${package##*/}
    file=${file%%[?#]*}
    curl --fail --silent --show-error --location --retry 3 --output "$file" "$package" ||
        fail "$package cannot be downloaded. Check the address."
    ;;
*) file=$package ;;
esac

if [[ -n $file ]]; then
    [[ -f $file ]] || fail "$package was not found. Name a wheel, a Debian package or the program."
    if [[ -n $checksum ]]; then
        found=$(sha256sum -- "$file")
        [[ ${found%% *} == "${checksum,,}" ]] || fail "$package has another SHA-256, ${found%% *}. Take the package of the release."
    fi
fi

case $file in
"")
    program=$(command -v touchstone) || fail "touchstone is not on the path. Name a package of a release."
    ;;
*.whl)
    # The program needs none of the Python package's requirements.
    { python3 -m venv "$folder/python" && "$folder/python/bin/python" -m pip install --quiet --no-deps --no-index -- "$file"; } ||
        fail "pip cannot install $package. The wheel is for Linux on x86-64."
    program=$folder/python/bin/touchstone
    ;;
*.deb)
    { as_root apt-get update -q && as_root apt-get install -y -q -- "$(realpath -- "$file")"; } ||
        fail "apt-get cannot install $package. It needs Debian 12, or a system with the same libraries."
    program=$(command -v touchstone) || fail "$package has no program."
    ;;
*)
    [[ -x $file ]] || fail "$package is neither a wheel, nor a Debian package, nor a program. Name one of the three."
    ln -s -- "$(realpath -- "$file")" "$folder/touchstone"
    program=$folder/touchstone
    ;;
esac

version=$("$program" --version) || fail "$program does not start on this system."
dirname -- "$program" >>"$GITHUB_PATH"
echo "version=$version" >>"$GITHUB_OUTPUT"
echo "Touchstone $version: $program"
