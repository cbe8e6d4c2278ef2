#!/usr/bin/env python3
"""The C compiler, for the sources with the mutation that MUTATION names; other sources stay as they are."""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from mutation.suite import MUTATION  # noqa: E402
from mutation.tables import SOURCES, Tables  # noqa: E402


def main():
    compiler = shutil.which("cc") or "clang"
    places = [place for row in Tables().rows if row.name == os.environ.get(MUTATION) for place in row.places]
    with tempfile.TemporaryDirectory() as folder:
        arguments = []
        for argument in sys.argv[1:]:
            changes = [place for place in places if Path(argument).resolve() == SOURCES / place.file]
            if changes:
                text = Path(argument).read_text()
                for place in changes:
                    text = place.made_in(text)
                arguments += ["-iquote", str(Path(argument).parent)]
                argument = str(Path(folder) / Path(argument).name)
                Path(argument).write_text(text)
            arguments.append(argument)
        return subprocess.run([compiler, *arguments]).returncode


sys.exit(main())
