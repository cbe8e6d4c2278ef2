"""A browser with one tab, WebKitGTK, for a program that answers its page's requests for passkeys.

It runs with Debian's Python, which has GTK. Each line of standard input is a command as JSON, each line of standard output an
event. The first command has the scripts; the end of the input ends the browser.
"""

import json
import sys
import threading
import urllib.parse

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import GLib, Gtk, WebKit2  # noqa: E402


def tell(**event):
    print(json.dumps(event), flush=True)


class Browser:
    def __init__(self, scripts):
        self.world, self.binding = scripts["world"], scripts["binding"]
        # The number of the document, and its origin as the browser states it.
        self.document, self.origin = 0, None
        manager = WebKit2.UserContentManager()
        manager.register_script_message_handler_in_world(self.binding, self.world)
        manager.connect(f"script-message-received::{self.binding}", self.receive)
        # The handler does not name the frame of a message: frames get no scripts.
        place = WebKit2.UserContentInjectedFrames.TOP_FRAME, WebKit2.UserScriptInjectionTime.START
        manager.add_script(WebKit2.UserScript.new(scripts["page"], *place, None, None))
        carry = f"globalThis.{self.binding} = (text) => webkit.messageHandlers.{self.binding}.postMessage(text);"
        manager.add_script(WebKit2.UserScript.new_for_world(carry + scripts["relay"], *place, self.world, None, None))
        self.view = WebKit2.WebView(user_content_manager=manager, web_context=WebKit2.WebContext.new_ephemeral())
        self.view.connect("load-changed", self.load)
        window = Gtk.Window()
        window.add(self.view)
        window.show_all()

    def load(self, view, event):
        if event != WebKit2.LoadEvent.COMMITTED:
            return
        if self.document:
            tell(left=self.document)
        parts = urllib.parse.urlsplit(view.get_uri())
        self.document += 1
        self.origin = f"{parts.scheme}://{parts.netloc}"
        tell(document=self.document, origin=self.origin)

    def receive(self, manager, result):
        tell(message=result.get_js_value().to_string(), document=self.document)

    def do(self, command):
        match command:
            case {"open": url}:
                self.view.load_uri(url)
            case {"answer": expression, "document": document}:
                # An answer to a document that was left has no receiver.
                if document == self.document:
                    self.view.evaluate_javascript(expression, -1, self.world, None, None, None)
            case {"evaluate": expression, "id": number}:
                body = f"return JSON.stringify(await ({expression}) ?? null);"
                self.view.call_async_javascript_function(body, -1, None, None, None, None, self.finish, number)

    def finish(self, view, result, number):
        try:
            tell(id=number, value=json.loads(view.call_async_javascript_function_finish(result).to_string()))
        except GLib.Error as error:
            tell(id=number, error=error.message)


browser = Browser(json.loads(sys.stdin.readline()))


def read():
    for line in sys.stdin:
        GLib.idle_add(browser.do, json.loads(line))
    GLib.idle_add(Gtk.main_quit)


threading.Thread(target=read, daemon=True).start()
Gtk.main()
