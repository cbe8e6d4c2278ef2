"""The program with the shared libraries that other systems may lack, for the wheel and the npm package."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from auditwheel.architecture import Architecture
from auditwheel.lddtree import DynamicExecutable, ldd
from auditwheel.libc import Libc
from auditwheel.policy import WheelPolicies
from auditwheel.wheel_abi import get_versioned_symbols

SCRIPTS = Path(__file__).resolve().parent.parent
# Below a prefix, as `make install` has them.
PROGRAM = Path("bin/touchstone")
LIBRARIES = Path("lib/touchstone")
KEY_LIBRARY = "libtouchstone-key.so"


class Bundle(NamedTuple):
    """A prefix with the program and its libraries."""

    folder: Path
    # The wheel's platform, such as manylinux_2_36_x86_64: the oldest C library that the symbols allow.
    platform: str
    # The system's file of each bundled library, by its name.
    sources: dict[str, Path]

    @property
    def processor(self) -> str:
        """The processor's name in Node, such as x64."""
        return {"x86_64": "x64", "aarch64": "arm64"}[Architecture.detect().value]


def make(program: Path, folder: Path) -> Bundle:
    """Puts a stripped copy of the program and its libraries below a folder."""
    installed, libraries = folder / PROGRAM, folder / LIBRARIES
    installed.parent.mkdir(parents=True)
    libraries.mkdir(parents=True)
    subprocess.run(["strip", "-o", installed, program], check=True)
    subprocess.run([SCRIPTS / "key-library.sh", libraries / KEY_LIBRARY], check=True)

    policies = WheelPolicies(libc=Libc.GLIBC, arch=Architecture.detect())
    tree = ldd(program)
    sources = bundled(tree, policies.highest.whitelist)
    for name, source in sources.items():
        shutil.copyfile(source, libraries / name)
    for file in [installed, *libraries.iterdir()]:
        path = "$ORIGIN/../lib/touchstone" if file == installed else "$ORIGIN"
        subprocess.run(["patchelf", "--set-rpath", path, file], check=True)
        file.chmod(0o755 if file == installed else 0o644)

    files = {file: file.name for file in [installed, *libraries.iterdir()]}
    symbols: dict[str, set[str]] = {}
    for needed in get_versioned_symbols(files).values():
        for name, versions in needed.items():
            # Symbols of a bundled library are always there.
            if name not in sources:
                symbols.setdefault(name, set()).update(versions)
    return Bundle(folder, policies.versioned_symbols_policy(symbols).name, sources)


def bundled(tree: DynamicExecutable, provided: frozenset[str]) -> dict[str, Path]:
    """The libraries of a program beyond those that each Linux of its platform provides."""
    found: dict[str, Path] = {}
    wanted = list(tree.needed)
    while wanted:
        name = wanted.pop()
        if name in provided or name in found or name.startswith("ld-linux"):
            continue
        library = tree.libraries[name]
        if library.realpath is None:
            raise SystemExit(f"dist.py: the library {name} was not found. Run scripts/setup.sh.")
        found[name] = library.realpath
        wanted += library.needed
    return dict(sorted(found.items()))
