#!/usr/bin/env bash
# Builds for debugging: build.sh [OPTION OF swift build…], such as --product touchstone or --build-tests.
#
# Every debug build uses these options: other ones in the same folder compile everything again.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# No index for editors, no information for a debugger unless DEBUG_INFO is set, and on Linux a faster linker.
options=(--disable-index-store)
[[ -n ${DEBUG_INFO:-} ]] || options+=(-Xswiftc -gnone)
if [[ $(uname) == Linux ]]; then
    options+=(-Xswiftc -use-ld=lld)
    export SWIFT_EXEC=$PWD/scripts/compile.sh
fi

# The 246 C++ files of swift-crypto spend most of their time with the same headers, which are compiled once instead. Another
# version of Swift may compile with other options, which do not fit.
precompiled=$PWD/.build/precompiled/headers.h
if [[ $(uname -sm) == "Linux x86_64" && $(swift --version 2>&1) == *"Swift version 6.3"* ]]; then
    if [[ ! -f $precompiled.pch ]]; then
        packages=.build/checkouts
        # A source archive has copies of the packages.
        [[ ! -d Vendor ]] || packages=Vendor
        swift package resolve >/dev/null 2>&1 || { swift package resolve; exit 1; }
        mkdir -p "${precompiled%/*}"
        {
            echo '#if __has_include(<CCryptoBoringSSL_base.h>)'
            printf '#include <%s>\n' algorithm array atomic memory string_view type_traits utility
            printf '#include <CCryptoBoringSSL_%s.h>\n' bytestring ec_key err evp mem x509
            echo '#endif'
        } >"$precompiled"
        "$(dirname "$(readlink -f "$(command -v swift)")")/clang" -target x86_64-unknown-linux-gnu -std=c++17 -O0 -g -w -fPIC \
            -fblocks -fno-omit-frame-pointer -DSWIFT_PACKAGE=1 -DDEBUG=1 -x c++-header "$precompiled" -o "$precompiled.pch" \
            -I "$packages/swift-crypto/Sources/CCryptoBoringSSL/include"
    fi
    options+=(-Xcxx -include -Xcxx "$precompiled")
fi

# On a terminal the package manager shows its own progress.
if [[ -t 1 ]]; then exec swift build "${options[@]}" "$@"; fi

# Elsewhere each tenth of the steps is a line, and everything that is not a step. Packages have files that need no word.
swift build "${options[@]}" "$@" 2>&1 | awk '
    match($0, /^\[[0-9]+\/[0-9]+\] /) {
        split(substr($0, 2, RLENGTH - 3), steps, "/")
        tenth = int(10 * steps[1] / steps[2])
        if (tenth > shown) { shown = tenth; print "  " 10 * tenth " % of the build"; fflush() }
        next
    }
    /^(Fetching|Fetched|Updating|Updated|Computing|Computed|Creating|Working copy|Building|Write|Compiling)/ { next }
    /^warning: .*(which are unhandled|prohibited flag)/ { next }
    /\/(checkouts|Vendor)\/.*CMakeLists.txt$/ { next }
    NF { print; fflush() }'
