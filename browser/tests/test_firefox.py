"""Firefox without geckodriver, through `touchstone webdriver` and WebDriver BiDi."""

import itertools
import json

import pytest
import websocket
from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, WebDriverException
from selenium.webdriver import ActionChains
from selenium.webdriver.support.ui import WebDriverWait
from test_carrier import check_foreign_signals
from test_page_script import CREATE, GET

from touchstone_bench import CeremonyError
from touchstone_bench.selenium import Remote, WebDriverProcess

NUMBERS = itertools.count()
REFUSED = "No passkey was used. Try again, or use another way."


@pytest.fixture(scope="module")
def server(program):
    running = WebDriverProcess(program)
    yield running.url
    running.stop()


class Firefox:
    """A page of a Firefox that is driven over WebDriver BiDi."""

    def __init__(self, server, device):
        options = webdriver.FirefoxOptions()
        options.add_argument("-headless")
        self.driver = Remote(options, device, server=server)
        [top] = self.driver.browsing_context.get_tree()
        self.context = top.context
        self.phone = self.driver.passkey_device

    def open(self, url, context=None):
        self.driver.browsing_context.navigate(context=context or self.context, url=url, wait="complete")

    def evaluate(self, function, *arguments, context=None, gesture=False, waits=True):
        """Calls a function of the page; its result passes as JSON."""
        text = ", ".join(json.dumps(argument) for argument in arguments)
        answer = self.driver.script.evaluate(
            expression=f"(async () => JSON.stringify(await ({function})({text})))()",
            target={"context": context or self.context}, await_promise=waits, user_activation=gesture)
        if waits:
            assert answer["type"] == "success", answer
            return json.loads(answer["result"].get("value", "null"))

    def wait(self, condition, what):
        return WebDriverWait(self.driver, 20, poll_frequency=0.05).until(lambda _: condition(), what)

    def click(self, text):
        self.evaluate(
            "(text) => Array.from(document.querySelectorAll('button')).find((b) => b.textContent.trim() === text).click()",
            text, gesture=True)

    def is_at(self, path):
        # A page that still loads has no listeners.
        where = "() => document.readyState === 'complete' && location.pathname"
        self.wait(lambda: self.evaluate(where) == path, f"the page {path}")

    def says(self, message):
        self.wait(
            lambda: self.evaluate("() => document.getElementById('message')?.textContent ?? ''") == message,
            f"the message {message!r}")


@pytest.fixture(scope="module")
def firefox(server):
    firefox = Firefox(server, "iphone-face-id")
    yield firefox
    firefox.driver.quit()


@pytest.fixture
def page(firefox, pages):
    """A page of the tests, with a device that has no passkeys."""
    firefox.phone.delete_credentials()
    firefox.phone.forget_plan()
    firefox.open(pages.local)
    return firefox


def registered(firefox, site):
    """A user's page, after registration and sign-out."""
    firefox.phone.delete_credentials()
    firefox.open(f"{site}/sign-in")
    firefox.evaluate("(name) => { document.getElementById('new-username').value = name }", f"fox-{next(NUMBERS)}")
    firefox.click("Create an account")
    firefox.is_at("/passkeys")
    firefox.click("Create a passkey")
    firefox.says("The passkey is created.")
    firefox.click("Sign out")
    firefox.is_at("/sign-in")


@pytest.fixture(scope="module")
def pixel(server):
    firefox = Firefox(server, {"profile": "pixel-fingerprint", "clock": "simulated"})
    yield firefox
    firefox.driver.quit()


@pytest.mark.parametrize("name", ["firefox", "pixel"])
def test_a_user_registers_and_signs_in(name, request, site):
    firefox = request.getfixturevalue(name)
    registered(firefox, site)
    firefox.phone.plan("cancel")
    firefox.click("Sign in with a passkey")
    firefox.says(REFUSED)
    firefox.click("Sign in with a passkey")
    firefox.is_at("/passkeys")
    assert len(firefox.phone.credentials()) == 1


def test_the_user_picks_the_suggestion_after_a_refusal(firefox, site):
    registered(firefox, site)
    firefox.phone.plan("cancel")
    with pytest.raises(CeremonyError):
        firefox.driver.pick_passkey()
    firefox.driver.pick_passkey()
    firefox.is_at("/passkeys")


def test_credentials_are_objects_of_the_browsers_classes(page, pages):
    made = page.evaluate(CREATE, {"rpId": "localhost"})
    assert made["clientData"]["origin"] == pages.local
    assert page.evaluate(GET, {"rpId": "localhost", "allow": True})["id"] == made["id"]
    assert page.evaluate("""() => [made instanceof PublicKeyCredential, made.response instanceof
        AuthenticatorAttestationResponse, got.response instanceof AuthenticatorAssertionResponse, got.toJSON().id === got.id,
        Object.getOwnPropertyNames(made).length]""") == [True, True, True, True, 0]
    assert page.evaluate(CREATE, {"rpId": "example.org"}) == {"error": "SecurityError", "isNative": True}


def test_a_modal_request_follows_the_end_of_the_conditional_one(page):
    page.evaluate(CREATE, {"rpId": "localhost"})
    page.evaluate("""() => {
        globalThis.controller = new AbortController();
        const publicKey = {rpId: "localhost", challenge: new Uint8Array(32)};
        globalThis.conditional = navigator.credentials.get({publicKey, mediation: "conditional", signal: controller.signal})
            .then(() => "signed in", (error) => error.name);
    }""")
    assert page.evaluate(GET, {"rpId": "localhost"}) == {"error": "OperationError"}
    page.evaluate("() => controller.abort()")
    assert page.evaluate("() => conditional") == "AbortError"
    assert "id" in page.evaluate(GET, {"rpId": "localhost"})


def test_a_request_ends_with_its_timeout(pixel, pages):
    pixel.open(pages.local)
    pixel.evaluate(CREATE, {"rpId": "localhost"})
    pixel.phone.plan("no-answer")
    assert pixel.evaluate(GET, {"rpId": "localhost", "timeout": 1000}) == {"error": "NotAllowedError"}


def test_leaving_the_page_ends_its_request(page, pages):
    page.evaluate(CREATE, {"rpId": "localhost"})
    page.evaluate(GET, {"rpId": "localhost", "mediation": "conditional"}, waits=False)
    assert page.evaluate(GET, {"rpId": "localhost"}) == {"error": "OperationError"}
    pages.content["/next"] = "<title>Next</title>"
    page.open(f"{pages.local}/next")
    # The request of the left document does not disturb this one.
    assert "id" in page.evaluate(GET, {"rpId": "localhost"})
    page.phone.plan("cancel")
    assert page.evaluate(GET, {"rpId": "localhost"}) == {"error": "NotAllowedError"}


def test_signals_reach_the_device(page):
    made = page.evaluate(CREATE, {"rpId": "localhost"})
    page.evaluate("""() => PublicKeyCredential.signalCurrentUserDetails(
        {rpId: "localhost", userId: "YWRh", name: "ada.l", displayName: "Ada L"})""")
    assert [entry["userName"] for entry in page.phone.credentials()] == ["ada.l"]
    page.evaluate("""(id) => PublicKeyCredential.signalAllAcceptedCredentials(
        {rpId: "localhost", userId: "YWRh", allAcceptedCredentialIds: [id]})""", made["id"])
    assert len(page.phone.credentials()) == 1
    page.evaluate(
        "(id) => PublicKeyCredential.signalUnknownCredential({rpId: 'localhost', credentialId: id})", made["id"])
    assert page.phone.credentials() == []
    assert page.evaluate("""() => PublicKeyCredential.signalUnknownCredential({rpId: "example.org", credentialId: "AA"})
        .catch((error) => error.name)""") == "SecurityError"


def test_a_signal_for_another_relying_party_is_refused_and_its_passkeys_stay(page, pages):
    check_foreign_signals(page.evaluate, page.open, page.phone, pages)


@pytest.mark.parametrize("allow", ["", "publickey-credentials-create; publickey-credentials-get"])
def test_a_frame_of_another_site_needs_permission(page, pages, allow):
    pages.content["/frame"] = "<title>Frame</title>"
    pages.content["/framing"] = f'<iframe src="http://inner.localhost:{pages.port}/frame" allow="{allow}"></iframe>'
    page.open(f"{pages.local}/framing")
    [top] = page.driver.browsing_context.get_tree(root=page.context)
    [frame] = top.children
    made = page.evaluate(CREATE, {"rpId": "inner.localhost"}, context=frame.context, gesture=True)
    if not allow:
        assert made["error"] == "NotAllowedError"
        assert page.phone.credentials() == []
        return
    assert made["clientData"]["origin"] == f"http://inner.localhost:{pages.port}"
    assert made["clientData"]["crossOrigin"] is True and made["clientData"]["topOrigin"] == pages.local
    assert page.evaluate(GET, {"rpId": "inner.localhost"}, context=frame.context)["id"] == made["id"]


def test_a_new_window_has_the_device(page, pages):
    page.evaluate(CREATE, {"rpId": "localhost"})
    opened = page.driver.browsing_context.create(type="tab")
    page.open(pages.local, context=opened)
    assert "id" in page.evaluate(GET, {"rpId": "localhost"}, context=opened)
    page.driver.browsing_context.close(context=opened)


def test_clients_get_no_events_but_their_own(page):
    """A client does not see the device's events, and cannot end them."""
    url = page.driver.capabilities["webSocketUrl"]
    client = websocket.create_connection(url, timeout=1800, suppress_origin=True)

    def call(method, **params):
        """The events before the answer."""
        client.send(json.dumps({"id": 7, "method": method, "params": params}))
        events = []
        while (message := json.loads(client.recv())).get("id") != 7:
            events.append(message["method"])
        assert message["type"] == "success", message
        return events

    page.evaluate(CREATE, {"rpId": "localhost"})
    page.open(page.evaluate("() => origin"))
    assert call("browsingContext.getTree") == []
    call("session.subscribe", events=["script.realmDestroyed"])
    page.open(page.evaluate("() => origin"))
    assert "script.realmDestroyed" in call("browsingContext.getTree")
    call("session.unsubscribe", events=["script.realmDestroyed"])
    client.send("no JSON")
    assert json.loads(client.recv())["error"] == "invalid argument"
    client.close()
    assert "id" in page.evaluate(GET, {"rpId": "localhost"})


def test_a_page_cannot_reach_the_endpoint(page, pages):
    with pytest.raises(websocket.WebSocketBadStatusException, match="403"):
        websocket.create_connection(page.driver.capabilities["webSocketUrl"], timeout=1800, origin=pages.local)


def test_classic_commands_drive_the_page(server, pages):
    pages.content["/form"] = """<title>Form</title><input id="name"><p id="shown"></p><iframe src="/"></iframe>
        <button onclick="shown.textContent = document.getElementById('name').value">Show</button>"""
    options = webdriver.FirefoxOptions()
    options.add_argument("-headless")
    driver = webdriver.Remote(server, options=options)
    try:
        driver.get(f"{pages.local}/form")
        assert (driver.title, driver.current_url) == ("Form", f"{pages.local}/form")
        driver.find_element("id", "name").send_keys("ada")
        driver.find_element("css selector", "button").click()
        shown = driver.find_element("id", "shown")
        assert (shown.text, shown.tag_name, shown.is_displayed(), shown.get_attribute("id")) == ("ada", "p", True, "shown")
        assert driver.execute_script("return arguments[0].textContent + arguments[1]", shown, 5) == "ada5"
        assert driver.execute_async_script("arguments[0]('done')") == "done"
        assert [element.tag_name for element in driver.find_elements("tag name", "input")] == ["input"]
        with pytest.raises(NoSuchElementException, match="#none"):
            driver.find_element("css selector", "#none")
        driver.add_cookie({"name": "a", "value": "b"})
        assert driver.get_cookie("a")["value"] == "b" and driver.get_cookie("none") is None
        driver.switch_to.frame(driver.find_element("tag name", "iframe"))
        assert driver.execute_script("return location.pathname") == "/"
        driver.switch_to.default_content()
        [first] = driver.window_handles
        driver.switch_to.new_window("tab")
        driver.close()
        driver.switch_to.window(first)
        driver.set_window_size(800, 600)
        assert len(driver.get_screenshot_as_png()) > 100
        driver.refresh()
        driver.execute_script("alert('hello')")
        assert driver.switch_to.alert.text == "hello"
        driver.switch_to.alert.accept()
        ActionChains(driver).move_to_element(driver.find_element("id", "name")).click().send_keys("bob").perform()
        assert driver.find_element("id", "name").get_property("value") == "bob"
        # Without a device.
        assert driver.execute_script(f"return ({GET})({{rpId: 'localhost'}})") == {"error": "NotAllowedError"}
    finally:
        driver.quit()


@pytest.mark.parametrize(
    "change, message",
    [
        ("delete p.rp", "Missing required 'rp' member of PublicKeyCredentialCreationOptions."),
        ("p.rp = null", "Missing required 'name' member of PublicKeyCredentialEntity."),
        ("p.challenge = 'x'", "'challenge' member of PublicKeyCredentialCreationOptions could not be converted to any of: "
            "ArrayBufferView, ArrayBuffer."),
        ("p.pubKeyCredParams = [5]", "Element of 'pubKeyCredParams' member of PublicKeyCredentialCreationOptions can't be converted "
            "to a dictionary."),
        ("p.excludeCredentials = {}", "'excludeCredentials' member of PublicKeyCredentialCreationOptions can't be converted to a "
            "sequence."),
        ("p.timeout = Symbol()", "can't convert symbol to number"),
        ("o.signal = {}", "'signal' member of CredentialCreationOptions does not implement interface AbortSignal."),
        ("o.mediation = 'x'", "'x' (value of 'mediation' member of CredentialCreationOptions) is not a valid value for enumeration "
            "CredentialMediationRequirement."),
    ])
@pytest.mark.each_combination
def test_options_are_refused_in_firefoxs_words(page, change, message):
    prefix = "" if message.startswith("can't") else "CredentialsContainer.create: "
    assert page.evaluate("""(change) => {
        const bytes = new Uint8Array(16);
        const p = {rp: {name: "T"}, user: {id: bytes, name: "a", displayName: "a"}, challenge: bytes, pubKeyCredParams: []};
        const o = {publicKey: p};
        new Function("o", "p", change)(o, p);
        return navigator.credentials.create(o).catch((error) => `${error.name}: ${error.message}`);
    }""", change) == f"TypeError: {prefix}{message}"


def test_classic_commands_wait_for_a_passkey(page, pages):
    page.driver.get(pages.local)
    made = page.driver.execute_script(f"return ({CREATE})({{rpId: 'localhost'}})")
    assert page.driver.execute_script(f"return ({GET})({{rpId: 'localhost'}})")["id"] == made["id"]
    page.phone.plan("cancel")
    text = f"return ({GET.replace('error: error.name', 'error: error.message')})({{rpId: 'localhost'}})"
    assert page.driver.execute_script(text)["error"].startswith("The request is not allowed by the user agent or the platform")
    page.driver.command_executor._commands["cdp"] = ("POST", "/session/$sessionId/goog/cdp/execute")
    with pytest.raises(WebDriverException, match="no DevTools"):
        page.driver.execute("cdp", {"cmd": "Browser.getVersion", "params": {}})


@pytest.mark.parametrize(
    "options, problem",
    [({"binary": "/no/such/firefox"}, "no/such/firefox"), ({"profile": "UEsD"}, "geckodriver"), ({"prefs": {"a": 1.5}}, "“a”")])
def test_wrong_options_open_no_session(server, options, problem):
    requested = webdriver.FirefoxOptions()
    requested.to_capabilities = lambda: {"browserName": "firefox", "webSocketUrl": True, "moz:firefoxOptions": options}
    with pytest.raises(WebDriverException, match=problem):
        webdriver.Remote(server, options=requested)
