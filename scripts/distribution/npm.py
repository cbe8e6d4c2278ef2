"""The npm packages: the client, and the program for one platform, which the client depends on where it fits."""

from __future__ import annotations

import json
from pathlib import Path

from . import bundle
from .archives import Member, members_below, write_tar

ROOT = Path(__file__).resolve().parent.parent.parent
CLIENT = ROOT / "clients" / "javascript"


def make(folder: Path, made: bundle.Bundle, documents: dict[str, bytes], seconds: int) -> list[Path]:
    """Writes both packages; returns their files."""
    manifest = json.loads((CLIENT / "package.json").read_text())
    name, version = manifest["name"], manifest["version"]
    platform = f"{name}-linux-{made.processor}"
    # npm leaves a package for another platform out.
    manifest["optionalDependencies"] = {platform: version}
    del manifest["scripts"]
    client = [json_member(manifest), Member("package/README.md", (CLIENT / "README.md").read_bytes())]
    for part in manifest["files"]:
        client += members_below(CLIENT / part, f"package/{part}/")
    client.append(Member("package/LICENSE", (ROOT / "LICENSE").read_bytes()))

    program = [
        json_member({
            "name": platform, "version": version,
            "description": "The program of touchstone-bench for Linux: simulated phones and security keys for tests of passkeys",
            "license": manifest["license"], "os": ["linux"], "cpu": [made.processor], "libc": ["glibc"],
            "preferUnplugged": True,
        }),
        *members_below(made.folder, "package/"),
        *(Member(f"package/{document}", text) for document, text in documents.items()),
    ]
    files = []
    for package, members in [(name, client), (platform, program)]:
        files.append(folder / f"{package}-{version}.tgz")
        write_tar(files[-1], members, seconds)
    return files


def json_member(manifest: dict[str, object]) -> Member:
    return Member("package/package.json", (json.dumps(manifest, indent=2) + "\n").encode())
