#!/usr/bin/env python3
"""Makes what a release uploads, from a program that is built: dist.py PROGRAM FOLDER [PART ...]

  wheel    the wheel of the Python client with the program, and the one without it
  npm      the npm package of the client, and the one with the program
  debian   the Debian package
  image    the container image, as an OCI layout in a tar archive
  source   the source archive, with the packages that the build needs

Without a PART it makes all of them, and a list of the parts inside, their licences and SHA256SUMS. scripts/source-date.sh has the
time in the archives. DIST_COMPRESSION is the compression from 1 to 9.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
# `scripts/setup.sh dist` installs the tools there.
sys.path.insert(0, str(ROOT / ".build" / "python-dist"))

PARTS = ["wheel", "npm", "debian", "image", "source"]


def main() -> None:
    if len(sys.argv) < 3 or not set(sys.argv[3:]) <= set(PARTS):
        sys.exit(f"usage: dist.py PROGRAM FOLDER [{'|'.join(PARTS)} ...]")
    program, folder, chosen = Path(sys.argv[1]).absolute(), Path(sys.argv[2]).absolute(), sys.argv[3:] or PARTS
    if not os.access(program, os.X_OK):
        sys.exit(f"dist.py: {program} is not a program. Build it with `make release`.")
    date = subprocess.run([ROOT / "scripts" / "source-date.sh"], capture_output=True, text=True)
    if date.returncode != 0:
        sys.exit(date.stderr.strip())
    try:
        from distribution import release
    except ModuleNotFoundError as error:
        sys.exit(f"dist.py: {error.name} was not found. Run scripts/setup.sh dist.")
    # The folder changes only when each artifact is made.
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".dist-") as name:
        made, work = Path(name, "made"), Path(name, "work")
        made.mkdir()
        work.mkdir()
        try:
            release.make(program, made, work, chosen, int(date.stdout))
        except subprocess.CalledProcessError as error:
            details = error.stderr or b""
            text = details if isinstance(details, str) else details.decode(errors="replace")
            sys.exit(f"dist.py: {' '.join(str(word) for word in error.cmd)} failed with {error.returncode}.\n{text}")
        shutil.rmtree(folder, ignore_errors=True)
        made.chmod(0o755)
        made.rename(folder)
    for file in sorted(folder.iterdir()):
        print(f"{file.stat().st_size / 1e6:8.1f} MB  {file}")


main()
