"""Measures ceremonies in a page, 200 of each kind in turn: `benchmark.py [PROGRAM]`, or `make bench-pages`.

A line has the medians in milliseconds, with the 10th and 90th percentiles, and the difference
from the first line's medians.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "clients" / "python" / "src"))

import extension
import playwright
from conftest import Pages
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
