"""Measures ceremonies in a page, 200 of each kind in turn: `benchmark.py [PROGRAM]`, or `make bench-pages`.

A line has the medians in milliseconds, with the 10th and 90th percentiles, and the difference
from the first line's medians. The line of Chromium's own dialog has the times from the phone's advert to its answer, of 20 ceremonies
of each kind, because the dialog and the camera take most of the page's time.
"""

import json
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "clients" / "python" / "src"))

import display
import extension
import playwright
from conftest import Pages
from playwright.sync_api import Error as playwright_error
from playwright.sync_api import sync_playwright
from selenium import webdriver
from test_firefox import Firefox

from touchstone_bench import Control
from touchstone_bench.selenium import Remote, WebDriverProcess

COUNT = 200
MEASURE = """async (count) => {
    const challenge = new Uint8Array(32);
    const user = {id: new Uint8Array([1]), name: "ada", displayName: "Ada"};
    const selection = {residentKey: "required", userVerification: "required"};
    let made;
    const create = async () => { made = await navigator.credentials.create({publicKey: {
        rp: {name: "Test", id: "localhost"}, user, challenge, pubKeyCredParams: [{type: "public-key", alg: -7},
        {type: "public-key", alg: -257}], authenticatorSelection: selection}}); };
    const get = () => navigator.credentials.get({publicKey: {rpId: "localhost", challenge, userVerification: "required",
        allowCredentials: [{type: "public-key", id: made.rawId}]}});
    const times = [[], []];
    for (let round = -20; round < count; round++) {
        for (const [place, act] of [create, get].entries()) {
            const start = performance.now();
            await act();
            if (round >= 0) times[place].push(performance.now() - start);
        }
    }
    return times;
}"""


@contextmanager
def plain_context():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--headless=new"])
        yield browser.new_context()
        browser.close()


@contextmanager
def virtual_authenticator(control):
    with plain_context() as context:
        page = context.new_page()
        session = context.new_cdp_session(page)
        session.send("WebAuthn.enable")
        session.send("WebAuthn.addVirtualAuthenticator", {"options": {
            "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
            "isUserVerified": True, "automaticPresenceSimulation": True}})
        yield page


@contextmanager
def devtools(control):
    with control.start_device("pixel-fingerprint") as phone, plain_context() as context:
        phone.attach(context)
        yield context.new_page()


class Node:
    """A page of Playwright in JavaScript, which only measures."""

    def __init__(self, control, phone):
        self.of_phone = [control.url, control.token, phone.name]

    def goto(self, address):
        self.address = address

    def evaluate(self, function, count):
        package = Path(playwright.__file__).parent / "driver" / "package"
        run = subprocess.run(
            ["node", Path(__file__).with_suffix(".mjs"), *self.of_phone, self.address, function, str(count)],
            env={**os.environ, "TEST_PLAYWRIGHT": str(package), "CHROMIUM": shutil.which("chromium")},
            check=True, capture_output=True, text=True)
        return json.loads(run.stdout)


@contextmanager
def node(control):
    with control.start_device("pixel-fingerprint") as phone:
        yield Node(control, phone)


def by_extension(mode):
    @contextmanager
    def started(control):
        with tempfile.TemporaryDirectory() as parent, control.start_device("pixel-fingerprint") as phone:
            folder = Path(parent) / "extension"
            extension.write(folder, control, phone, mode)
            with sync_playwright() as playwright, extension.chromium(playwright, folder) as context:
                yield context.new_page()
    return started


@contextmanager
def selenium(control):
    """Chromium behind `touchstone webdriver`, with the methods of a page of Playwright."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in ["--headless=new", "--no-sandbox"]:
        options.add_argument(argument)
    server = WebDriverProcess(control.process.program)
    with Remote(options, "pixel-fingerprint", server=server.url) as driver:
        driver.set_script_timeout(120)
        driver.goto = driver.get
        driver.evaluate = lambda function, count: driver.execute_script(f"return ({function})({count})")
        yield driver
    server.stop()


@contextmanager
def firefox(control):
    server = WebDriverProcess(control.process.program)
    page = Firefox(server.url, "pixel-fingerprint")
    page.goto = page.open
    yield page
    page.driver.quit()
    server.stop()


class Dialog:
    """Chromium's own dialog on a screen of its own, and a phone that scans its QR codes."""

    def __init__(self, program, display):
        self.program, self.display = program, display

    def goto(self, address):
        self.address = address

    def evaluate(self, _, count):
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            port = found.getsockname()[1]
        command = [self.program, "browser", self.address, "--phone", "pixel-fingerprint", "--person", "auto", "--",
                   f"--remote-debugging-port={port}"]
        running = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, "DISPLAY": self.display})
        try:
            with sync_playwright() as playwright:
                return self.measure(playwright, port, running, count // 10)
        finally:
            running.send_signal(signal.SIGTERM)
            running.communicate()

    def measure(self, playwright, port, running, count):
        while True:
            try:
                browser = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}", timeout=60_000)
                break
            except playwright_error:
                time.sleep(0.2)
        page = None
        while page is None:
            page = next((page for page in browser.contexts[0].pages if page.url.startswith(self.address)), None)
        page.evaluate("""() => {
            const user = {id: new Uint8Array([1]), name: "ada", displayName: "Ada"}, challenge = new Uint8Array(32);
            const selection = {residentKey: "required", userVerification: "required"};
            const acts = {
                create: () => navigator.credentials.create({publicKey: {rp: {name: "Test"}, user, challenge, hints: ["hybrid"],
                    pubKeyCredParams: [{type: "public-key", alg: -7}], authenticatorSelection: selection}}),
                get: () => navigator.credentials.get({publicKey: {challenge, userVerification: "required", hints: ["hybrid"]}}),
            };
            for (const [name, act] of Object.entries(acts)) {
                const button = document.body.appendChild(document.createElement("button"));
                button.id = name;
                button.onclick = () => { window.made = act(); };
            }
        }""")
        lines = iter(running.stderr.readline, "")
        measured = [[], []]
        for _ in range(count):
            for place, name in enumerate(["create", "get"]):
                page.bring_to_front()
                page.locator("#" + name).click()
                answered = next(filter(None, (re.search(r", (\d+) ms after its advert", line) for line in lines)))
                page.evaluate("() => window.made")
                measured[place].append(float(answered[1]))
        return measured


@contextmanager
def dialog(control):
    with display.started() as screen:
        yield Dialog(str(control.process.program), screen)


def times(milliseconds, baseline):
    tenths = statistics.quantiles(milliseconds, n=10)
    median = statistics.median(milliseconds)
    difference = "" if milliseconds is baseline else f" {median - statistics.median(baseline):+.1f}"
    return f"{median:5.1f} ms ({tenths[0]:.1f} to {tenths[-1]:.1f}){difference}"


WAYS = {
    "Chromium's virtual authenticator": virtual_authenticator,
    "page script, Playwright, Python": devtools,
    "page script, Playwright, Node": node,
    "page script, WebDriver": selenium,
    "page script, Firefox": firefox,
    "page script, extension": by_extension("page-script"),
    "proxy": by_extension("proxy"),
    "Chromium's dialog, phone by QR": dialog,
}

if __name__ == "__main__":
    pages = Pages()
    own = None
    try:
        with Control.start(*sys.argv[1:2], allow_origins=[extension.ORIGIN]) as control:
            for name, start in WAYS.items():
                with start(control) as page:
                    page.goto(pages.local)
                    create, get = page.evaluate(MEASURE, COUNT)
                    own = own or (create, get)
                    print(f"{name:34} create {times(create, own[0]):31} get {times(get, own[1])}", flush=True)
    finally:
        pages.stop()
