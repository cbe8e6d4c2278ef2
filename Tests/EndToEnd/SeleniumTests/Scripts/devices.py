"""Selenium scripts with simulated devices, which `touchstone webdriver` adds to the browser.

The first argument is JSON: {"driver": its URL, "base": URL of `touchstone serve`, "test": a function's name}.
"""

import json
import sys
import urllib.error
import urllib.request

from pages import Pages, open_browser
from selenium.common.exceptions import WebDriverException

requested = json.loads(sys.argv[1])
NO_PASSKEY = "No passkey was used. Try again, or use another way."


class Device:
    """The session's device, by the commands below /session/ID/touchstone."""

    def __init__(self, driver):
        self.root = f"{requested['driver']}/session/{driver.session_id}/touchstone"

    def call(self, method, path="", body=None):
        request = urllib.request.Request(
            self.root + path, data=None if body is None else json.dumps(body).encode(), method=method,
            headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=600) as response:
                return json.loads(response.read())["value"]
        except urllib.error.HTTPError as error:
            return json.loads(error.read())["value"]

    def tell(self, *acts):
        self.call("POST", "/person/acts", {"acts": list(acts)})

    def lockout(self):
        return self.call("GET")["status"]["lockout"]


def lockout(pages, device):
    """A face that does not match locks the sensor, and the page sees NotAllowedError."""
    pages.make_account("lockout")
    pages.register()
    pages.open("/step-up")
    # Each prompt takes a few attempts; the fifth wrong face locks the sensor.
    while device.lockout() == "none":
        device.call("DELETE", "/person/acts")
        device.tell("no-match x 5", "cancel")
        pages.driver.execute_script("document.getElementById('message').textContent = ''")
        pages.click("Confirm with a passkey")
        pages.says(NO_PASSKEY)
    device.call("DELETE", "/person/acts")
    device.tell("cancel")
    name = pages.driver.execute_async_script("""
        navigator.credentials.get({publicKey: {challenge: new Uint8Array(32), userVerification: "required"}})
            .then(() => arguments[0]("none"), (error) => arguments[0](error.name))""")
    assert name == "NotAllowedError", name
    events = [event["event"] for event in device.call("GET", "/events")["events"]]
    assert any("the sensor is locked" in event["text"] for event in events), events


def clock(pages, device):
    """A timed lockout ends when the device's clock advances."""
    pages.make_account("clock")
    pages.register()
    pages.open("/step-up")
    device.tell("no-match x 5", "cancel")
    pages.click("Confirm with a passkey")
    pages.says(NO_PASSKEY)
    assert device.lockout() == "timed", device.lockout()
    device.call("DELETE", "/person/acts")
    device.call("POST", "/clock", {"advance": "31 s"})
    assert device.lockout() == "none", device.lockout()
    pages.click("Confirm with a passkey")
    pages.wait(lambda: "clock" in pages.element("details").text, "the details")


def suggestion(pages, device):
    """A conditional request waits for the user, through a failure, until the user picks the passkey."""
    pages.make_account("suggestion")
    pages.register()
    pages.sign_out()
    pages.is_at("/sign-in")
    device.tell("cancel")

    def is_refused():
        error = device.call("POST", "/pick", {}).get("error")
        # A text is WebDriver's error: the page has not asked yet.
        return isinstance(error, dict) and error["name"] == "NotAllowedError"

    pages.wait(is_refused, "a refusal")
    assert pages.driver.current_url.endswith("/sign-in")
    assert device.call("POST", "/pick", {}) == {}
    pages.is_at("/passkeys")
    assert pages.passkeys() == 1
    assert "start one first" in device.call("POST", "/pick", {})["message"]


def navigation(pages, device):
    """Leaving the page closes the prompt on the device, and another window has the device at once."""
    pages.make_account("navigation")
    device.tell("match")
    pages.register()
    first = pages.driver.current_window_handle
    ask = """navigator.credentials.get({publicKey: {challenge: new Uint8Array(32), userVerification: "required"}})
        .then(() => { window.result = "signed in" }, (error) => { window.result = error.name })"""
    prompt = lambda: device.call("GET", "/person/acts").get("openPrompt")
    pages.driver.execute_script(ask)
    pages.wait(prompt, "a prompt")
    pages.driver.get("about:blank")
    pages.wait(lambda: not prompt(), "the end of the prompt")

    # The same for a window that closes: a new one has the device, too.
    pages.driver.switch_to.new_window("tab")
    pages.open("/step-up")
    pages.driver.execute_script(ask)
    pages.wait(prompt, "a prompt")
    pages.driver.close()
    pages.wait(lambda: not prompt(), "the end of the prompt")

    pages.driver.switch_to.window(first)
    pages.open("/step-up")
    pages.driver.execute_script(ask)
    pages.wait(prompt, "a prompt")
    device.tell("match")
    pages.wait(lambda: pages.driver.execute_script("return window.result") == "signed in", "a sign-in")


def capability(pages, device):
    """A device that does not exist opens no session; the capability's answer is the device's name."""
    assert pages.driver.capabilities["touchstone:device"].startswith("pixel-fingerprint")
    assert "webSocketUrl" not in pages.driver.capabilities
    for value in [
        "no-such-phone", 7, {"profile": "pixel-fingerprint", "autofill": "yes"}, {"profile": "solo-2", "pin": ["1234"]},
        {"profile": "pixel-fingerprint", "pins": ["1234"]},
    ]:
        try:
            open_browser(requested["driver"], touchstone_device=value).quit()
        except WebDriverException as error:
            assert "touchstone:device" in error.msg, error.msg
        else:
            raise AssertionError(f"{value!r} opened a session")
    devices = device.call("GET", "")
    assert devices["status"]["profile"] == "pixel-fingerprint"
    assert "does not exist" in device.call("GET", "/no-such-operation")["message"]
    assert "“page” is not known" in device.call("POST", "/pick", {"page": "1"})["message"]
    assert "must be an object, not an array" in device.call("POST", "/pick", [])["message"]


def foreign(pages, device):
    """A page may signal only about its own passkeys, and learns no address or token."""
    pages.make_account("foreign")
    pages.register()
    name = pages.driver.execute_async_script("""
        PublicKeyCredential.signalAllAcceptedCredentials({rpId: "example.org", userId: "AA", allAcceptedCredentialIds: []})
            .then(() => arguments[0]("none"), (error) => arguments[0](error.name))""")
    assert name == "SecurityError", name
    for address in [requested["driver"] + "/status", device.root]:
        result = pages.driver.execute_async_script(
            "fetch(arguments[0], {mode: 'no-cors'}).then((r) => r.text()).then(arguments[1], (e) => arguments[1](e.name))",
            address)
        assert result in ("", "TypeError"), result


DEVICES = {
    "capability": "pixel-fingerprint",
    "clock": {"profile": "pixel-fingerprint", "clock": "simulated"},
    "navigation": {"profile": "iphone-face-id", "person": "ask"},
}
test = requested["test"]
driver = open_browser(requested["driver"], touchstone_device=DEVICES.get(test, "iphone-face-id"))
try:
    globals()[test](Pages(driver, requested["base"]), Device(driver))
finally:
    driver.quit()
print("{}")
