"""Runs `touchstone browser` without a URL and without windows: its own page signs up and registers a passkey on the device."""

import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

import requests
from playwright.sync_api import expect, sync_playwright

requested = json.loads(sys.argv[1])
expect.set_options(timeout=1_800_000)


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def wait_for_page(port):
    """Waits until the browser shows the page; a client that connects earlier may miss it."""
    deadline = time.monotonic() + 1800
    while time.monotonic() < deadline:
        assert program.poll() is None, "the command has ended"
        try:
            targets = requests.get(f"http://127.0.0.1:{port}/json/list", timeout=10).json()
        except requests.RequestException:
            targets = []
        if any(target["url"].endswith("/sign-in") for target in targets):
            return
        time.sleep(0.1)
    raise AssertionError("the browser does not show the page")


def use(port):
    wait_for_page(port)
    with sync_playwright() as playwright:
        browser = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}", timeout=1_800_000)
        context = browser.contexts[0]
        context.set_default_timeout(1_800_000)
        page = next(page for page in context.pages if page.url.endswith("/sign-in"))
        page.locator("#new-username").fill("ada")
        page.get_by_role("button", name="Create an account").click()
        page.get_by_role("button", name="Create a passkey").click()
        expect(page.get_by_role("status")).to_have_text("The passkey is created.")


folder = pathlib.Path(tempfile.mkdtemp())
debugging = free_port()
program = subprocess.Popen(
    [requested["touchstone"], "browser", "--headless", "--person", "auto", "--", f"--remote-debugging-port={debugging}"],
    env={**os.environ, "TMPDIR": str(folder), "TOUCHSTONE_RUNTIME": str(folder)})
try:
    use(debugging)
    program.send_signal(signal.SIGTERM)
    assert program.wait(1800) == 0
finally:
    if program.poll() is None:
        program.send_signal(signal.SIGTERM)
        program.wait(1800)
print(json.dumps({}))
