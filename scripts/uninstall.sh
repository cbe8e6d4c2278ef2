#!/bin/sh
# Removes what install.sh installs: uninstall.sh FOLDER, the folder that install.sh got.
set -eu

case $1 in /*) root=$1 ;; *) root=./$1 ;; esac
rm -f "$root/bin/touchstone" "$root/share/man/man1/touchstone.1.gz" "$root/share/man/man1/touchstone-"*.1.gz \
    "$root/share/bash-completion/completions/touchstone" "$root/share/zsh/site-functions/_touchstone" \
    "$root/share/fish/vendor_completions.d/touchstone.fish" "$root/lib/touchstone/libtouchstone-key.so"
rmdir "$root/lib/touchstone" 2>/dev/null || true
