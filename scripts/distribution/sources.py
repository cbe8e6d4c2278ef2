"""The source archive: the project's files, and copies of the Swift packages that it needs."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from . import parts
from .archives import Member, write_tar

# A build needs no tests of other packages; the package manager does not look for them.
LEFT_OUT = {".git", ".github", "Tests", "IntegrationTests", "Benchmarks"}


def make(folder: Path, version: str, seconds: int) -> Path:
    """Writes the archive, with one folder in it; returns its file."""
    prefix = f"touchstone-{version}"
    members = [member_at(parts.ROOT / name, f"{prefix}/{name}") for name in project_files()]
    packages = parts.packages_folder()
    for part in parts.swift_packages():
        name = part.source.partition(",")[0].rpartition("/")[2]
        for path in package_files(packages / name):
            members.append(member_at(path, f"{prefix}/Vendor/{path.relative_to(packages)}"))
    members.append(member_at(parts.resolved_file(), f"{prefix}/Vendor/Package.resolved"))
    file = folder / f"{prefix}.tar.gz"
    write_tar(file, members, seconds)
    return file


def project_files() -> list[str]:
    """The files under git, or in a source archive all files but the build's."""
    if (parts.ROOT / ".git").exists():
        listed = subprocess.run(
            ["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=parts.ROOT, check=True, capture_output=True, text=True)
        names = [name for name in listed.stdout.split("\0") if os.path.lexists(parts.ROOT / name) and name]
    else:
        names = [
            str(path.relative_to(parts.ROOT)) for path in parts.ROOT.rglob("*") if path.is_file() or path.is_symlink()]
        names = [name for name in names if name.partition("/")[0] not in {".build", "Vendor", ".swiftpm"}]
        names = [name for name in names if "__pycache__" not in name]
    return [name for name in names if name != "Package.resolved"]


def package_files(folder: Path) -> list[Path]:
    return [
        path for path in folder.rglob("*")
        if (path.is_file() or path.is_symlink()) and not LEFT_OUT & set(path.relative_to(folder).parts)]


def member_at(path: Path, name: str) -> Member:
    if path.is_symlink():
        return Member(name, os.readlink(path).encode(), link=True)
    return Member(name, path.read_bytes(), os.access(path, os.X_OK))
