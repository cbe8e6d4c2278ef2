"""The DevTools domain `WebAuthn` with simulated devices: Playwright's client, unchanged, against Chromium's and ours."""

import base64
import shutil
import subprocess

import pytest
from selenium import webdriver
from test_carrier import SIGNAL, signals
from test_page_script import CREATE, GET

from touchstone_bench.selenium import Remote

# A P-256 key in PKCS #8.
KEY = ("MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg8_zMDQDYAxlU-Q"
       "hk1Dwkf0v18GZca1DMF3SaJ9HPdmShRANCAASNYX5lyVCOZLzFZzrIKmeZ2jwU"
       "RmgsJYxGP__fWN_S-j5sN4tT15XEpN_7QZnt14YvI6uvAgO0uJEboFaZlOEB").replace("-", "+").replace("_", "/")
OPTIONS = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
    "isUserVerified": True, "automaticPresenceSimulation": True,
}


@pytest.fixture(scope="module")
def address(program):
    """The URL of `touchstone devtools`."""
    server = subprocess.Popen(
        [str(program), "devtools", "--port", "0"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        line = next(line for line in server.stderr if line.startswith("DevTools on "))
        yield line.split()[2].rstrip(";")
    finally:
        server.terminate()
        server.communicate(timeout=1800)


@pytest.fixture
def browser(playwright, address):
    browser = playwright.chromium.connect_over_cdp(address, timeout=1_800_000)
    yield browser
    browser.close()


class Client:
    """A page with the virtual authenticator that tests of web apps have."""

    EVENTS = ["credentialAdded", "credentialAsserted", "credentialUpdated", "credentialDeleted"]

    def __init__(self, context, url, **options):
        context.set_default_timeout(1_800_000)
        self.page = context.new_page()
        self.cdp = context.new_cdp_session(self.page)
        self.events = []
        for name in self.EVENTS:
            self.cdp.on(f"WebAuthn.{name}", lambda params, name=name: self.events.append((name, params)))
        self.cdp.send("WebAuthn.enable")
        added = self.cdp.send("WebAuthn.addVirtualAuthenticator", {"options": {**OPTIONS, **options}})
        self.id = added["authenticatorId"]
        self.page.goto(url)

    def send(self, method, **params):
        return self.cdp.send(f"WebAuthn.{method}", {"authenticatorId": self.id, **params})

    def credentials(self):
        return self.send("getCredentials")["credentials"]

    def names(self):
        return [name for name, _ in self.events]


@pytest.fixture(params=["chromium", "touchstone"])
def either(request, pages):
    """The same script, with Chromium's own authenticator and with a simulated device."""
    context = request.getfixturevalue("context" if request.param == "chromium" else "browser")
    if request.param == "touchstone":
        context = context.new_context()
    yield Client(context, pages.local)
    context.close()


def test_a_script_with_a_virtual_authenticator_runs_unchanged(either):
    made = either.page.evaluate(CREATE, {"rpId": "localhost"})
    [credential] = either.credentials()
    identifier = base64.urlsafe_b64encode(base64.b64decode(credential["credentialId"])).decode().rstrip("=")
    assert identifier == made["id"] and credential["rpId"] == "localhost" and credential["isResidentCredential"]
    assert base64.b64decode(credential["userHandle"]) == b"ada"
    assert either.events == [("credentialAdded", {"authenticatorId": either.id, "credential": credential})]

    assert either.page.evaluate(GET, {"rpId": "localhost"})["id"] == made["id"]
    assert either.names() == ["credentialAdded", "credentialAsserted"]
    asserted = either.events[1][1]["credential"]
    assert asserted["credentialId"] == credential["credentialId"] and asserted["signCount"] > credential["signCount"]
    assert either.send("getCredential", credentialId=credential["credentialId"])["credential"] == asserted

    either.send("setUserVerified", isUserVerified=False)
    assert either.page.evaluate(GET, {"rpId": "localhost"}) == {"error": "NotAllowedError"}
    either.send("setUserVerified", isUserVerified=True)

    either.send("removeCredential", credentialId=credential["credentialId"])
    assert either.credentials() == []
    either.send("addCredential", credential={
        "credentialId": base64.b64encode(b"known passkey").decode(), "isResidentCredential": True, "rpId": "localhost",
        "privateKey": KEY, "userHandle": base64.b64encode(b"bob").decode(), "signCount": 1})
    assert base64.urlsafe_b64decode(either.page.evaluate(GET, {"rpId": "localhost"})["id"] + "==") == b"known passkey"
    either.send("clearCredentials")
    assert either.credentials() == []
    either.send("removeVirtualAuthenticator")


def test_signals_are_events(either):
    made = either.page.evaluate(CREATE, {"rpId": "localhost"})
    either.page.evaluate("""PublicKeyCredential.signalCurrentUserDetails(
        {rpId: "localhost", userId: "YWRh", name: "ada.l", displayName: "Ada L"})""")
    either.page.evaluate(
        "id => PublicKeyCredential.signalUnknownCredential({rpId: 'localhost', credentialId: id})", made["id"])
    assert either.credentials() == []
    assert either.names() == ["credentialAdded", "credentialUpdated", "credentialDeleted"]
    assert either.events[1][1]["credential"]["userName"] == "ada.l"
    assert either.events[2][1]["credentialId"] == either.events[0][1]["credential"]["credentialId"]


def test_a_signal_for_another_relying_party_is_refused_and_its_passkeys_stay(browser, pages):
    context = browser.new_context()
    client = Client(context, pages.local)
    made = client.page.evaluate(CREATE, {"rpId": "localhost"})
    before = client.credentials()
    for origin in [pages.foreign, f"http://other.localhost:{pages.port}"]:
        client.page.goto(origin)
        for signal in signals(made["id"]):
            assert client.page.evaluate(SIGNAL, signal) == "SecurityError"
    assert client.credentials() == before and len(before) == 1
    assert client.names() == ["credentialAdded"]
    context.close()


def test_a_request_without_the_user_waits_for_its_end(either):
    either.send("setAutomaticPresenceSimulation", enabled=False)
    either.page.evaluate(f"""() => {{
        globalThis.controller = new AbortController();
        globalThis.asked = ({CREATE})({{rpId: "localhost", signal: controller.signal}});
    }}""")
    either.send("setAutomaticPresenceSimulation", enabled=True)
    assert either.page.evaluate("Promise.race([asked, new Promise((go) => setTimeout(go, 200, 'waiting'))])") == "waiting"
    either.page.evaluate("controller.abort()")
    assert either.page.evaluate("asked")["error"] == "AbortError"
    assert "id" in either.page.evaluate(CREATE, {"rpId": "localhost"})


def test_response_bits_are_overridden(either):
    flags = """async () => {
        const got = await navigator.credentials.get({publicKey: {rpId: "localhost", challenge: new Uint8Array(32)}});
        return new Uint8Array(got.response.authenticatorData)[32];
    }"""
    either.page.evaluate(CREATE, {"rpId": "localhost"})
    assert either.page.evaluate(flags) & 0b101 == 0b101
    either.send("setResponseOverrideBits", isBadUV=True)
    assert either.page.evaluate(flags) & 0b101 == 0b001
    either.send("setResponseOverrideBits")
    assert either.page.evaluate(flags) & 0b101 == 0b101


def test_commands_need_the_domain_and_an_authenticator(either):
    for method, params in [
        ("getCredentials", {"authenticatorId": "none"}), ("noSuchCommand", {}),
        ("addVirtualAuthenticator", {"options": {**OPTIONS, "protocol": "ctap9"}}),
    ]:
        with pytest.raises(Exception, match="WebAuthn"):
            either.cdp.send(f"WebAuthn.{method}", params)
    either.cdp.send("WebAuthn.disable")
    with pytest.raises(Exception, match="enable"):
        either.send("getCredentials")


def test_pages_and_contexts_have_authenticators_of_their_own(browser, pages):
    contexts = [browser.new_context() for _ in range(2)]
    one, other = (Client(context, pages.local) for context in contexts)
    made = [client.page.evaluate(CREATE, {"rpId": "localhost"}) for client in (one, other)]
    assert [len(client.credentials()) for client in (one, other)] == [1, 1]
    assert made[0]["id"] != made[1]["id"]
    # A page without an authenticator gets none of another page.
    alone = contexts[0].new_page()
    alone.goto(pages.local)
    assert alone.evaluate(GET, {"rpId": "localhost"}) == {"error": "NotAllowedError"}
    # The end of the client's session ends its authenticators.
    one.cdp.detach()
    assert one.page.evaluate(GET, {"rpId": "localhost"}) == {"error": "NotAllowedError"}
    assert "id" in other.page.evaluate(GET, {"rpId": "localhost"})
    for context in contexts:
        context.close()


def test_a_profile_takes_the_place_of_the_options(browser, pages):
    context = browser.new_context()
    client = Client(context, pages.local, **{"touchstone:profile": "pixel-fingerprint"})
    assert "id" in client.page.evaluate(CREATE, {"rpId": "localhost"})
    context.close()


def test_a_frame_of_another_site_has_the_pages_authenticator(browser, pages):
    context = browser.new_context()
    client = Client(context, pages.local)
    pages.content["/frame"] = "<button>frame</button>"
    pages.content["/framing"] = (
        f'<iframe src="http://inner.localhost:{pages.port}/frame" '
        'allow="publickey-credentials-create; publickey-credentials-get"></iframe>')
    client.page.goto(f"{pages.local}/framing")
    client.page.frame_locator("iframe").locator("button").click()
    made = client.page.frames[1].evaluate(CREATE, {"rpId": "inner.localhost"})
    assert made["clientData"]["topOrigin"] == pages.local
    assert [entry["rpId"] for entry in client.credentials()] == ["inner.localhost"]
    assert client.names() == ["credentialAdded"]
    context.close()


def test_a_session_of_webdriver_has_both_ways(program, playwright, pages):
    """Selenium's commands to DevTools, and the DevTools that a session names."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in ["--headless=new", "--no-sandbox"]:
        options.add_argument(argument)
    with Remote(options, program=program) as driver:
        driver.get(pages.local)
        driver.execute_cdp_cmd("WebAuthn.enable", {})
        added = driver.execute_cdp_cmd("WebAuthn.addVirtualAuthenticator", {"options": OPTIONS})
        made = driver.execute_script(f"return ({CREATE})({{rpId: 'localhost'}})")
        [credential] = driver.execute_cdp_cmd("WebAuthn.getCredentials", added)["credentials"]
        assert base64.urlsafe_b64decode(made["id"] + "==") == base64.b64decode(credential["credentialId"])
        assert driver.execute_cdp_cmd("Browser.getVersion", {})["product"].startswith(("Chrome", "HeadlessChrome"))

        address = driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        browser = playwright.chromium.connect_over_cdp(f"http://{address}", timeout=1_800_000)
        client = Client(browser.contexts[0], pages.local)
        assert "id" in client.page.evaluate(CREATE, {"rpId": "localhost", "user": "bob"})
        assert len(client.credentials()) == 1
        browser.close()


def test_a_page_gets_no_answer_of_the_endpoint(address, pages, context):
    page = context.new_page()
    page.goto(pages.local)
    assert page.evaluate(
        "(url) => fetch(url + '/json/version').then((r) => r.text()).catch((error) => error.name)", address) == "TypeError"
