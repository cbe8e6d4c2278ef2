#!/usr/bin/env bash
# Builds the documentation of every library product into .build/docs; a warning is an error.
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
    TOUCHSTONE_DOCS=1 swift package --allow-writing-to-directory "$output" generate-documentation --target "$product" \
        --output-path "$output/$product" --warnings-as-errors
done
echo "documentation: $output"
