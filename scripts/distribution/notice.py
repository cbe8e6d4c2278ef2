"""The licences and notices of the parts inside the artifacts. `python3 -m distribution.notice` prints those of the program."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable

from .parts import Part, swift_packages, swift_runtime

RULE = "=" * 100


def notice(parts: Iterable[Part]) -> bytes:
    """The licences and notices of the parts; an equal text stands once."""
    shown: dict[str, str] = {}
    pieces = [
        "Touchstone's licence is the Apache License, Version 2.0, in the file LICENSE. Programs built from it, and packages of\n"
        "them, include the parts below. The shared libraries among them are separate files, which can be replaced.\n"]
    for part in parts:
        pieces.append(f"{RULE}\n{part.name} {part.version}\nSources: {part.source}\n")
        for name, text in part.texts:
            place = f"{part.name}, {name}"
            first = shown.setdefault(hashlib.sha256(text.encode()).hexdigest(), place)
            pieces.append(f"\n--- {name}\n" + (f"\n{text.strip()}\n" if first == place else f"\nThe same text as: {first}\n"))
    return "\n".join(pieces).encode()


if __name__ == "__main__":
    sys.stdout.buffer.write(notice([*swift_packages(), swift_runtime()]))
