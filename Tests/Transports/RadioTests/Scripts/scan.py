"""Opens Chromium's dialog for a passkey on a phone, and waits until the browser scans for adverts on the requested bus.

Chromium without a window has no dialog, so that it runs in a virtual screen.
"""

import json
import os
import shutil
import subprocess
import sys
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import display
from playwright.sync_api import sync_playwright

requested = json.loads(sys.argv[1])
PAGE = b"""<!doctype html><title>Site</title><button>Sign in</button><script>
document.querySelector("button").onclick = () => navigator.credentials.get({ publicKey: {
  challenge: new Uint8Array(16), hints: ["hybrid"] } });
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


def find(*names):
    found = next(filter(None, map(shutil.which, names)), None)
    assert found, f"{names[0]} was not found; scripts/setup.sh test installs it"
    return found


server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
Thread(target=server.serve_forever, daemon=True).start()
program = find("chromium", "chromium-browser")
monitor = subprocess.Popen(
    [find("gdbus"), "monitor", "--address", requested["bus"], "--dest", "org.bluez"], stdout=subprocess.PIPE, text=True)
screen = ExitStack()
seen = []
try:
    screen_name = screen.enter_context(display.started())
    # The monitor says that it watches the service.
    while "owned by" not in (line := monitor.stdout.readline()):
        assert line, "gdbus does not watch org.bluez"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, headless=False, args=["--no-sandbox", "--disable-gpu"],
            env={**os.environ, "DISPLAY": screen_name, "DBUS_SYSTEM_BUS_ADDRESS": requested["bus"]}, timeout=600_000)
        page = browser.new_page()
        page.set_default_timeout(600_000)
        page.goto(f"http://localhost:{server.server_port}/")
        page.click("button")
        while "InterfacesAdded" not in "".join(seen):
            line = monitor.stdout.readline()
            assert line, f"gdbus has ended: {seen}"
            seen.append(line)
        browser.close()
finally:
    monitor.kill()
    monitor.wait()
    screen.close()
    server.shutdown()
print(json.dumps({"signals": seen}))
