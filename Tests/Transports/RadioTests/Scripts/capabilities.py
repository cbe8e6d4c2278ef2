"""Asks a page in Chromium for the capabilities of the browser, whose system bus is the requested one."""

import json
import os
import shutil
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from playwright.sync_api import sync_playwright

requested = json.loads(sys.argv[1])


class Site(BaseHTTPRequestHandler):
    def do_GET(self):
        page = b"<!doctype html><title>Site</title>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
Thread(target=server.serve_forever, daemon=True).start()
program = shutil.which("chromium") or shutil.which("chromium-browser")
assert program, "Chromium was not found; scripts/setup.sh test installs it"
with sync_playwright() as playwright:
    # The new headless mode is the whole browser; the old one has no Bluetooth.
    browser = playwright.chromium.launch(
        executable_path=program, headless=False, args=["--headless=new", "--no-sandbox", "--disable-gpu"],
        env={**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": requested["bus"]}, timeout=600_000)
    page = browser.new_page()
    page.set_default_timeout(600_000)
    page.goto(f"http://localhost:{server.server_port}/")
    capabilities = page.evaluate("PublicKeyCredential.getClientCapabilities()")
    browser.close()
server.shutdown()
print(json.dumps({"hybridTransport": capabilities["hybridTransport"]}))
