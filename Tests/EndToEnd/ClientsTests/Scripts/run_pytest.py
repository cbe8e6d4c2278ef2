"""Runs pytest on a folder; the report goes to standard error.

The first argument is JSON: {"folder": FOLDER, "program": the program `touchstone`}.
"""

import contextlib
import json
import sys

import pytest

wish = json.loads(sys.argv[1])
folder = wish["folder"]
with contextlib.redirect_stdout(sys.stderr):
    status = pytest.main(
        ["-q", "-p", "no:cacheprovider", f"--rootdir={folder}", f"--touchstone={wish['program']}", folder])
print("{}")
sys.exit(status)
