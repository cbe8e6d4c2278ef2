#!/bin/sh
# Writes the YAML files of folders as a Swift dictionary: embed.sh OUTPUT ROOT FOLDER...
# The build plugin EmbedFiles runs it.
set -eu

output=$1
root=$2
shift 2

{
    echo "/// The text of each file, by its path."
    echo "let embeddedTexts: [String: String] = ["
    for folder; do
        for file in "$root/$folder"/*.yaml; do
            # A raw string: the files may hold quotation marks and backslashes.
            printf '    "%s": ###"""\n' "$folder/${file##*/}"
            cat "$file"
            printf '\n"""###,\n'
        done
    done
    echo "]"
} >"$output"
