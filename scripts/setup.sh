#!/usr/bin/env bash
# Installs the system libraries that the build needs, with the argument `lint` the program that checks scripts, with `dist` the
# tools that make a release's artifacts, and with `test` these, the programs and the Python environment that the tests need.
# Returns at once when everything is installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

debian_packages=(libdbus-1-dev libfido2-dev libpcsclite-dev libpsl-dev libqrencode-dev libsqlite3-dev libssl-dev libyaml-dev zlib1g-dev pkg-config python3 python3-venv)
# An allocator that speeds the compiler up; not every distribution has it by this name.
debian_optional_packages=(libtcmalloc-minimal4)
# For the tests only: a reader stack with a virtual reader and the tools that build Python's access to it; a virtual
# machine and the programs that use a security key in it; browsers, a screen for the one that needs it, and a
# reader of the QR codes on it; a message bus with a client, and the libraries of bluetoothctl; Java with JUnit and Jackson.
debian_test_packages=(pcscd vsmartcard-vpcd swig gcc libc6-dev python3-dev curl
    qemu-system-x86 busybox-static cpio binutils fido2-tools openssh-client pamu2fcfg cryptsetup-bin chromium chromium-driver firefox-esr nodejs node-typescript gir1.2-webkit2-4.1 python3-gi xvfb
    zbar-tools dbus libglib2.0-bin libreadline8 openjdk-17-jdk-headless junit5 libjackson2-databind-java)
# For the artifacts of a release: libraries' search paths, a system in a folder, and container images.
debian_dist_packages=(binutils gcc libc6-dev mmdebstrap patchelf umoci)
# The folder of bluetoothctl, where the system has none.
bluez_folder=.build/bluez
environment=.build/python
requirements=scripts/requirements.txt
# The build tools of packages that PyPI has as sources only.
build_requirements=scripts/requirements-build.txt
# A test installs the Python client in a clean environment, from the wheels of these in .build/wheels.
client_requirements=scripts/requirements-client.txt
# A software authenticator that a conformance test looks at needs an older python-fido2, which lies in a folder of its own.
authenticator_requirements=scripts/requirements-authenticator.txt
authenticator_folder=.build/python-authenticator
# Readers of QR codes for a test, in a folder of their own: their other requirements are not needed.
qr_requirements=scripts/requirements-qr.txt
qr_folder=.build/python-qr
# The tools of `make dist`, in a folder of their own.
dist_requirements=scripts/requirements-dist.txt
dist_folder=.build/python-dist

say() { printf 'setup: %s\n' "$*" >&2; }

fail() {
    say "$@"
    exit 1
}

require_swift() {
    command -v swift >/dev/null || fail "Swift 6.2 or later is needed: https://www.swift.org/install/"
}

is_installed() {
    [[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" == installed ]]
}

as_root() {
    if [[ $EUID -eq 0 ]]; then
        "$@"
    elif ! command -v sudo >/dev/null; then
        fail "installing packages needs root, and sudo was not found; as root, run: apt-get install ${debian_packages[*]}"
    elif [[ -t 0 ]]; then
        sudo "$@"
    else
        sudo -n "$@"
    fi
}

install_debian_packages() {
    local missing=()
    for package in "${debian_packages[@]}"; do
        is_installed "$package" || missing+=("$package")
    done
    [[ ${#missing[@]} -gt 0 ]] || return 0
    say "installing ${missing[*]}"
    # One unreachable mirror among several does not matter: only the install below has to succeed.
    as_root apt-get update -q || say "apt-get update reported errors; installing anyway"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}" ||
        fail "apt-get could not install ${missing[*]}"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
        "${debian_optional_packages[@]}" >/dev/null 2>&1 || true
}

require_libraries() {
    if command -v pkg-config >/dev/null && pkg-config --exists dbus-1 libfido2 libpcsclite libpsl libqrencode sqlite3 libcrypto libssl yaml-0.1 zlib; then
        return 0
    fi
    cat >&2 <<'TEXT'
setup: pkg-config cannot find libdbus, libfido2, libpcsclite, libpsl, libqrencode, sqlite3, libcrypto, libssl, libyaml and zlib. Install them, then run this again:
  macOS (Homebrew)   brew install dbus libfido2 pcsc-lite libpsl qrencode sqlite openssl@3 libyaml zlib pkgconf python
  Fedora             sudo dnf install dbus-devel libfido2-devel pcsc-lite-devel libpsl-devel qrencode-devel sqlite-devel openssl-devel libyaml-devel zlib-devel pkgconf-pkg-config python3
  Arch               sudo pacman -S --needed dbus libfido2 pcsclite libpsl qrencode sqlite openssl libyaml zlib pkgconf python
  Debian, Ubuntu     sudo apt-get install libdbus-1-dev libfido2-dev libpcsclite-dev libpsl-dev libqrencode-dev libsqlite3-dev libssl-dev libyaml-dev zlib1g-dev pkg-config python3 python3-venv
TEXT
    if [[ "$(uname)" == Darwin ]]; then
        # Homebrew installs SQLite and OpenSSL where pkg-config does not search.
        say "on macOS also: export PKG_CONFIG_PATH=\"\$(brew --prefix sqlite)/lib/pkgconfig:\$(brew --prefix openssl@3)/lib/pkgconfig:\$(brew --prefix zlib)/lib/pkgconfig\""
    fi
    exit 1
}

make_environment() {
    local python
    # The first python3 on the path, for example a version manager's shim, may lack venv; the system's has it.
    for python in python3 /usr/bin/python3; do
        command -v "$python" >/dev/null || continue
        rm -rf "$environment"
        if "$python" -m venv "$environment" >/dev/null 2>&1 && "$environment/bin/python" -m pip --version >/dev/null 2>&1
        then
            return 0
        fi
    done
    rm -rf "$environment"
    fail "python3 cannot make a virtual environment; install python3-venv"
}

# uv installs in a third of pip's processor time; where it cannot, pip does.
install_quickly() {
    "$environment/bin/uv" pip install --quiet --python "$environment/bin/python" --compile-bytecode --no-build-isolation "$@"
}

prepare_python() {
    local stamp="$environment/requirements.installed"
    if cat "$build_requirements" "$requirements" "$client_requirements" | cmp -s - "$stamp" &&
        "$environment/bin/python" -c '' 2>/dev/null; then
        return 0
    fi
    say "preparing the Python environment in $environment"
    mkdir -p .build
    make_environment
    local pip=("$environment/bin/python" -m pip install --quiet --disable-pip-version-check --no-input)
    # Without isolation a package is built with the pinned tools, instead of the newest ones.
    { "${pip[@]}" -r "$build_requirements" && install_quickly -r "$build_requirements" -r "$requirements"; } ||
        "${pip[@]}" --no-build-isolation -r "$build_requirements" -r "$requirements" ||
        fail "pip could not install $build_requirements and $requirements (PyPI must be reachable)"
    "$environment/bin/python" -m pip download --quiet --disable-pip-version-check --no-input --only-binary :all: \
        -d .build/wheels -r "$client_requirements" ||
        fail "pip could not download $client_requirements (PyPI must be reachable)"
    cat "$build_requirements" "$requirements" "$client_requirements" >"$stamp"
}

# Installs the packages of a file, without dependencies, into a folder: the file names all that the tests use.
prepare_folder() {
    local requirements="$1" folder="$2" contents="$3"
    local stamp="$folder/requirements.installed"
    if cmp -s "$requirements" "$stamp"; then return 0; fi
    say "preparing $contents in $folder"
    rm -rf "$folder"
    install_quickly --no-deps --target "$folder" -r "$requirements" ||
        "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --no-deps \
            --no-build-isolation --target "$folder" -r "$requirements" ||
        fail "pip could not install $requirements (PyPI must be reachable)"
    cp "$requirements" "$stamp"
}

# Debian's package `bluez` starts a service when it is installed, so that only its files are unpacked.
prepare_bluetoothctl() {
    if command -v bluetoothctl >/dev/null || [[ -x $bluez_folder/usr/bin/bluetoothctl ]]; then return 0; fi
    command -v apt-get >/dev/null || fail "bluetoothctl was not found; install BlueZ's utilities"
    say "unpacking bluetoothctl into $bluez_folder"
    rm -rf "$bluez_folder"
    mkdir -p "$bluez_folder"
    { (cd "$bluez_folder" && apt-get download -q bluez) && dpkg-deb -x "$bluez_folder"/bluez_*.deb "$bluez_folder"; } ||
        fail "apt-get could not download bluez"
    rm -f "$bluez_folder"/bluez_*.deb
}

case "${1:-}" in
"" | dist | lint | test) ;;
*)
    echo "usage: scripts/setup.sh [dist|lint|test]" >&2
    exit 2
    ;;
esac

require_swift
case "${1:-}" in
lint) debian_packages+=(shellcheck) ;;
dist) debian_packages+=("${debian_dist_packages[@]}") ;;
test) debian_packages+=("${debian_test_packages[@]}" "${debian_dist_packages[@]}" lintian) ;;
esac
# Node's own packages have npm inside; Debian's have it apart.
if [[ "${1:-}" == test ]] && ! command -v npm >/dev/null; then debian_packages+=(npm); fi
if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then install_debian_packages </dev/null; fi
require_libraries
if [[ "${1:-}" == lint ]]; then
    command -v shellcheck >/dev/null || fail "shellcheck was not found; install it: https://www.shellcheck.net"
fi
if [[ "${1:-}" == dist || "${1:-}" == test ]]; then
    prepare_python </dev/null
    prepare_folder "$dist_requirements" "$dist_folder" "the tools for artifacts of a release" </dev/null
fi
if [[ "${1:-}" == test ]]; then
    prepare_bluetoothctl </dev/null
    prepare_folder "$authenticator_requirements" "$authenticator_folder" "the foreign authenticator" </dev/null
    prepare_folder "$qr_requirements" "$qr_folder" "readers of QR codes" </dev/null
fi
