#!/bin/sh
# Writes text files as Swift: embed.sh paths|members OUTPUT ROOT FILE..., each file relative to ROOT.
#
# `paths` makes a dictionary from each file's path to its text, `members` a constant for each file, whose name is the file's
# with _ for each dot and hyphen. The build plugin EmbedFiles runs it.
set -eu

form=$1
output=$2
root=$3
shift 3

{
    if [ "$form" = paths ]; then
        echo "/// The text of each file, by its path."
        echo "let embeddedTexts: [String: String] = ["
    else
        echo "/// The text files of this module."
        echo "enum EmbeddedText {"
    fi
    for file; do
        # A raw string: the files may hold quotation marks and backslashes.
        if [ "$form" = paths ]; then
            printf '    "%s": ###"""\n' "$file"
        else
            printf '    static let %s = ###"""\n' "$(basename "$file" | tr '.-' '__')"
        fi
        cat "$root/$file"
        if [ "$form" = paths ]; then printf '\n"""###,\n'; else printf '\n"""###\n'; fi
    done
    if [ "$form" = paths ]; then echo "]"; else echo "}"; fi
} >"$output"
