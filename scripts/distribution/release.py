"""All artifacts of a release, in their order."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from . import bundle, contents, image, npm, parts, sources, wheels
from .archives import sha256
from .notice import notice

PACKAGE = parts.ROOT / "scripts" / "package.sh"


def make(program: Path, folder: Path, work: Path, chosen: list[str], seconds: int) -> None:
    """Makes the chosen artifacts below a folder, with the list of their parts, the licences and the sums."""
    version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    linked = [*parts.swift_packages(), parts.swift_runtime()]
    # Each part with the artifacts that have it.
    inside = {part: [name for name in chosen if name != "source" or part != linked[-1]] for part in linked}
    if {"wheel", "npm"} & set(chosen):
        made = bundle.make(program, work / "bundle")
        copied = parts.system_libraries(list(made.sources.values()))
        inside |= {part: [name for name in ("wheel", "npm") if name in chosen] for part in copied}
        within = [*linked, *copied]
        about = {
            "LICENSE": (parts.ROOT / "LICENSE").read_bytes(), "NOTICE": notice(within),
            "sbom.cdx.json": contents.list_of_parts(version, [(part, []) for part in within], seconds),
        }
        if "wheel" in chosen:
            pure = wheels.make_pure(folder, seconds)
            expect_version(version, "clients/python", pure.name.split("-")[1])
            # PEP 639 and PEP 770 have the folders of these documents.
            wheels.make_with_program(pure, made, {
                "licenses/LICENSE": about["LICENSE"], "licenses/NOTICE": about["NOTICE"],
                "sboms/touchstone.cdx.json": about["sbom.cdx.json"],
            }, seconds)
        if "npm" in chosen:
            expect_version(version, "clients/javascript", json.loads((npm.CLIENT / "package.json").read_text())["version"])
            npm.make(folder, made, about, seconds)
    if {"debian", "image"} & set(chosen):
        package = make_package(program, folder if "debian" in chosen else work, seconds)
        if "image" in chosen:
            _, lines = image.make(package, folder, work, version, seconds)
            for part in image_parts(lines):
                known = next((other for other in inside if other.purl == part.purl), part)
                inside[known] = [*inside.get(known, []), "image"]
    if "source" in chosen:
        sources.make(folder, version, seconds)
    listing = contents.list_of_parts(version, inside.items(), seconds)
    (folder / f"touchstone-{version}.cdx.json").write_bytes(listing)
    (folder / f"touchstone-{version}.NOTICE").write_bytes(notice(part for part in inside if part.texts))
    sums = [f"{sha256(file)}  {file.name}\n" for file in sorted(folder.iterdir())]
    (folder / "SHA256SUMS").write_text("".join(sums))


def expect_version(version: str, client: str, stated: str) -> None:
    if stated != version:
        raise SystemExit(f"dist.py: {client} has version {stated}, and the program {version}. Give both the same version.")


def make_package(program: Path, folder: Path, seconds: int) -> Path:
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(seconds)}
    made = subprocess.run([PACKAGE, program, folder], env=environment, check=True, capture_output=True, text=True)
    return Path(made.stdout.splitlines()[-1])


def image_parts(lines: list[str]) -> list[parts.Part]:
    """The Debian packages of the image, from lines of names, versions and architectures, without the project's own."""
    return [parts.debian_package(*line.split()) for line in lines if not line.startswith("touchstone ")]
