#!/bin/sh
# Finishes the container image's file system, as a hook of mmdebstrap: customize.sh ROOT PACKAGE HEALTH.
set -eu

root=$1
cp "$2" "$root/touchstone.deb"
chroot "$root" dpkg --install /touchstone.deb >/dev/null
rm "$root/touchstone.deb"
install -m 755 "$3" "$root/usr/bin/touchstone-health"

# The user, who owns the working folder.
echo 'touchstone:x:1000:1000::/work:/bin/sh' >>"$root/etc/passwd"
echo 'touchstone:x:1000:' >>"$root/etc/group"
install -d -m 755 -o 1000 -g 1000 "$root/work"

# The computer's own settings, and files with the time of their making.
rm -rf "$root/etc/apt/sources.list" "$root/etc/apt/sources.list.d" "$root/etc/hostname" "$root/etc/resolv.conf" \
    "$root/var/cache/ldconfig" "$root/var/log/"* "$root/etc/passwd-" "$root/etc/group-" "$root/etc/shadow-" \
    "$root/var/lib/dpkg/"*-old
