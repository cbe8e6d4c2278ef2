"""Builds suites of tests with the traits off, in a folder of their own, and runs them."""
import json
import os
import subprocess
import sys
from pathlib import Path

request = json.loads(sys.argv[1])
root, suites = Path(request["root"]), request["suites"]
scratch = root / ".build/traits-off"
environment = os.environ | {"TEST_SUITES": " ".join(suites)}
build = subprocess.run(
    ["swift", "build", "--disable-default-traits", "--scratch-path", str(scratch), "--disable-index-store", "-Xswiftc",
     "-gnone", "--product", "touchstone-benchPackageTests"],
    cwd=root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
if build.returncode:
    sys.exit(build.stdout[-20_000:])
tests = subprocess.run(
    [scratch / "debug/touchstone-benchPackageTests.xctest", "--testing-library", "swift-testing"],
    cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
print(json.dumps({"status": tests.returncode, "output": tests.stdout[-20_000:]}))
