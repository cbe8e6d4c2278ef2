"""All artifacts of a release, in their order."""

from __future__ import annotations

import subprocess
from pathlib import Path

from . import bundle, contents, notice, npm, parts, sources, wheels
from .archives import sha256


def make(program: Path, folder: Path, work: Path, chosen: list[str], seconds: int) -> None:
    """Makes the chosen artifacts below a folder."""
    version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    linked = [*parts.swift_packages(), parts.swift_runtime()]
    listed = {part: list(chosen_binaries(chosen)) for part in linked}
    if {"wheel", "npm"} & set(chosen):
        made = bundle.make(program, work / "bundle")
        copied = parts.system_libraries(list(made.sources.values()))
        listed |= {part: [name for name in ("wheel", "npm") if name in chosen] for part in copied}
        inside = [*linked, *copied]
        about = {
            "LICENSE": (parts.ROOT / "LICENSE").read_bytes(), "NOTICE": notice.notice(inside),
            "sbom.cdx.json": contents.list_of_parts(version, [(part, []) for part in inside], seconds),
        }
        if "wheel" in chosen:
            pure = wheels.make_pure(folder, seconds)
            # PEP 639 and PEP 770 have the folders of these documents.
            wheels.make_with_program(pure, made, {
                "licenses/LICENSE": about["LICENSE"], "licenses/NOTICE": about["NOTICE"],
                "sboms/touchstone.cdx.json": about["sbom.cdx.json"],
            }, seconds)
        if "npm" in chosen:
            npm.make(folder, made, about, seconds)
    if "source" in chosen:
        sources.make(folder, version, seconds)
    listing = contents.list_of_parts(version, listed.items(), seconds)
    (folder / f"touchstone-{version}.cdx.json").write_bytes(listing)
    (folder / f"touchstone-{version}.NOTICE").write_bytes(notice.notice(listed))
    sums = [f"{sha256(file)}  {file.name}\n" for file in sorted(folder.iterdir())]
    (folder / "SHA256SUMS").write_text("".join(sums))


def chosen_binaries(chosen: list[str]) -> list[str]:
    """The chosen artifacts with the program."""
    return [name for name in chosen if name != "source"]
