#!/bin/sh
# Writes text files as a Swift dictionary: embed.sh OUTPUT ROOT FILE..., each file relative to ROOT.
# The build plugin EmbedFiles runs it.
set -eu

output=$1
root=$2
shift 2

{
    echo "/// The text of each file, by its path."
    echo "let embeddedTexts: [String: String] = ["
    for file; do
        # A raw string: the files may hold quotation marks and backslashes.
        printf '    "%s": ###"""\n' "$file"
        cat "$root/$file"
        printf '\n"""###,\n'
    done
    echo "]"
} >"$output"
