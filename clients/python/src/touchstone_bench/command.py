"""The command `touchstone` where the package was installed without the program."""

from __future__ import annotations

import os
import sys

from .errors import ProgramError
from .program import find_program

# The program's own status for something that was not found.
NOT_FOUND = 3


def main() -> None:
    """Starts the program found elsewhere, or says that it is missing."""
    try:
        program = str(find_program())
    except ProgramError as error:
        print(f"touchstone: {error}", file=sys.stderr)
        sys.exit(NOT_FOUND)
    os.execv(program, [program, *sys.argv[1:]])
