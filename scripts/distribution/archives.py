"""Archives whose bytes depend on their contents only."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import tarfile
import time
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple


class Member(NamedTuple):
    """A file of an archive, or a symbolic link, whose bytes are its target."""

    name: str
    data: bytes
    executable: bool = False
    link: bool = False


def members_below(folder: Path, prefix: str = "") -> list[Member]:
    """The files and links of a folder."""
    found = []
    for path in folder.rglob("*"):
        name = prefix + path.relative_to(folder).as_posix()
        if path.is_symlink():
            found.append(Member(name, os.readlink(path).encode(), link=True))
        elif path.is_file():
            found.append(Member(name, path.read_bytes(), os.access(path, os.X_OK)))
    return found


def ordered(members: Iterable[Member]) -> list[Member]:
    return sorted(members, key=lambda member: member.name)


# 9 is gzip's best compression; tests use 1.
def level() -> int:
    return int(os.environ.get("DIST_COMPRESSION", "9"))


def write_tar(file: Path, members: Iterable[Member], seconds: int, compressed: bool = True) -> None:
    """A tar archive, usually with gzip. `seconds` is the time of each file."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for member in ordered(members):
            entry = tarfile.TarInfo(member.name)
            entry.mtime = seconds
            entry.mode = 0o755 if member.executable else 0o644
            if member.link:
                entry.type, entry.linkname, entry.mode = tarfile.SYMTYPE, member.data.decode(), 0o777
                archive.addfile(entry)
            else:
                entry.size = len(member.data)
                archive.addfile(entry, io.BytesIO(member.data))
    file.write_bytes(gzip.compress(packed.getvalue(), level(), mtime=0) if compressed else packed.getvalue())


def write_zip(file: Path, members: Iterable[Member], seconds: int) -> None:
    """A zip archive. `seconds` is the time of each file, which zip has since 1980."""
    moment = max(time.gmtime(seconds)[:6], (1980, 1, 1, 0, 0, 0))
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=level()) as archive:
        for member in members:
            entry = zipfile.ZipInfo(member.name, moment)
            entry.external_attr = (0o100755 if member.executable else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, member.data, compresslevel=level())


def read_zip(file: Path) -> list[Member]:
    with zipfile.ZipFile(file) as archive:
        return [
            Member(entry.filename, archive.read(entry), bool(entry.external_attr >> 16 & 0o100))
            for entry in archive.infolist()]


def sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
