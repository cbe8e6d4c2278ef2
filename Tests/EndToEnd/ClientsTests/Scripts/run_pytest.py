"""Runs pytest on a folder; the report goes to standard error.

The first argument is JSON: {"folder": FOLDER, "program": the program `touchstone`, "options": further options}.
"""

import contextlib
import json
import sys

import pytest

arguments = json.loads(sys.argv[1])
folder = arguments["folder"]
with contextlib.redirect_stdout(sys.stderr):
    status = pytest.main(
        [
        "-q", "-p", "no:cacheprovider", "-p", "no:playwright", f"--rootdir={folder}", f"--touchstone={arguments['program']}",
        *arguments["options"], folder,
    ])
print("{}")
sys.exit(status)
