"""Work that one of several processes does, while the others wait."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Iterator


@contextlib.contextmanager
def alone(file: Path) -> Iterator[None]:
    """Runs the block in one process at a time; the end of a process frees the others."""
    import fcntl

    with open(file, "a", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
