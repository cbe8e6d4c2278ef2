#!/bin/sh
# Builds a Debian package of the program: package.sh PROGRAM FOLDER. Prints the package's path.
# DEB_COMPRESSION is dpkg-deb's compression, such as "-Zgzip -z1"; the default is xz.
set -eu
umask 022

program=$1
folder=$2
scripts=$(dirname "$0")
# One folder with a name that other users cannot know has everything that the script writes.
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
trap 'exit 1' HUP INT TERM
stage="$temporary/package"
mkdir "$stage"

"$scripts/install.sh" "$program" "$stage/usr"
# Debian's zsh searches this folder.
install -d "$stage/usr/share/zsh/vendor-completions"
mv "$stage/usr/share/zsh/site-functions/_touchstone" "$stage/usr/share/zsh/vendor-completions/"
rmdir "$stage/usr/share/zsh/site-functions"
documents="$stage/usr/share/doc/touchstone"
install -d "$documents" "$stage/usr/lib/udev/rules.d"
install -m 644 "$scripts/../README.md" "$documents/"
gzip -9nc "$scripts/../CHANGELOG.md" >"$documents/changelog.gz"
install -m 644 "$scripts/../LICENSE" "$documents/copyright"
install -m 644 "$scripts/../hardware/70-touchstone.rules" "$stage/usr/lib/udev/rules.d/"

version=$("$program" --version)
architecture=$(dpkg --print-architecture)
# The packages of the libraries that the program loads, with the oldest versions that have the functions it uses.
mkdir -p "$temporary/control/debian"
printf 'Source: touchstone\n\nPackage: touchstone\nArchitecture: any\n' >"$temporary/control/debian/control"
depends=$(cd "$temporary/control" && dpkg-shlibdeps -O "$stage/usr/bin/touchstone" \
    "$stage/usr/lib/touchstone/libtouchstone-key.so" 2>/dev/null |
    sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || { echo "package.sh: dpkg-shlibdeps found no libraries" >&2; exit 1; }

install -d "$stage/DEBIAN"
size=$(du -sk --exclude=DEBIAN "$stage" | cut -f1)
cat >"$stage/DEBIAN/control" <<TEXT
Package: touchstone
Version: $version
Architecture: $architecture
Maintainer: Touchstone maintainers <touchstone@localhost>
Installed-Size: $size
Depends: $depends
Section: devel
Priority: optional
Description: test bench for passkeys and security keys
 Simulates phones and security keys that fail as real ones do, serves a relying
 party to sign in to, and plays scenarios that check the observations of each side.
TEXT
mkdir -p -- "$folder"
name="touchstone_${version}_$architecture.deb"
# shellcheck disable=SC2086 # Several words.
dpkg-deb --root-owner-group ${DEB_COMPRESSION:--Zxz} --build "$stage" "$temporary/$name" >/dev/null
# The new file takes the place of a link with its name, and leaves the link's target as it is.
mv -fT -- "$temporary/$name" "$folder/$name"
echo "$folder/$name"
