#!/usr/bin/env bash
# Fetches Debian's stock kernel for the tests that boot it: its image and the modules a virtual USB key needs, from
# the package, without installing it. Does nothing, quickly, when they are there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

directory=.build/kernel
modules=(hid uhid hid-generic)

say() { printf 'kernel: %s\n' "$*" >&2; }

if [[ -f $directory/complete ]]; then exit 0; fi
if ! command -v apt-get >/dev/null; then
    say "Debian's kernel comes by apt-get, and this machine has none: the tests that boot it will fail"
    exit 0
fi

kernel_package() { apt-cache depends linux-image-amd64 2>/dev/null | awk '$1 == "Depends:" { print $2; exit }'; }

# apt's own user may not write here; as root it warns and goes on.
fetch() {
    package=$(kernel_package)
    [[ -n $package ]] || return 1
    say "fetching $package"
    rm -rf "$directory"
    mkdir -p "$directory/tree"
    (cd "$directory" && apt-get download -q "$package" >&2)
}

# What apt knows may be older than what its servers have.
fetch || { apt-get update -q >&2 || say "apt-get update reported errors; trying all the same"; fetch; } ||
    { say "Debian's kernel cannot be fetched"; exit 1; }
archive=("$directory"/*.deb)
dpkg-deb --fsys-tarfile "${archive[0]}" | tar -x -C "$directory/tree" --wildcards './boot/vmlinuz-*' \
    $(printf './lib/modules/*/kernel/drivers/hid/%s.ko ' "${modules[@]}")
mv "$directory"/tree/boot/vmlinuz-* "$directory/vmlinuz"
for module in "${modules[@]}"; do
    mv "$directory"/tree/lib/modules/*/kernel/drivers/hid/"$module.ko" "$directory/"
done
rm -rf "$directory/tree" "$directory"/*.deb
touch "$directory/complete"
