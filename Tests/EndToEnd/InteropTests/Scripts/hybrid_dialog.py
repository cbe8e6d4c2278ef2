"""Runs `touchstone browser --phone` under Xvfb: Chromium's own dialog shows its QR code, and a simulated phone answers it."""

import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import display as displays
import requests
from playwright.sync_api import expect, sync_playwright

requested = json.loads(sys.argv[1])
PATIENCE = 1800
PROFILE = requested["profile"]
expect.set_options(timeout=PATIENCE * 1000)
TOKEN = "0123456789abcdef0123"
PAGE = b"""<!doctype html><title>Site</title><button id=create>Create</button><button id=get>Get</button><output></output>
<script>
const shown = document.querySelector("output");
const bytes = new Uint8Array(16);
let page;
const run = work => async () => {
  shown.textContent = "waiting";
  page = new AbortController();
  try {
    const made = await work(page.signal);
    const prf = made.getClientExtensionResults().prf?.results?.first;
    shown.dataset.prf = prf ? [...new Uint8Array(prf)].join() : "";
    shown.textContent = `${made.type} ${made.authenticatorAttachment} ${(made.response.getTransports?.() ?? []).join()}`.trim();
  } catch (error) { shown.textContent = error.name; }
};
document.querySelector("#create").onclick = run(signal => navigator.credentials.create({ signal, publicKey: {
  challenge: bytes, rp: { name: "Site" }, user: { id: bytes, name: "ada", displayName: "Ada" }, hints: ["hybrid"],
  extensions: { prf: { eval: { first: bytes } } }, pubKeyCredParams: [{ type: "public-key", alg: -7 }],
  authenticatorSelection: { userVerification: "required", residentKey: "required" } } }));
document.querySelector("#get").onclick = run(signal => navigator.credentials.get({ signal, publicKey: {
  challenge: bytes, userVerification: "required", hints: ["hybrid"],
  extensions: { prf: { eval: { first: bytes } } } } }));
</script>"""


class Site(BaseHTTPRequestHandler):
    def do_GET(self):
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


def until(condition, words):
    """Waits until a condition holds, and returns its value."""
    deadline = time.monotonic() + PATIENCE
    while not (value := condition()):
        assert time.monotonic() < deadline, words
        time.sleep(0.05)
    return value


def site_in(context):
    """The page of the site, which may still be opening."""
    def opened():
        # Playwright hears of new pages during its calls only.
        context.cookies()
        return next((page for page in context.pages if "localhost" in page.url), None)

    return until(opened, "no page")


def codes(display):
    """The texts of the QR codes on the screen."""
    return subprocess.run(
        ["zbarimg", "--raw", "--quiet", "--nodbus", "x:root"], capture_output=True, text=True,
        env={**os.environ, "DISPLAY": display}).stdout.split()


class Phone:
    """The phone's user, state and faults, through the control API."""

    def __init__(self, control):
        self.device = f"{control}/v1/devices/{PROFILE}"
        self.headers = {"Authorization": f"Bearer {TOKEN}"}

    def post(self, path, body):
        answer = requests.post(self.device + path, json=body, headers=self.headers, timeout=PATIENCE)
        assert answer.status_code < 300, answer.text
        return answer.json()

    def get(self, path):
        return requests.get(self.device + path, headers=self.headers, timeout=PATIENCE).json()

    def act(self, verb, **arguments):
        outcome = self.post("/acts", {"verb": verb, "arguments": arguments})
        assert outcome["done"], outcome

    def applied(self, fault):
        return any(fault in json.dumps(event) for event in self.get("/events")["events"])


def use(port, control, display):
    phone = Phone(control)
    seen = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}", timeout=PATIENCE * 1000)
        context = browser.contexts[0]
        context.set_default_timeout(PATIENCE * 1000)
        site = site_in(context)
        result = site.locator("output")
        assert site.evaluate("PublicKeyCredential.getClientCapabilities().then(c => c.hybridTransport)") is True

        def begin(button, *doing):
            if doing:
                phone.post("/person/acts", {"acts": doing})
            site.bring_to_front()
            site.locator(button).click()

        def end():
            expect(result).not_to_have_text("waiting")
            planned = phone.get("/person/acts")["planned"]
            assert planned == [], planned
            # The dialog has closed, or shows an error, and no code.
            until(lambda: not codes(display), "the QR code is still on the screen")
            return result.text_content()

        def ask(button, *doing):
            begin(button, *doing)
            return end()

        def fail(fault, *doing, waits=None):
            """A sign-in with a fault; `waits` says whether the code is on the screen while the page waits."""
            phone.act("fault", name=fault, times=1)
            if fault.startswith("adapter"):
                # The browser looks at its adapter before it shows a code.
                until(lambda: phone.applied(fault), f"{fault} has no effect")
            begin("#get", *doing)
            if waits is None:
                return end()
            until(lambda: phone.applied(fault), f"{fault} has no effect")
            until(lambda: bool(codes(display)) == waits, f"{fault}: the screen is another one")
            assert result.text_content() == "waiting"
            site.evaluate("page.abort()")
            return end()

        seen["create"] = ask("#create", "match")
        seen["prf"] = [result.get_attribute("data-prf")]
        seen["get"] = ask("#get", "match")
        seen["prf"].append(result.get_attribute("data-prf"))
        if PROFILE != "iphone-face-id":
            return seen
        seen["passcode"] = ask("#get", "no-match x 2", "passcode")
        seen["declined"] = ask("#get", "cancel")
        phone.act("lock-out")
        seen["lockedOut"] = ask("#get", "give-up")
        seen["lockedOutThenPasscode"] = ask("#get", "passcode")
        seen["otherAdvert"] = fail("advert-wrong", waits=True)
        seen["droppedBefore"] = fail("tunnel-dropped:first-message", waits=False)
        seen["dropped"] = fail("tunnel-dropped")
        seen["revision20"] = fail("revision-2.0", "match")
        seen["adapterOff"] = fail("adapter-off", waits=False)
        phone.act("no-faults")
        seen["adapterLate"] = fail("adapter-late:3", "match")
        seen["again"] = ask("#get", "match")
    return seen


def use_running(port, display, environment):
    """The same with a phone that runs in a process of its own, and scans the screen on request."""
    def command(*arguments):
        return subprocess.run(
            [requested["touchstone"], "device", *arguments], env=environment, capture_output=True, text=True, timeout=PATIENCE)

    phone = subprocess.Popen(
        [requested["touchstone"], "device", "start", PROFILE, "--udp", "0", "--name", "phone"], env=environment,
        stderr=subprocess.PIPE, text=True)
    try:
        assert "Ctrl-C" in phone.stderr.readline()
        with sync_playwright() as playwright:
            browser = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}", timeout=PATIENCE * 1000)
            context = browser.contexts[0]
            site = site_in(context)
            seen = {"nothing": command("scan", "--screen").stderr}
            for button in ["create", "get"]:
                site.bring_to_front()
                site.locator("#" + button).click()
                until(lambda: codes(display), "no QR code is on the screen")
                scan = command("scan", "--screen")
                assert scan.returncode == 0, scan.stderr
                expect(site.locator("output")).not_to_have_text("waiting", timeout=PATIENCE * 1000)
                seen[button] = site.locator("output").text_content()
                # The next code is another one.
                until(lambda: not codes(display), "the QR code is still on the screen")
        return seen
    finally:
        phone.terminate()
        phone.communicate()


folder = pathlib.Path(tempfile.mkdtemp())
server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
threading.Thread(target=server.serve_forever, daemon=True).start()
screen = contextlib.ExitStack()
display = screen.enter_context(displays.started())
debugging, port = free_port(), free_port()
RUNNING = requested.get("running", False)
environment = {
    **os.environ, "TMPDIR": str(folder), "TOUCHSTONE_RUNTIME": str(folder), "TOUCHSTONE_TOKEN": TOKEN, "DISPLAY": display}
program = subprocess.Popen(
    [requested["touchstone"], "browser", f"http://localhost:{server.server_port}/",
     *(["--hybrid"] if RUNNING else ["--phone", PROFILE, "--port", str(port)]), "--", f"--remote-debugging-port={debugging}"],
    stderr=subprocess.PIPE, text=True, env=environment)
log = []
threading.Thread(target=lambda: log.extend(iter(program.stderr.readline, "")), daemon=True).start()


def listens():
    assert program.poll() is None, "".join(log)
    try:
        return requests.get(f"http://127.0.0.1:{debugging}/json/version", timeout=PATIENCE).ok
    except requests.ConnectionError:
        return False


try:
    until(listens, "the browser does not listen")
    seen = use_running(debugging, display, environment) if RUNNING else use(debugging, f"http://127.0.0.1:{port}", display)
    program.send_signal(signal.SIGTERM)
    assert program.wait(PATIENCE) == 0
    assert not list(folder.glob("touchstone-browser-*")), list(folder.iterdir())
    # The bus, the browser and the tunnel are gone.
    until(
        lambda: str(folder) not in subprocess.run(
            ["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout, "a process is left")
finally:
    if program.poll() is None:
        program.send_signal(signal.SIGTERM)
        program.wait(PATIENCE)
    screen.close()
server.shutdown()
print(json.dumps({**seen, "log": "".join(log)}))
