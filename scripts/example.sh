#!/usr/bin/env bash
# Builds and tests the package in Examples/SignIn, as an app's team does that depends on this one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# A folder of its own: the first build takes minutes, because it compiles swift-crypto once more.
exec swift test --package-path Examples/SignIn --scratch-path .build/example -Xswiftc -gnone --disable-xctest "$@"
