#!/usr/bin/env bash
# Builds the documentation of every library product, and the pages that the program prints, into .build/docs; a warning
# is an error.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

output=.build/docs
mkdir -p "$output"
products=$(swift package dump-package | python3 -c '
import json, sys
for product in json.load(sys.stdin)["products"]:
    if "library" in product["type"]: print(*product["targets"], sep="\n")')
for product in $products; do
    echo "== $product"
    TEST_DOCS=1 swift package --allow-writing-to-directory "$output" generate-documentation --target "$product" \
        --output-path "$output/$product" --warnings-as-errors
done

echo "== pages"
scripts/build.sh --product touchstone
touchstone=.build/debug/touchstone
for suite in authenticator relying-party; do
    "$touchstone" conformance list "$suite" --markdown >"$output/conformance-$suite.md"
done
"$touchstone" conformance list --official --markdown >"$output/conformance-official.md"
"$touchstone" profiles keys --markdown >"$output/profile-keys.md"
"$touchstone" control --print-openapi >"$output/openapi.json"
echo "documentation: $output"
