"""The foreign parts inside the artifacts, with their versions and licences, as the build and the system know them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

ROOT = Path(__file__).resolve().parent.parent.parent
VENDORED = ROOT / "Vendor"
# Packages of the documentation's build only.
NOT_IN_PROGRAM = {"swift-docc-plugin", "swift-docc-symbolkit"}
LICENCE = re.compile(r"(licen[cs]e|notice|copying)s?([.-].*)?", re.I)
# What stands near the beginning of a licence, and its name in SPDX's list.
LICENCES = [
    (r"Apache License\s+Version 2\.0", "Apache-2.0"),
    (r"Permission is hereby granted, free of charge", "MIT"),
    (r"Permission to use, copy, modify, and(?:/or)? distribute this software", "ISC"),
    (r"Redistribution and use in source and binary forms(?s:.)*Neither the name", "BSD-3-Clause"),
    (r"Redistribution and use in source and binary forms", "BSD-2-Clause"),
    (r"Creative Commons Legal Code\s+CC0", "CC0-1.0"),
]


class Part(NamedTuple):
    """Another project's part of an artifact."""

    name: str
    version: str
    # The package's address: https://github.com/package-url.
    purl: str
    # The licence in SPDX's words, where the files say it clearly.
    licence: str | None
    # The texts of its licences and notices, with their files' names.
    texts: tuple[tuple[str, str], ...]
    # Where its sources are.
    source: str


def identifier(texts: list[str]) -> str | None:
    for text in texts:
        for pattern, name in LICENCES:
            if re.search(pattern, text):
                return name
    return None


def packages_folder() -> Path:
    """The folder with the Swift packages: that of a source archive, or the package manager's."""
    return VENDORED if VENDORED.is_dir() else ROOT / ".build" / "checkouts"


def resolved_file() -> Path:
    """The file with the packages' versions."""
    return (VENDORED if VENDORED.is_dir() else ROOT) / "Package.resolved"


def swift_packages() -> list[Part]:
    """The Swift packages in the program."""
    resolved = resolved_file()
    if not resolved.exists():
        raise SystemExit(f"dist.py: {resolved} does not exist. Run `swift package resolve`.")
    found = []
    for pin in json.loads(resolved.read_text())["pins"]:
        if pin["identity"] in NOT_IN_PROGRAM:
            continue
        location = pin["location"].removesuffix(".git")
        folder = packages_folder() / location.rpartition("/")[2]
        if not folder.is_dir():
            raise SystemExit(f"dist.py: {folder} does not exist. Run `swift package resolve`.")
        texts = licence_files(folder)
        version = pin["state"].get("version") or pin["state"]["revision"]
        found.append(Part(
            pin["identity"], version, f"pkg:swift/{location.removeprefix('https://')}@{version}",
            identifier([text for _, text in texts]), texts, f"{location}, revision {pin['state']['revision']}"))
    return found


def licence_files(folder: Path) -> tuple[tuple[str, str], ...]:
    """The licences and notices of a package and of the sources that it includes."""
    files = [
        file for file in folder.rglob("*")
        if LICENCE.fullmatch(file.name) and file.suffix not in {".swift", ".h", ".sh", ".py", ".yml"} and file.is_file()
        and not {".git", "Tests", "IntegrationTests", "Benchmarks", "docs"} & set(file.relative_to(folder).parts)]
    files.sort(key=lambda file: (len(file.relative_to(folder).parts), str(file)))
    return tuple((str(file.relative_to(folder)), file.read_text(errors="replace")) for file in files)


def swift_folder() -> Path:
    """The folder of Swift's toolchain."""
    swift = shutil.which("swift")
    if swift is None:
        raise SystemExit("dist.py: `swift` was not found. Install Swift 6.2 or later.")
    return Path(swift).resolve().parent.parent


def swift_runtime() -> Part:
    """Swift's standard library and Foundation, with ICU inside."""
    stated = subprocess.run(["swift", "--version"], check=True, capture_output=True, text=True).stdout
    matched = re.search(r"Swift version (\S+)", stated)
    version = matched[1] if matched else "unknown"
    licences = swift_folder() / "share" / "swift" / "LICENSE.txt"
    texts = (("LICENSE.txt", licences.read_text()),) if licences.exists() else ()
    return Part(
        "swift", version, f"pkg:swift/github.com/swiftlang/swift@{version}", "Apache-2.0 WITH Swift-exception", texts,
        "https://github.com/swiftlang/swift, with swift-foundation, swift-corelibs-foundation, swift-corelibs-libdispatch and "
        "ICU of swift-foundation-icu (https://www.unicode.org/license.txt)")


@cache
def query(package: str, field: str) -> str:
    return subprocess.run(
        ["dpkg-query", "-W", "-f", "${" + field + "}", package], check=True, capture_output=True, text=True).stdout


def owner(file: Path) -> str:
    """The Debian package that has a file."""
    # Files of /lib are in /usr/lib, and dpkg knows some by either name.
    resolved = file.resolve()
    for path in (resolved, Path("/", *resolved.parts[2:]), file):
        found = subprocess.run(["dpkg-query", "-S", path], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.partition(": ")[0].partition(",")[0]
    raise SystemExit(f"dist.py: {file} is in no Debian package. Install the libraries with scripts/setup.sh.")


def system_libraries(files: list[Path]) -> list[Part]:
    """The Debian packages of the libraries that are copied from this system; Swift's own are parts of its runtime."""
    swift = swift_folder()
    found = []
    for name in sorted({owner(file) for file in files if swift not in file.resolve().parents}):
        package = query(name, "Package")
        copyright_file = Path("/usr/share/doc") / package / "copyright"
        source, source_version = query(name, "source:Package"), query(name, "source:Version")
        found.append(debian_package(package, query(name, "Version"), query(name, "Architecture"))._replace(
            texts=((str(copyright_file), copyright_file.read_text(errors="replace")),),
            source=f"https://snapshot.debian.org/package/{source}/{source_version}/"))
    return found


def debian_package(name: str, version: str, architecture: str) -> Part:
    """A Debian package, whose licences are in its own file `copyright`."""
    purl = f"pkg:deb/debian/{name}@{quote(version)}?arch={architecture}"
    return Part(name, version, purl, None, (), f"https://packages.debian.org/{name}")
