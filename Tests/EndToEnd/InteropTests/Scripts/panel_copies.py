"""Copies what just happened from the device panel, as a tester does, and runs the copied scenarios and tests."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import requests
from playwright.sync_api import expect, sync_playwright

requested = json.loads(sys.argv[1])
expect.set_options(timeout=1_800_000)
CHALLENGE = "AAECAwQFBgcICQoLDA0ODw"
threads = ThreadPoolExecutor(4)

# The words of an earlier copy may still stand on the page, so the text itself shows that it has arrived.
READ_CLIPBOARD = """async () => {
  for (let tries = 0; tries < 1200; tries += 1) {
    const text = await navigator.clipboard.readText();
    if (text) return text;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  return "";
}"""


class Site(BaseHTTPRequestHandler):
    def do_GET(self):
        body = b"<!doctype html><title>Site</title><h1>Site</h1>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Bench:
    """The control API, and the panel of one device after another."""

    def __init__(self, page, url, token):
        self.page, self.url, self.token = page, url, token
        page.goto(url + self.call("POST", "/panel/links")["path"])

    def call(self, method, path, body=None):
        answer = requests.request(
            method, f"{self.url}/v1{path}", json=body, timeout=600, headers={"Authorization": f"Bearer {self.token}"})
        assert answer.ok, answer.text
        return answer.json() if answer.content else None

    def ceremony(self, device, kind, origin, options, *acts):
        """Performs a ceremony whose user acts in the panel; returns its answer."""
        path = f"/devices/{device}/ceremonies/{kind}"
        for act in acts:
            self.call("POST", f"/devices/{device}/person/acts", {"acts": [act]})
        return self.call("POST", path, {"origin": origin, "options": options})

    def copies(self, device, count, wanted):
        """The texts of the newest ceremony, the panel's `count`th."""
        page = self.page
        page.get_by_role("navigation").locator(f'[data-name="{device}"]').click()
        expect(page.locator("#ceremonies details")).to_have_count(count)
        texts = {}
        for kind in wanted:
            button = page.locator("#outcome").get_by_role("button", name=f"Copy as {kind}")
            page.evaluate("navigator.clipboard.writeText('')")
            button.click()
            expect(page.locator("#news")).to_contain_text(f"Copied as {kind}")
            texts[kind] = page.evaluate(READ_CLIPBOARD)
            assert texts[kind], kind
        return texts


def options_of(kind, rp, *, uv="required", user="ada@example.com", **more):
    if kind == "get":
        return {"challenge": CHALLENGE, "rpId": rp, "userVerification": uv, **more}
    return {
        "challenge": CHALLENGE, "rp": {"id": rp, "name": 'The "Site" \\ of\nAda'},
        "user": {"id": "AQID", "name": user, "displayName": "It's <b>\"Ada\"</b> \u2028 \U0001f600"},
        "pubKeyCredParams": [{"type": "public-key", "alg": -7}],
        "authenticatorSelection": {"userVerification": uv, "residentKey": "required"}, **more,
    }


def run(kind, text, folder):
    """Runs a copied text; it has to pass."""
    environment = {**os.environ, "TOUCHSTONE": requested["touchstone"], "PYTHONPATH": requested["client"]}
    if kind == "Scenario":
        file = folder / "copied.yaml"
        command = [requested["touchstone"], "scenario", "run", "--strict", str(file)]
    else:
        file = folder / "test_copied.py"
        command = [
            sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "touchstone_bench.pytest_plugin", str(file)]
    if kind == "Selenium" and os.geteuid() == 0:
        # Chromium refuses to run as root with its sandbox.
        text = text.replace('("--headless=new")', '("--headless=new")\n    options.add_argument("--no-sandbox")')
    file.write_text(text, encoding="utf-8")
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, f"{kind}:\n{text}\n{done.stdout}\n{done.stderr}"


def errors_of(answers):
    return [answer.get("error", {}).get("name") for answer in answers]


def cases(bench, origin, rp):
    """Each case: the device's profile and what happens; yields the device, the answers, and the kinds of text that it has."""
    everywhere, without_page = ["Scenario", "pytest", "Selenium"], ["Scenario", "pytest"]

    def device(name, profile, **settings):
        bench.call("POST", "/devices", {"profile": profile, "name": name, "person": "ask", "clock": "simulated", **settings})

    def create(name, *acts, **more):
        return bench.ceremony(name, "create", origin, options_of("create", rp, **more), *acts)

    def get(name, *acts, **more):
        return bench.ceremony(name, "get", origin, options_of("get", rp, **more), *acts)

    device("success", "iphone-face-id")
    yield "success", [create("success", "match")], [None], everywhere

    device("cancelled", "iphone-face-id")
    answers = [create("cancelled", "match"), get("cancelled", "no-match x 2", "cancel"), get("cancelled", "no-match x 2", "cancel")]
    yield "cancelled", answers, [None, "NotAllowedError", "NotAllowedError"], everywhere

    # A lockout of the sensor, and the way out of it.
    device("locked", "pixel-fingerprint")
    made = create("locked", "match")
    allow = [{"type": "public-key", "id": made["credential"]["id"]}]
    answers = [made, get("locked", "no-match x 5", "cancel", allowCredentials=allow)]
    bench.call("POST", "/devices/locked/clock", {"advance": "31 s"})
    answers.append(get("locked", "bad-capture:too-fast", "match", allowCredentials=allow))
    yield "locked", answers, [None, "NotAllowedError", None], without_page

    # Acts on the device: an app checks its user, and the screen is locked when the page asks.
    device("acts", "iphone-face-id")
    bench.call("POST", "/devices/acts/acts", {"verb": "enrol", "arguments": {"template": "second: face"}})
    bench.call("POST", "/devices/acts/person/acts", {"acts": ["no-match", "match"]})
    bench.call("POST", "/devices/acts/acts", {"verb": "verify", "arguments": {"allow": "biometrics"}})
    answers = [create("acts", "match")]
    bench.call("POST", "/devices/acts/acts", {"verb": "lock"})
    answers.append(get("acts"))
    yield "acts", answers, [None, "NotAllowedError"], without_page

    device("excluded", "pixel-fingerprint")
    made = create("excluded", "match")
    answers = [made, create("excluded", "match", excludeCredentials=[{"type": "public-key", "id": made["credential"]["id"]}])]
    yield "excluded", answers, [None, "InvalidStateError"], without_page

    device("nothing", "iphone-face-id")
    yield "nothing", [get("nothing", "match")], ["NotAllowedError"], without_page

    # A key on the clock of the computer.
    device("key", "security-key-nfc", clock="real")
    yield "key", [create("key", "touch", uv="discouraged")], [None], without_page

    device("interrupted", "iphone-face-id")
    answers = [create("interrupted", "match")]
    waiting = threads.submit(get, "interrupted")
    while bench.call("GET", "/devices/interrupted/person/acts").get("openPrompt") is None:
        pass
    bench.call("POST", "/devices/interrupted/acts", {"verb": "lock"})
    yield "interrupted", [*answers, waiting.result(60)], [None, "NotAllowedError"], ["Scenario"]


@contextlib.contextmanager
def control():
    program = subprocess.Popen(
        [requested["touchstone"], "control", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "TOUCHSTONE_RUNTIME": tempfile.mkdtemp()})
    try:
        lines = iter(program.stdout.readline, "")
        found = next(match for line in lines if (match := re.search(r"control API on (http://\S+), token (\S+);", line)))
        threading.Thread(target=program.stdout.read, daemon=True).start()
        yield found.groups()
    finally:
        program.terminate()
        program.wait(1800)


site = ThreadingHTTPServer(("127.0.0.1", 0), Site)
threading.Thread(target=site.serve_forever, daemon=True).start()
origin = f"http://localhost:{site.server_address[1]}"
with control() as (url, token), sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
    browser = playwright.chromium.launch(
        executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    bench = Bench(context.new_page(), url, token)
    for device, answers, errors, kinds in cases(bench, origin, "localhost"):
        assert errors_of(answers) == errors, f"{device}: {answers}"
        for kind, text in bench.copies(device, len(answers), kinds).items():
            run(kind, text, pathlib.Path(folder))
    # A text that a ceremony does not have is refused with its reason, and nothing is copied.
    page = bench.page
    button = page.locator("#outcome").get_by_role("button", name="Copy as pytest")
    button.click()
    expect(page.get_by_role("alert")).to_contain_text("A scenario repeats that")
    browser.close()
site.shutdown()
threads.shutdown()
print("{}")
