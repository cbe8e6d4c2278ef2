#!/usr/bin/env python3
"""Makes the part of ICU's data that the program uses, for the linker: icu-data.py SCRIPT. SCRIPT is a linker script.

Foundation has ICU's data for every language, 34 MB. Left out are the languages other than English, the encodings other than
Unicode's, and the dictionaries that divide Thai or Chinese text into words. The program formats dates as ISO 8601 only and
compares names; its output is the same in each language. Where Swift's static Foundation has another form, the linker script
is empty, and the program keeps all data. Format of the data: ICU's ucmndata.h, "CmnD".
"""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

MEMBER = "icu_packaged_data.cpp.o"
# A language, such as de or zh_Hant_TW; the files of no language have names such as root, pool and plurals.
LOCALE = re.compile(r"[a-z]{2,3}(_[A-Za-z0-9_]+)?")
ENGLISH = {"en", "en_001", "en_US", "en_US_POSIX"}
ITEM_ALIGNMENT = 16


def is_needed(name: str) -> bool:
    """Whether the program can use an item, whose name is such as `zone/de.res`."""
    stem, _, kind = name.rpartition("/")[2].rpartition(".")
    if kind in ("cnv", "dict"):
        return False
    return kind != "res" or not LOCALE.fullmatch(stem) or stem in ENGLISH


def unpack(data: bytes) -> tuple[bytes, list[tuple[str, bytes]]]:
    """The header of a data package, and its items with their names below the package's."""
    header_size, magic, kind = struct.unpack_from("<HH8x4s", data)
    if magic != 0x27DA or kind != b"CmnD":
        raise ValueError("the data has another form")
    body = data[header_size:]
    [count] = struct.unpack_from("<I", body)
    contents = list(struct.iter_unpack("<II", body[4 : 4 + 8 * count]))
    ends = [start for _, start in contents[1:]] + [len(body)]
    items = []
    for (name_start, start), end in zip(contents, ends):
        name = body[name_start : body.index(b"\0", name_start)].decode("ascii")
        items.append((name, body[start:end]))
    return data[:header_size], items


def pack(header: bytes, items: list[tuple[str, bytes]]) -> bytes:
    """A data package; the items are in the order of their names."""
    names = b""
    starts = []
    place = 4 + 8 * len(items)
    for name, _ in items:
        starts.append(place + len(names))
        names += name.encode("ascii") + b"\0"
    place += len(names)
    contents = struct.pack("<I", len(items))
    body = b""
    for (_, data), name_start in zip(items, starts):
        body += b"\0" * (-(place + len(body)) % ITEM_ALIGNMENT)
        contents += struct.pack("<II", name_start, place + len(body))
        body += data
    return header + contents + names + body


def packaged_data(archive: Path, folder: Path) -> tuple[str, bytes]:
    """The symbol and the bytes of the data in Foundation's copy of ICU."""
    member = folder / MEMBER
    member.write_bytes(subprocess.run(["ar", "p", archive, MEMBER], check=True, capture_output=True).stdout)
    symbols = subprocess.run(["nm", "-P", member], check=True, capture_output=True, text=True).stdout.split()
    subprocess.run(["objcopy", "-O", "binary", "-j", ".rodata", member, folder / "data"], check=True)
    return symbols[0], (folder / "data").read_bytes()


def assembled(symbol: str, data: bytes, tools: Path, folder: Path) -> Path:
    """An object file with the data under a name."""
    (folder / "data").write_bytes(data)
    (folder / "data.s").write_text(
        '.section .note.GNU-stack,"",%progbits\n'
        f'.section .rodata,"a",%progbits\n.balign {ITEM_ALIGNMENT}\n.globl {symbol}\n.type {symbol}, %object\n'
        f'{symbol}:\n.incbin "data"\n.size {symbol}, . - {symbol}\n')
    subprocess.run([tools / "clang", "-c", "data.s", "-o", "data.o"], check=True, cwd=folder)
    return folder / "data.o"


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: icu-data.py SCRIPT")
    script = Path(sys.argv[1]).absolute()
    swift = shutil.which("swift")
    if swift is None:
        sys.exit("icu-data.py: `swift` was not found. Install Swift 6.2 or later.")
    tools = Path(os.path.realpath(swift)).parent
    archive = tools.parent / "lib" / "swift_static" / "linux" / "lib_FoundationICU.a"
    made = script.stat().st_mtime if script.exists() else 0
    if all(file.exists() and file.stat().st_mtime < made for file in (archive, Path(__file__))):
        return
    script.parent.mkdir(parents=True, exist_ok=True)
    object_file = script.with_suffix(".o")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            symbol, data = packaged_data(archive, folder)
            header, items = unpack(data)
        except (OSError, subprocess.CalledProcessError, ValueError, IndexError, struct.error) as error:
            print(f"icu-data.py: the program keeps all of ICU's data: {error}", file=sys.stderr)
            script.write_text("/* ICU's data of Foundation */\n")
            return
        package = items[0][0].partition("/")[0] + "/"
        needed = pack(header, [item for item in items if is_needed(item[0].removeprefix(package))])
        shutil.move(assembled(f"needed_{symbol}", needed, tools, folder), object_file)
    # Without a user, the linker drops Foundation's data.
    script.write_text(f"INPUT({object_file.name})\n{symbol} = needed_{symbol};\n")


main()
