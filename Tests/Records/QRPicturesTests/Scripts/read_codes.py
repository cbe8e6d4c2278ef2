"""Reads QR codes of hybrid transport with programs that share no code with this project.

The argument is a JSON object: `packages`, the folder of zxing-cpp and soft-fido2; `pictures`, a folder of codes as PNG, SVG,
and lines for a terminal (txt); `domains`, numbers of tunnel services.

The answer is a JSON object: `zxing`, `terminal` and `svg`, the texts that zxing-cpp reads; `contents`, what soft-fido2 finds in them;
`domains`, its hosts.
"""

import importlib.util
import json
import re
import struct
import sys
import zlib
from pathlib import Path

requested = json.loads(sys.argv[1])
sys.path.append(requested["packages"])

import zxingcpp  # noqa: E402


# The digits of bits as grey bytes.
GREY = bytes.maketrans(b"01", b"\x00\xff")


def soft_fido2():
    # The package's own __init__ needs programs of a desktop.
    path = Path(requested["packages"]) / "soft_fido2/platform/cable.py"
    spec = importlib.util.spec_from_file_location("cable", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.CaBLE()


def read(rows, scale=1):
    """The text of rows of grey bytes."""
    rows = list(rows)
    if scale > 1:
        rows = [bytes(value for value in row for _ in range(scale)) for row in rows for _ in range(scale)]
    picture = memoryview(b"".join(rows)).cast("B", shape=[len(rows), len(rows[0])])
    found = zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormat.QRCode)
    assert len(found) == 1, len(found)
    return found[0].text


def png(data):
    """The rows of a PNG picture with one bit for each pixel, without filters."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    place, compressed, width = 8, b"", 0
    while place < len(data):
        (length,) = struct.unpack_from(">I", data, place)
        name, content = data[place + 4 : place + 8], data[place + 8 : place + 8 + length]
        (checksum,) = struct.unpack_from(">I", data, place + 8 + length)
        assert checksum == zlib.crc32(name + content)
        if name == b"IHDR":
            width, height, *form = struct.unpack(">IIBBBBB", content)
            assert form == [1, 0, 0, 0, 0]
        compressed += content if name == b"IDAT" else b""
        place += 12 + length
    raw = zlib.decompress(compressed)
    step = 1 + (width + 7) // 8
    assert len(raw) == step * height and not any(raw[::step])
    for start in range(1, len(raw), step):
        bits = int.from_bytes(raw[start : start + step - 1])
        yield f"{bits:0{8 * (step - 1)}b}"[:width].encode().translate(GREY)


def terminal(lines):
    """The rows of half blocks, with the colours that their control sequences set."""
    for line in lines:
        dark, light = 0, 255
        colours = re.fullmatch("\x1b\\[38;5;(\\d+);48;5;(\\d+)m(.*)\x1b\\[0m", line)
        if colours:
            assert colours[1] == "16" and colours[2] == "231"
            line = colours[3]
        for upper in (True, False):
            yield [dark if c == "█" or c == ("▀" if upper else "▄") else light for c in line]


def svg(text):
    """The rows of an SVG picture whose paths are rectangles of height 1."""
    side = int(re.search(r'viewBox="0 0 (\d+) \1"', text)[1])
    rows = [[255] * side for _ in range(side)]
    for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", text):
        for column in range(int(x), int(x) + int(width)):
            rows[int(y)][column] = 0
    return rows


cable = soft_fido2()
pictures = Path(requested["pictures"])
texts = [read(png(path.read_bytes())) for path in sorted(pictures.glob("*.png"))]
contents = []
for text in texts:
    found = cable.parse_qr_contents(text)
    contents.append(
        {
            "key": found["public_key"].hex(),
            "secret": found["qr_secret"].hex(),
            "time": found.get("timestamp"),
            "linking": found.get("state_assisted"),
            "hint": found.get("user_flow"),
        }
    )
print(
    json.dumps(
        {
            "zxing": texts,
            "terminal": [read(terminal(path.read_text().split("\n")), scale=3) for path in sorted(pictures.glob("*.txt"))],
            "svg": [read(svg(path.read_text()), scale=3) for path in sorted(pictures.glob("*.svg"))],
            "contents": contents,
            "domains": [cable.decode_tunnel_server_domain(number)[0] for number in requested["domains"]],
        }
    )
)
