#!/bin/sh
# Installs the program, its manual pages and completions, and the library for OpenSSH and libfido2: install.sh PROGRAM FOLDER.
# FOLDER is the prefix, with the staging folder before it.
set -eu
umask 022

program=$1
# A path that begins with a hyphen is not an option.
case $2 in /*) root=$2 ;; *) root=./$2 ;; esac
pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT
trap 'exit 1' HUP INT TERM

install -d "$root/bin" "$root/share/man/man1" "$root/share/bash-completion/completions" \
    "$root/share/zsh/site-functions" "$root/share/fish/vendor_completions.d"
# Symbols are most of the file, and nothing at run time needs them.
install -m 755 -s "$program" "$root/bin/touchstone"
if [ "$(uname)" = Linux ]; then
    install -d "$root/lib/touchstone"
    "$(dirname "$0")/key-library.sh" "$root/lib/touchstone/libtouchstone-key.so"
    chmod 644 "$root/lib/touchstone/libtouchstone-key.so"
fi
"$(dirname "$0")/man-pages.py" "$program" "$pages"
for page in "$pages"/*.1; do
    gzip -9n "$page"
    install -m 644 "$page.gz" "$root/share/man/man1/"
done
# The shell reads the script, and does not run it.
"$program" --generate-completion-script bash | sed '1{/^#!/d;}' >"$root/share/bash-completion/completions/touchstone"
"$program" --generate-completion-script zsh >"$root/share/zsh/site-functions/_touchstone"
"$program" --generate-completion-script fish >"$root/share/fish/vendor_completions.d/touchstone.fish"
chmod 644 "$root/share/bash-completion/completions/touchstone" "$root/share/zsh/site-functions/_touchstone" \
    "$root/share/fish/vendor_completions.d/touchstone.fish"
