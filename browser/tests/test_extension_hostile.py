"""A page, a frame and another extension that try to get more from the extension than a page may have."""

import json

import extension
import pytest
from test_extension import last, start
from test_page_script import CREATE, GET, frame

__all__ = ["start"]

FILES = ["config.json", "manifest.json", "page.js", "relay.js", "documents.js", "control.js", "transport.js"]
FETCHED = """async (addresses) => Promise.all(addresses.map((address) => fetch(address).then((answer) => answer.status, (error) => error.name)))"""
# Replaces the methods that a message of the script might pass through, and keeps their arguments.
SPY = """(() => {
    const seen = [];
    const note = (value) => {
        if (value instanceof EventTarget && value !== document && value !== window) seen.push("object");
        else if (value instanceof Event) seen.push("event");
        else if (typeof value === "string") seen.push(value);
    };
    const watch = (self, target, name) => {
        const descriptor = Object.getOwnPropertyDescriptor(target, name);
        const kind = descriptor.get ? "get" : "value";
        const native = descriptor[kind];
        descriptor[kind] = function (...values) {
            note(this);
            values.forEach(note);
            return Reflect.apply(native, this, values);
        };
        Object.defineProperty(target, name, descriptor);
    };
    globalThis.spyOn = (self) => {
        for (const name of ["addEventListener", "removeEventListener", "dispatchEvent"]) watch(self, self.EventTarget.prototype, name);
        watch(self, self.Document.prototype, "adoptNode");
        watch(self, self.CustomEvent.prototype, "detail");
        watch(self, self.FocusEvent.prototype, "relatedTarget");
        for (const name of ["target", "currentTarget", "type"]) watch(self, self.Event.prototype, name);
        for (const name of ["CustomEvent", "FocusEvent"]) {
            self[name] = new Proxy(self[name], {construct: (native, values) => {
                values.forEach(note);
                return Reflect.construct(native, values);
            }});
        }
    };
    globalThis.seen = seen;
    spyOn(globalThis);
})()"""


def secrets(page, control):
    return [control.token, control.url, page.context.phone.name, page.context.channel]


@pytest.mark.parametrize("mode", ["page-script", "proxy"])
def test_a_foreign_page_gets_no_answer_and_no_files(start, pages, touchstone_control, mode):
    page = start(mode=mode)
    page.goto(pages.local)
    page.evaluate(CREATE, {"rpId": "localhost"})
    before = last(page.context.phone)
    page.goto(pages.foreign)
    assert page.evaluate(GET, {"rpId": "localhost"}) == {"error": "SecurityError"}
    assert last(page.context.phone) == before
    seen = page.evaluate("""() => [Object.getOwnPropertyNames(globalThis).join(), document.documentElement.outerHTML,
        JSON.stringify(performance.getEntries()), ...Object.values(localStorage), document.cookie].join()""")
    for secret in secrets(page, touchstone_control):
        assert secret not in seen
    assert set(page.evaluate(FETCHED, [f"{extension.ORIGIN}/{name}" for name in FILES])) == {"TypeError"}
    # A page has no way to call an extension that names no page.
    assert page.evaluate("() => [typeof chrome.runtime?.connect, typeof chrome.runtime?.sendMessage]") == ["undefined"] * 2
    assert page.evaluate(FETCHED, [f"{touchstone_control.url}/v1/devices", f"{touchstone_control.url}/v1/events"]) == [
        "TypeError", "TypeError"]


def test_a_page_sees_no_channel_and_no_message(start, pages):
    page = start()
    pages.content["/spy"] = f"<script>{SPY}</script><p>spy</p>"
    page.goto(f"{pages.local}/spy")
    # A frame without an address has the page's origin, and the page reaches its objects before a script of its own runs.
    page.evaluate("""() => {
        const inner = document.createElement("iframe");
        document.body.append(inner);
        spyOn(inner.contentWindow);
        globalThis.inner = inner.contentWindow;
    }""")
    for request in (CREATE, GET):
        assert "id" in page.evaluate(request, {"rpId": "localhost"})
    page.evaluate("""() => inner.navigator.credentials.get({publicKey: {rpId: "localhost", challenge: new Uint8Array(16)}})""")
    page.evaluate("document.open(), document.write('<p>written'), document.close()")
    assert "id" in page.evaluate(GET, {"rpId": "localhost"})
    assert page.evaluate("seen") == []


def test_a_page_in_the_place_of_a_frames_script_gains_nothing(start, pages):
    """A page replaces the methods of a new frame before the script runs there, and speaks to the relay in its place."""
    page = start()
    page.goto(pages.local)
    before = last(page.context.phone)
    seen = page.evaluate("""async () => {
        const inner = document.createElement("iframe");
        inner.srcdoc = "<p>inner</p>";
        document.body.append(inner);
        const self = inner.contentWindow;
        const native = self.EventTarget.prototype.dispatchEvent;
        return new Promise((resolve) => {
            setTimeout(resolve, 10000, {channel: null});
            self.EventTarget.prototype.dispatchEvent = function (event) {
                if (!event.relatedTarget) return Reflect.apply(native, this, [event]);
                const line = self.document.createElement("i");
                line.addEventListener("answer", ({detail}) => resolve({channel: event.type, answer: JSON.parse(detail)}));
                const result = Reflect.apply(native, this, [new self.FocusEvent(event.type, {relatedTarget: line})]);
                const request = {id: 1, kind: "get", mediation: "optional", origin: "https://example.com", ancestors: [],
                    permissions: ["create", "get"], hasGesture: true, isBusy: false,
                    options: {rpId: "example.com", challenge: "AAECAwQFBgcICQoLDA0ODw"}};
                Reflect.apply(native, line, [new self.CustomEvent("request", {detail: JSON.stringify(request)})]);
                return result;
            };
        });
    }""")
    assert seen["channel"] == page.context.channel
    assert seen["answer"]["error"]["name"] == "SecurityError"
    assert last(page.context.phone) == before
    # The device of the page itself answers as before.
    assert "id" in page.evaluate(CREATE, {"rpId": "localhost"})


def test_a_forged_origin_is_not_believed(start, pages):
    """The worker has the browser's word for the sender, and refuses a relay that names another origin."""
    page = start()
    page.goto(pages.foreign)
    before = last(page.context.phone)
    session = page.context.new_cdp_session(page)
    worlds = []
    session.on("Runtime.executionContextCreated", lambda event: worlds.append(event["context"]))
    session.send("Runtime.enable")
    [relay] = [world["id"] for world in worlds if world["origin"] == extension.ORIGIN or world["name"] == "Touchstone"]
    answer = session.send("Runtime.evaluate", {
        "contextId": relay, "awaitPromise": True, "returnByValue": True, "expression": """new Promise((resolve) => {
            const port = chrome.runtime.connect();
            port.onMessage.addListener(resolve);
            port.postMessage({id: 1, kind: "get", origin: "%s", ancestors: [],
                options: {rpId: "localhost", challenge: "AAECAwQFBgcICQoLDA0ODw"}});
        })""" % pages.local})
    assert answer["result"]["value"]["error"]["name"] == "NotAllowedError"
    assert last(page.context.phone) == before


@pytest.mark.parametrize("mode", ["page-script", "proxy"])
def test_a_frame_without_permission_gets_nothing(start, pages, touchstone_control, mode):
    page = start(mode=mode)
    inner = frame(page, pages)
    before = last(page.context.phone)
    for request in (CREATE, GET):
        assert inner.evaluate(request, {"rpId": "inner.localhost"})["error"] == "NotAllowedError"
    assert last(page.context.phone) == before
    assert set(inner.evaluate(FETCHED, [f"{extension.ORIGIN}/{name}" for name in FILES])) == {"TypeError"}


def test_another_extension_gets_nothing(playwright, tmp_path, pages, touchstone_control, passkey_device):
    phone = passkey_device("iphone-face-id")
    own, other = tmp_path / "own", tmp_path / "other"
    channel = extension.write(own, touchstone_control, phone)
    other.mkdir()
    (other / "manifest.json").write_text(json.dumps({
        "manifest_version": 3, "name": "Other", "version": "1", "permissions": ["management", "tabs", "scripting"],
        "host_permissions": ["<all_urls>"], "background": {"service_worker": "worker.js"},
        "content_scripts": [{"js": ["content.js"], "matches": ["http://*/*"], "run_at": "document_start"}],
    }))
    (other / "worker.js").write_text("")
    # It has the page's tree, and listens to whatever it can name.
    (other / "content.js").write_text("""
        const seen = [];
        for (const type of ["request", "answer", "linked"]) {
            for (const target of [window, document]) target.addEventListener(type, () => seen.push(type), true);
        }
        chrome.runtime.onMessage.addListener((message, sender, reply) => { reply(seen); });""")
    with extension.chromium(playwright, own, other) as context:
        while len(context.service_workers) < 2:
            context.wait_for_event("serviceworker")
        [worker] = [worker for worker in context.service_workers if worker.url.endswith("/worker.js")]
        page = context.new_page()
        page.goto(pages.local)
        assert "id" in page.evaluate(CREATE, {"rpId": "localhost"})
        before = last(phone)
        assert set(worker.evaluate(FETCHED, [f"{extension.ORIGIN}/{name}" for name in FILES])) == {"TypeError"}
        assert "Receiving end does not exist" in worker.evaluate(
            """(id) => chrome.runtime.sendMessage(id, {id: 1, kind: "capabilities"}).then(() => "answered", (error) => error.message)""",
            extension.ID)
        assert worker.evaluate("""(id) => new Promise((resolve) => {
            const port = chrome.runtime.connect(id);
            port.onMessage.addListener(() => resolve("answered"));
            port.onDisconnect.addListener(() => resolve("disconnected"));
            port.postMessage({id: 1, kind: "get", origin: "http://localhost", ancestors: [], options: {}});
        })""", extension.ID) == "disconnected"
        # Without the token the control API answers no extension.
        answers = worker.evaluate(FETCHED, [f"{touchstone_control.url}/v1/devices", f"{touchstone_control.url}/v1/events"])
        assert set(answers) <= {401, 403}
        assert worker.evaluate("""async () => {
            const [tab] = await chrome.tabs.query({url: "http://localhost/*"});
            return chrome.tabs.sendMessage(tab.id, "seen");
        }""") == []
        described = json.dumps(worker.evaluate("(id) => chrome.management.get(id)", extension.ID))
        for secret in (touchstone_control.token, touchstone_control.url, channel):
            assert secret not in described
        assert last(phone) == before


def test_another_extension_cannot_become_the_proxy(playwright, tmp_path, pages, touchstone_control, passkey_device):
    phone = passkey_device("iphone-face-id")
    own, other = tmp_path / "own", tmp_path / "other"
    extension.write(own, touchstone_control, phone, "proxy")
    other.mkdir()
    (other / "manifest.json").write_text(json.dumps({
        "manifest_version": 3, "name": "Other", "version": "1", "permissions": ["webAuthenticationProxy"],
        "background": {"service_worker": "worker.js"}}))
    (other / "worker.js").write_text("")
    with extension.chromium(playwright, own, other) as context:
        page = context.new_page()
        page.goto(pages.local)
        assert "id" in page.evaluate(CREATE, {"rpId": "localhost"})
        while len(context.service_workers) < 2:
            context.wait_for_event("serviceworker")
        [worker] = [worker for worker in context.service_workers if worker.url.endswith("/worker.js")]
        assert "already attached" in worker.evaluate(
            "() => chrome.webAuthenticationProxy.attach().catch((error) => error.message)")
        assert "id" in page.evaluate(GET, {"rpId": "localhost"})
