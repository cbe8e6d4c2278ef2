"""Writes the extension's folder, and starts Chromium with it."""

import contextlib
import json
import secrets
import shutil
import tempfile
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent / "extension"
ID = "fjihailbbaeklmhefdlhkholknplpabp"
ORIGIN = f"chrome-extension://{ID}"


def write(folder, control, device, mode="page-script", **settings):
    """Writes the folder that Chromium loads; returns the name of the channel."""
    channel = secrets.token_hex(16)
    folder.mkdir()
    for source in SOURCES.glob("*.js"):
        shutil.copyfile(source, folder / source.name)
    read = lambda *names: "".join((SOURCES.parent / name).read_text(encoding="utf-8") for name in names)
    for name, text in [("page.js", "{\n" + read("options.js", "refusals.js", "page.js") + "}\n"), ("relay.js", read("relay.js"))]:
        (folder / name).write_text(text.replace("__TOUCHSTONE_CHANNEL__", channel), encoding="utf-8")
    manifest = "manifest.proxy.json" if mode == "proxy" else "manifest.json"
    shutil.copyfile(SOURCES / manifest, folder / "manifest.json")
    config = {"control": control.url, "token": control.token, "device": device.name, "mode": mode, **settings}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return channel


@contextlib.contextmanager
def chromium(playwright, *folders):
    """A context of a Chromium with these extensions."""
    names = ",".join(map(str, folders))
    with tempfile.TemporaryDirectory() as profile:
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--headless=new", f"--disable-extensions-except={names}", f"--load-extension={names}"],
            # Users' browsers keep pages that were left.
            ignore_default_args=["--disable-back-forward-cache"])
        context.set_default_timeout(1_800_000)
        try:
            if not context.service_workers:
                context.wait_for_event("serviceworker")
            if any("webAuthenticationProxy" in (folder / "manifest.json").read_text() for folder in folders):
                wait_for_proxy(context)
            yield context
        finally:
            context.close()


def wait_for_proxy(context):
    """Waits until the browser passes requests to the extension; earlier ones stay the browser's."""
    attached = "globalThis.touchstoneAttached ?? null"
    while all(worker.evaluate(attached) is None for worker in context.service_workers):
        pass
