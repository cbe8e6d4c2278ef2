#!/bin/sh
# Builds a Debian package of the program: package.sh PROGRAM FOLDER. Prints the package's path.
# DEB_COMPRESSION is dpkg-deb's compression, such as "-Zgzip -z1"; the default is xz. DEBFULLNAME and DEBEMAIL are the
# maintainer's name and address, as in Debian's own tools.
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
install -m 644 "$scripts/../hardware/70-touchstone.rules" "$stage/usr/lib/udev/rules.d/"

version=$("$program" --version)
maintainer="${DEBFULLNAME:-Touchstone maintainers} <${DEBEMAIL:-touchstone@localhost}>"
SOURCE_DATE_EPOCH=$("$scripts/source-date.sh")
export SOURCE_DATE_EPOCH
install -m 644 "$scripts/../README.md" "$documents/"
gzip -9nc "$scripts/../CHANGELOG.md" >"$documents/CHANGELOG.md.gz"
PYTHONPATH=$scripts python3 -m distribution.notice >"$temporary/notice"
gzip -9nc "$temporary/notice" >"$documents/NOTICE.gz"
gzip -9nc >"$documents/changelog.gz" <<TEXT
touchstone ($version) unstable; urgency=medium

  * Version $version. CHANGELOG.md.gz has the changes.

 -- $maintainer  $(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
TEXT
cat >"$documents/copyright" <<TEXT
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Touchstone
Comment: The program includes other projects' parts. NOTICE.gz has their names, versions, sources and licences.

Files: *
Copyright: 2026 the authors of Touchstone
License: Apache-2.0
 The full text is in /usr/share/common-licenses/Apache-2.0 on Debian systems.
TEXT
if [ -z "${DEBEMAIL:-}" ]; then
    install -d "$stage/usr/share/lintian/overrides"
    printf '%s\n' "# DEBEMAIL states a release's address; without it the package is for this computer." \
        'touchstone: bogus-mail-host Maintainer touchstone@localhost' \
        'touchstone: bogus-mail-host-in-debian-changelog touchstone@localhost *' >"$stage/usr/share/lintian/overrides/touchstone"
fi

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
Maintainer: $maintainer
Installed-Size: $size
Depends: $depends
Section: devel
Priority: optional
Description: test bench for passkeys and security keys
 Simulates phones and security keys that fail as real ones do, serves a
 relying party to sign in to, and plays scenarios that check the observations
 of each side.
TEXT
mkdir -p -- "$folder"
name="touchstone_${version}_$architecture.deb"
# shellcheck disable=SC2086 # Several words.
dpkg-deb --root-owner-group ${DEB_COMPRESSION:--Zxz} --build "$stage" "$temporary/$name" >/dev/null
# The new file takes the place of a link with its name, and leaves the link's target as it is.
mv -fT -- "$temporary/$name" "$folder/$name"
echo "$folder/$name"
