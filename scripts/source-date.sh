#!/bin/sh
# Prints the time that archives state as their files' time, in seconds since 1970: $SOURCE_DATE_EPOCH, or the commit's time, or
# in a source archive that of Package.swift.
set -eu
cd "$(dirname "$0")/.."

if [ -n "${SOURCE_DATE_EPOCH:-}" ]; then
    case $SOURCE_DATE_EPOCH in
    *[!0-9]*)
        echo "source-date.sh: SOURCE_DATE_EPOCH is $SOURCE_DATE_EPOCH. Use seconds since 1970." >&2
        exit 2
        ;;
    esac
    echo "$SOURCE_DATE_EPOCH"
elif [ -e .git ]; then
    git log -1 --format=%ct
else
    # GNU's form, then that of macOS.
    stat -c %Y Package.swift 2>/dev/null || stat -f %m Package.swift
fi
