"""The wheels of the Python client: one without the program for each system, and one with it."""

from __future__ import annotations

import base64
import hashlib
import os
import subprocess
import sys
from pathlib import Path

from . import bundle
from .archives import Member, members_below, read_zip, write_zip

CLIENT = Path(__file__).resolve().parent.parent.parent / "clients" / "python"
BUILD = "import sys; from flit_core import buildapi; print(buildapi.build_wheel(sys.argv[1]))"


def make_pure(folder: Path, seconds: int) -> Path:
    """Builds the wheel without the program; returns its file."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(seconds)}
    made = subprocess.run(
        [sys.executable, "-c", BUILD, folder], cwd=CLIENT, env=environment, check=True, capture_output=True, text=True)
    return folder / made.stdout.split()[-1]


def make_with_program(pure: Path, made: bundle.Bundle, documents: dict[str, bytes], seconds: int) -> Path:
    """Adds the program, its libraries and documents about its parts to a copy of the wheel; returns the copy's file.

    A wheel's scripts and data go below one prefix, so that the program finds its libraries.
    """
    name, version = pure.name.split("-")[:2]
    information, data = f"{name}-{version}.dist-info", f"{name}-{version}.data"
    members = []
    for member in read_zip(pure):
        if member.name == f"{information}/RECORD":
            continue
        if member.name == f"{information}/WHEEL":
            member = member._replace(data=wheel_file(member.data, made.platform))
        elif member.name == f"{information}/entry_points.txt":
            member = member._replace(data=without_scripts(member.data))
        members.append(member)
    members += [Member(f"{information}/{document}", text) for document, text in sorted(documents.items())]
    members.append(Member(f"{data}/scripts/{bundle.PROGRAM.name}", (made.folder / bundle.PROGRAM).read_bytes(), True))
    members += sorted(members_below(made.folder / bundle.LIBRARIES, f"{data}/data/{bundle.LIBRARIES}/"))
    file = pure.parent / f"{name}-{version}-py3-none-{made.platform}.whl"
    write_zip(file, [*members, record(members, f"{information}/RECORD")], seconds)
    return file


def wheel_file(text: bytes, platform: str) -> bytes:
    lines = text.decode().splitlines()
    kept = [line for line in lines if line and not line.startswith(("Tag:", "Root-Is-Purelib:"))]
    return "\n".join([*kept, "Root-Is-Purelib: false", f"Tag: py3-none-{platform}", ""]).encode()


def without_scripts(text: bytes) -> bytes:
    """The entry points without the command, whose place the program takes."""
    groups = [group for group in text.decode().split("[") if group.strip() and not group.startswith("console_scripts]")]
    return "".join(f"[{group}" for group in groups).encode()


def record(members: list[Member], name: str) -> Member:
    lines = []
    for member in members:
        digest = base64.urlsafe_b64encode(hashlib.sha256(member.data).digest()).rstrip(b"=").decode()
        lines.append(f"{member.name},sha256={digest},{len(member.data)}")
    return Member(name, "\n".join([*lines, f"{name},,", ""]).encode())
