#!/usr/bin/env bash
# Fetches Debian's stock kernel for the tests that boot it: the image and the modules that a virtual USB key needs, from
# the package, without installing it. Returns at once when they exist.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

directory=.build/kernel
modules=(hid uhid hid-generic)
files=("${modules[@]/%/.ko}")

say() { printf 'kernel: %s\n' "$*" >&2; }

if [[ -f $directory/complete ]]; then exit 0; fi
if ! command -v apt-get >/dev/null; then
    say "apt-get was not found, so Debian's kernel is missing: the tests that boot it will fail"
    exit 0
fi

kernel_package() { apt-cache depends linux-image-amd64 2>/dev/null | awk '$1 == "Depends:" { print $2; exit }'; }

# apt's own user cannot write here; run as root, apt warns and continues.
fetch() {
    package=$(kernel_package)
    [[ -n $package ]] || return 1
    say "fetching $package"
    rm -rf "$directory"
    mkdir -p "$directory/tree"
    (cd "$directory" && apt-get download -q "$package" >&2)
}

# The local package list may be older than the servers'.
fetch || { apt-get update -q >&2 || say "apt-get update reported errors; fetching anyway"; fetch; } ||
    { say "Debian's kernel cannot be fetched; check the apt sources"; exit 1; }
archive=("$directory"/*.deb)
dpkg-deb --fsys-tarfile "${archive[0]}" | tar -x -C "$directory/tree" --wildcards './boot/vmlinuz-*' \
    "${files[@]/#/./lib/modules/*/kernel/drivers/hid/}"
mv "$directory"/tree/boot/vmlinuz-* "$directory/vmlinuz"
for module in "${modules[@]}"; do
    mv "$directory"/tree/lib/modules/*/kernel/drivers/hid/"$module.ko" "$directory/"
done
rm -rf "$directory/tree" "$directory"/*.deb
touch "$directory/complete"
