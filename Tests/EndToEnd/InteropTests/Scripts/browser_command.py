"""Runs `touchstone browser` without windows, as a tester does: a page registers and signs in, and the user of the panel answers."""

import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import requests
from playwright.sync_api import expect, sync_playwright

requested = json.loads(sys.argv[1])
expect.set_options(timeout=1_800_000)
PAGE = b"""<!doctype html><title>Site</title><button id=create>Create</button><button id=get>Get</button><button id=conditional>Conditional</button><output></output>
<script>
const shown = document.querySelector("output");
const bytes = new Uint8Array(16);
const run = work => async () => {
  shown.textContent = "waiting";
  try { const made = await work(); shown.textContent = `${made.type} ${made instanceof PublicKeyCredential}`; }
  catch (error) { shown.textContent = error.name; }
};
document.querySelector("#create").onclick = run(() => navigator.credentials.create({ publicKey: {
  challenge: bytes, rp: { name: "Site" }, user: { id: bytes, name: "ada", displayName: "Ada" },
  pubKeyCredParams: [{ type: "public-key", alg: -7 }], authenticatorSelection: { userVerification: "required" } } }));
document.querySelector("#get").onclick = run(() => navigator.credentials.get({ publicKey: {
  challenge: bytes, userVerification: "required" } }));
document.querySelector("#conditional").onclick = run(() => navigator.credentials.get({ mediation: "conditional", publicKey: {
  challenge: bytes, userVerification: "required" } }));
PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().then(is => fetch(`/ready?${is}`));
</script>"""
ready = threading.Event()
asked = []


class Site(BaseHTTPRequestHandler):
    def do_GET(self):
        asked.append((self.path, self.headers.get("Referer")))
        if self.path == "/ready?true":
            ready.set()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_):
        pass


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def check_token(folder, log):
    """The extension's token permits pages' requests with its device, from the extension only."""
    configs = list(folder.glob("touchstone-browser-*/extension/config.json"))
    assert len(configs) == 1, configs
    for place in [configs[0], configs[0].parent, configs[0].parent.parent, configs[0].parent.parent / "start.html"]:
        assert place.stat().st_mode & 0o077 == 0, place
    config = json.loads(configs[0].read_text())
    assert config["mode"] == requested["mode"] and config["control"] in log, config

    def status(method, path, token=config["token"], **fields):
        return requests.request(
            method, config["control"] + path, headers={"Authorization": f"Bearer {token}", **fields}, timeout=1800).status_code

    device = f"/v1/devices/{config['device']}"
    requests_of_pages = f"{device}/page-requests"
    # A request that may pass has no body.
    assert status("POST", requests_of_pages) == 400
    assert status("POST", requests_of_pages, Origin="chrome-extension://fjihailbbaeklmhefdlhkholknplpabp") == 400
    assert status("POST", requests_of_pages, Origin="chrome-extension://" + "a" * 32) == 403
    assert status("POST", requests_of_pages, Origin="https://evil.example") == 403
    assert status("POST", requests_of_pages, Origin=config["control"]) == 403
    for method, path in [
        ("GET", "/v1/devices"), ("GET", device), ("POST", f"{device}/signals/unknown-credential"), ("DELETE", device), ("POST", f"{device}/person/acts"), ("POST", f"{device}/acts"),
        ("GET", "/v1/events"), ("GET", "/v1/devices/other"), ("POST", "/v1/panel/links"), ("POST", "/v1/panel/sessions"),
        ("DELETE", f"{device}/credentials"), ("GET", f"{device}/browser-requests"), ("POST", f"{device}/browser-requests/1/pick"),
    ]:
        assert status(method, path) == 403, (method, path)


def use(port):
    with sync_playwright() as playwright:
        browser = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}", timeout=1_800_000)
        context = browser.contexts[0]
        context.set_default_timeout(1_800_000)
        deadline = time.monotonic() + 1800
        while len(context.pages) < 2 and time.monotonic() < deadline:
            context.pages[0].wait_for_timeout(50)
        site = next(page for page in context.pages if "localhost" in page.url)
        panel = next(page for page in context.pages if "/panel" in page.url)
        expect(panel.locator("html[data-ready=acts], html[data-ready=true]")).to_have_count(1)
        assert "#" not in panel.url and site.evaluate("opener === null && document.referrer === ''")
        result = site.locator("output")

        site.locator("#create").click()
        expect(panel.locator("#drawing")).to_contain_text("Face ID")
        assert result.text_content() == "waiting"
        panel.locator("#user").get_by_role("button", name="Match", exact=True).click()
        expect(result).to_have_text("public-key true")
        expect(panel.locator("#credentials")).to_contain_text("localhost")

        site.locator("#get").click()
        expect(panel.locator("#drawing")).to_contain_text("Face ID")
        panel.locator("#user").get_by_role("button", name="Cancel", exact=True).click()
        expect(result).to_have_text("NotAllowedError")
        expect(panel.locator("#ceremonies")).to_contain_text("NotAllowedError")
        if requested["mode"] == "page-script":
            pick(site, panel, result)


def pick(site, panel, result):
    """The user of the panel picks the passkey that a field of the page suggests; a refusal leaves the request waiting."""
    site.locator("#conditional").click()
    suggestions = panel.locator("#suggestions")
    for answer in ["Cancel", "Match"]:
        suggestions.get_by_role("button", name="Pick the passkey of ada at localhost").click()
        expect(panel.locator("#drawing")).to_contain_text("Face ID")
        expect(suggestions).to_be_hidden()
        assert result.text_content() == "waiting"
        panel.locator("#user").get_by_role("button", name=answer, exact=True).click()
    expect(result).to_have_text("public-key true")
    # A page that is left has no suggestion.
    site.locator("#conditional").click()
    expect(suggestions).to_be_visible()
    site.goto("about:blank")
    expect(suggestions).to_be_hidden()


server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
threading.Thread(target=server.serve_forever, daemon=True).start()
folder = pathlib.Path(tempfile.mkdtemp())
debugging = free_port()
start = time.monotonic()
program = subprocess.Popen(
    [requested["touchstone"], "browser", f"http://localhost:{server.server_port}/", "--headless", "--mode", requested["mode"],
     "--device", "iphone-face-id", "--", f"--remote-debugging-port={debugging}"],
    stderr=subprocess.PIPE, text=True,
    env={**os.environ, "TMPDIR": str(folder), "TOUCHSTONE_RUNTIME": str(folder), "TOUCHSTONE_TOKEN": "0123456789abcdef0123"})
try:
    assert ready.wait(1800), "the page has no device"
    milliseconds = round((time.monotonic() - start) * 1000)
    log = [program.stderr.readline() for _ in range(2)]
    check_token(folder, "".join(log))
    # Nothing that every process can read has a secret.
    lines = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    config = json.loads(next(folder.glob("touchstone-browser-*/extension/config.json")).read_text())
    assert config["token"] not in lines and not re.search(r"/panel#", lines)
    assert all(referrer is None or "localhost" in referrer for _, referrer in asked), asked
    use(debugging)
    program.send_signal(signal.SIGTERM)
    assert program.wait(1800) == 0
    # Neither the browser nor its profile is left.
    assert not list(folder.glob("touchstone-browser-*")), list(folder.iterdir())
    assert str(folder) not in subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
finally:
    if program.poll() is None:
        program.send_signal(signal.SIGTERM)
        program.wait(1800)
server.shutdown()
print(json.dumps({"milliseconds": milliseconds}))
