"""WebKitGTK with a simulated device, on a screen of its own."""

import contextlib
import json
import os
import subprocess
import threading
import time
from concurrent.futures import Future
from pathlib import Path

from touchstone_bench.browser.carrier import Carrier
from touchstone_bench.browser.settings import Settings

# The Python that Debian's GTK belongs to.
PYTHON = "/usr/bin/python3"
LIMIT = 30


class WebKit:
    """A tab whose requests a carrier takes to a device."""

    def __init__(self, program, carrier):
        self.program, self.carrier = program, carrier
        self.results, self.number = {}, 0
        carrier.open(self, self.send)
        scripts = carrier.scripts
        self.write(
            page=scripts["classes"] + scripts["page"], relay=scripts["relay"], world=scripts["world"],
            binding=scripts["binding"])
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def write(self, **command):
        self.program.stdin.write(json.dumps(command) + "\n")
        self.program.stdin.flush()

    def send(self, method, params):
        """The carrier's answer to a document."""
        with contextlib.suppress(BrokenPipeError, ValueError):
            self.write(answer=params["expression"], document=params["contextId"])

    def read(self):
        """Passes the browser's events on, under the names that DevTools have for them."""
        scripts = self.carrier.scripts
        for line in self.program.stdout:
            match json.loads(line):
                case {"document": number, "origin": origin}:
                    context = {"id": number, "name": scripts["world"], "origin": origin}
                    self.carrier.event(self, "Runtime.executionContextCreated", {"context": context})
                case {"left": number}:
                    self.carrier.event(self, "Runtime.executionContextDestroyed", {"executionContextId": number})
                case {"message": text, "document": number}:
                    params = {"name": scripts["binding"], "executionContextId": number, "payload": text}
                    self.carrier.event(self, "Runtime.bindingCalled", params)
                case {"id": number, "value": value}:
                    self.results.pop(number).set_result(value)
                case {"id": number, "error": text}:
                    self.results.pop(number).set_exception(AssertionError(text))

    def open(self, url):
        self.write(open=url)
        self.wait(f"location.href.startsWith({json.dumps(url)}) && document.readyState === 'complete'")

    def evaluate(self, expression, limit=LIMIT):
        """The value of an expression in the page, or of its promise."""
        self.number += 1
        result = self.results[self.number] = Future()
        self.write(evaluate=expression, id=self.number)
        return result.result(limit)

    def wait(self, expression):
        """Waits until an expression holds, through navigations."""
        deadline = time.monotonic() + LIMIT
        while True:
            # An expression that a navigation interrupts gets no end.
            with contextlib.suppress(AssertionError, TimeoutError):
                if self.evaluate(expression, limit=1):
                    return
            assert time.monotonic() < deadline, f"not true within {LIMIT} s: {expression}"

    def close(self):
        self.program.stdin.close()
        self.program.wait(LIMIT)
        self.reader.join()
        self.carrier.stop()


@contextlib.contextmanager
def started(display, control, device):
    """A browser whose pages the device answers."""
    program = subprocess.Popen(
        [PYTHON, "-B", str(Path(__file__).with_name("webkit_browser.py"))], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, text=True, env={**os.environ, "DISPLAY": display, "NO_AT_BRIDGE": "1"})
    browser = WebKit(program, Carrier(control.url, control.token, device.name, Settings()))
    try:
        yield browser
    finally:
        browser.close()
