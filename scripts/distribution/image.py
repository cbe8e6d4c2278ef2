"""The container image: Debian's essential packages and the project's Debian package, as an OCI layout."""

from __future__ import annotations

import datetime
import os
import re
import shlex
import subprocess
from pathlib import Path

from .archives import members_below, write_tar

CONTAINER = Path(__file__).resolve().parent / "container"
SUITE = "bookworm"
# Beside the package's own libraries: certificates for sites with https.
EXTRA = ["ca-certificates"]
# Documents for people at a terminal; the licences stay.
LEFT_OUT = [
    "path-exclude=/usr/share/doc/*", "path-include=/usr/share/doc/*/copyright", "path-include=/usr/share/doc/touchstone/*",
    "path-exclude=/usr/share/man/*", "path-exclude=/usr/share/info/*", "path-exclude=/usr/share/locale/*",
]


def make(package: Path, folder: Path, work: Path, version: str, seconds: int) -> tuple[Path, list[str]]:
    """Writes the image of a Debian package; returns the archive, and the names of the Debian packages inside, with
    their versions and architectures.

    $DIST_MIRROR names another mirror of Debian, such as a day of snapshot.debian.org.
    """
    layer = work / "layer.tar"
    inside = work / "packages"
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(seconds)}
    stated = subprocess.run(["dpkg-deb", "-f", package, "Depends", "Architecture"], check=True, capture_output=True, text=True)
    fields = dict(line.split(": ", 1) for line in stated.stdout.splitlines())
    depends = [re.split(r"[ (|]", depend.strip())[0] for depend in fields["Depends"].split(",")]
    finish = shlex.join([str(CONTAINER / "customize.sh")])
    listing = "dpkg-query --admindir=\"$1/var/lib/dpkg\" -W -f '${Package} ${Version} ${Architecture}\\n' >" + shlex.quote(str(inside))
    command = [
        "mmdebstrap", "--quiet", "--variant=essential", f"--architectures={fields['Architecture']}",
        f"--include={','.join([*depends, *EXTRA])}", *(f"--dpkgopt={option}" for option in LEFT_OUT),
        f"--customize-hook={finish} \"$1\" {shlex.quote(str(package))} {shlex.quote(str(CONTAINER / 'health.sh'))}",
        f"--customize-hook={listing}", SUITE, str(layer),
    ]
    subprocess.run([*command, *filter(None, [os.environ.get("DIST_MIRROR")])], env=environment, check=True, capture_output=True)

    layout = work / "layout"
    image = f"{layout}:{version}"
    moment = datetime.datetime.fromtimestamp(seconds, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    history = ["--history.created", moment]
    for words in (
        ["init", "--layout", layout],
        ["new", "--image", image],
        ["raw", "add-layer", "--image", image, *history, "--history.created_by", f"mmdebstrap {SUITE}, {package.name}", layer],
        ["config", "--image", image, "--no-history", "--created", moment, "--os", "linux", "--architecture",
         fields["Architecture"], "--author", "Touchstone maintainers", "--config.user", "1000:1000", "--config.workingdir",
         "/work", "--config.env", "PATH=/usr/local/bin:/usr/bin:/bin", "--config.env", "HOME=/work",
         "--config.entrypoint", "touchstone", "--config.cmd", "--help", "--config.stopsignal", "SIGTERM",
         "--config.label", f"org.opencontainers.image.version={version}",
         "--config.label", "org.opencontainers.image.title=touchstone",
         "--config.label", "org.opencontainers.image.licenses=Apache-2.0"],
        ["gc", "--layout", layout],
    ):
        subprocess.run(["umoci", *words], check=True, capture_output=True)
    file = folder / f"touchstone-{version}-linux-{fields['Architecture']}.oci.tar"
    write_tar(file, members_below(layout), seconds, compressed=False)
    return file, inside.read_text().splitlines()
