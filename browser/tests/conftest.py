"""A browser, `touchstone serve`, and pages of the tests, each on a free port of the loopback interface."""

import contextlib
import random
import shutil
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import extension
import pytest
from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "clients" / "python" / "src"))

pytest_plugins = ["touchstone_bench.pytest_plugin"]
expect.set_options(timeout=1_800_000)


def pytest_addoption(parser):
    parser.addoption("--sample", type=int, metavar="SEED", help="run one combination of each test's parameters")


def pytest_collection_modifyitems(config, items):
    """Keeps one combination of each test's parameters, and all of a test with the mark `each_combination`."""
    seed = config.getoption("--sample")
    if seed is None:
        return
    combinations = {}
    for item in items:
        is_whole = item.get_closest_marker("each_combination") is not None
        combinations.setdefault(item.nodeid if is_whole else (item.path, item.originalname), []).append(item)
    choice = random.Random(seed)
    kept = {choice.choice(group) for group in combinations.values()}
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


@pytest.fixture(scope="session")
def program(request):
    from touchstone_bench import find_program

    return find_program(request.config.getoption("--touchstone"))


@pytest.fixture(scope="session")
def touchstone_control(program, tmp_path_factory):
    """A `touchstone control` that accepts requests of the extension."""
    from touchstone_bench import Control

    trace = tmp_path_factory.mktemp("touchstone") / "trace.jsonl"
    with Control.start(program, trace=trace, allow_origins=[extension.ORIGIN]) as control:
        yield control


@pytest.fixture(scope="session")
def site(program):
    """The URL of a `touchstone serve`."""
    server = subprocess.Popen(
        [str(program), "serve", "--port", "0", "--user-verification", "required"], stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True)
    try:
        line = next(line for line in server.stderr if line.startswith("listening on "))
        yield line.split()[2].rstrip(";")
    finally:
        server.terminate()
        server.communicate()


@pytest.fixture(scope="session")
def playwright():
    """Playwright's synchronous interface, of which a thread can have one."""
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def chromium(playwright):
    """Debian's Chromium, which the tests share."""
    browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
    yield browser
    browser.close()


@pytest.fixture
def context(chromium):
    """A fresh context of the Chromium."""
    context = chromium.new_context()
    context.set_default_timeout(1_800_000)
    yield context
    context.close()


class Pages:
    """A server of pages: `pages[path] = html`, reached as `localhost` and as `127.0.0.1`."""

    def __init__(self):
        self.content = {"/": "<!doctype html><title>Page</title>"}
        self.headers = {}
        pages = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                found = self.path in pages.content
                self.send_response(200 if found else 404)
                self.send_header("Content-Type", "text/html")
                for name, value in pages.headers.get(self.path, {}).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(pages.content.get(self.path, "").encode())

            def log_message(self, *values):
                return

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        self.local = f"http://localhost:{self.port}"
        self.foreign = f"http://127.0.0.1:{self.port}"
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    def stop(self):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture
def pages():
    pages = Pages()
    yield pages
    pages.stop()


class Way:
    """A page with a simulated device: `evaluate(function, argument)` runs a function in it."""

    def __init__(self, phone, evaluate, open):
        self.phone, self.evaluate, self.open = phone, evaluate, open


@pytest.fixture(params=["playwright", "extension", "webdriver"])
def way(request, pages):
    """The same page over each way to the browser: `way(profile)` starts it."""
    with contextlib.ExitStack() as running:

        def start(profile="iphone-face-id"):
            if request.param == "webdriver":
                from test_selenium import options

                from touchstone_bench.selenium import Remote

                driver = running.enter_context(Remote(options(), profile, program=request.getfixturevalue("program")))
                driver.set_script_timeout(1800)
                evaluate = lambda function, argument=None: driver.execute_script(f"return ({function})(arguments[0])", argument)
                made = Way(driver.passkey_device, evaluate, driver.get)
            else:
                phone = request.getfixturevalue("passkey_device")(profile)
                if request.param == "playwright":
                    context = request.getfixturevalue("context")
                    phone.attach(context)
                else:
                    folder = request.getfixturevalue("tmp_path") / "extension"
                    extension.write(folder, request.getfixturevalue("touchstone_control"), phone)
                    context = running.enter_context(
                        extension.chromium(request.getfixturevalue("playwright"), folder))
                page = context.new_page()
                made = Way(phone, page.evaluate, page.goto)
            made.open(pages.local)
            return made

        yield start
