"""WebKitGTK, which has no WebAuthn of its own: the scripts define its classes."""

import itertools
import json

import display as displays
import pytest
import webkit
from test_page_script import CREATE, GET
from test_people_pages import REFUSED

from touchstone_bench import CeremonyError

NUMBERS = itertools.count()


@pytest.fixture(scope="module")
def display():
    with displays.started() as display:
        yield display


@pytest.fixture
def start(display, touchstone_control, passkey_device):
    """Starts WebKitGTK for a device: `start(profile)` gives the browser."""
    running = []

    def start(profile="iphone-face-id", **of_device):
        phone = passkey_device(profile, **of_device)
        started = webkit.started(display, touchstone_control, phone)
        browser = started.__enter__()
        running.append(started)
        browser.phone = phone
        return browser

    yield start
    for started in reversed(running):
        started.__exit__(None, None, None)


def ask(browser, request, **options):
    return browser.evaluate(f"({request})({json.dumps({'rpId': 'localhost', **options})})")


def click(browser, name):
    browser.wait(f"""(() => {{
        const button = [...document.querySelectorAll("button")].find((entry) => entry.innerText === {json.dumps(name)});
        button?.click();
        return button !== undefined;
    }})()""")


def says(browser, text):
    browser.wait(f"document.querySelector('[role=status]')?.innerText === {json.dumps(text)}")


def is_at(browser, path):
    browser.wait(f"location.pathname === '{path}' && document.readyState === 'complete'")


def register(browser, site):
    browser.open(f"{site}/sign-in")
    browser.wait(f"document.getElementById('new-username').value = 'cleo-{next(NUMBERS)}'")
    click(browser, "Create an account")
    is_at(browser, "/passkeys")
    click(browser, "Create a passkey")
    says(browser, "The passkey is created.")


def sign_out(browser):
    click(browser, "Sign out")
    is_at(browser, "/sign-in")


def test_a_user_registers_and_signs_in(start, site):
    browser = start()
    register(browser, site)
    sign_out(browser)
    browser.phone.plan("cancel")
    click(browser, "Sign in with a passkey")
    says(browser, REFUSED)
    click(browser, "Sign in with a passkey")
    is_at(browser, "/passkeys")
    assert len(browser.phone.credentials()) == 1 and browser.carrier.errors == []


def test_the_user_picks_the_suggestion_of_the_field(start, site):
    browser = start()
    register(browser, site)
    sign_out(browser)
    browser.phone.plan("cancel")
    with pytest.raises(CeremonyError):
        browser.carrier.start_pick().result()
    browser.carrier.start_pick().result()
    is_at(browser, "/passkeys")


def test_a_locked_sensor_opens_after_the_lockout(start, pages):
    browser = start("pixel-fingerprint", clock="simulated")
    browser.open(pages.local)
    made = ask(browser, CREATE)
    browser.phone.plan("no-match x 5", "cancel")
    assert ask(browser, GET) == {"error": "NotAllowedError"}
    assert browser.phone.state()["gate"]["lockout"] == "timed"
    browser.phone.advance("31 s")
    assert ask(browser, GET)["id"] == made["id"]


def test_the_classes_are_those_of_the_specification(start, pages):
    browser = start()
    browser.open(pages.local)
    assert ask(browser, CREATE)["clientData"]["origin"] == pages.local
    assert browser.evaluate("""(() => ({
        classes: [made instanceof PublicKeyCredential, made instanceof Credential,
            made.response instanceof AuthenticatorAttestationResponse, made.response instanceof AuthenticatorResponse],
        type: made.type, tag: String(made), own: Object.getOwnPropertyNames(made),
        transports: made.response.getTransports(), key: made.response.getPublicKey().byteLength,
        json: made.toJSON().id === made.id, container: String(navigator.credentials),
    }))()""") == {
        "classes": [True] * 4, "type": "public-key", "tag": "[object PublicKeyCredential]", "own": [],
        "transports": ["hybrid", "internal"], "key": 91, "json": True, "container": "[object CredentialsContainer]"}
    assert browser.evaluate("""Promise.all([
        async () => new PublicKeyCredential(), async () => PublicKeyCredential.prototype.rawId,
        async () => PublicKeyCredential.parseRequestOptionsFromJSON({challenge: "a+"}),
        async () => PublicKeyCredential.parseRequestOptionsFromJSON({}),
        () => navigator.credentials.create({password: {id: "ada", password: "secret"}}),
    ].map((attempt) => attempt().catch((error) => error.name)))""") == [
        "TypeError", "TypeError", "EncodingError", "TypeError", "NotSupportedError"]
    assert browser.evaluate("""(async () => {
        const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
            {challenge: "AAECAwQFBgcICQoLDA0ODw", rpId: "localhost", allowCredentials: [{type: "public-key", id: made.id}]});
        return (await navigator.credentials.get({publicKey})).id === made.id;
    })()""") is True
    assert browser.evaluate("PublicKeyCredential.getClientCapabilities()")["userVerifyingPlatformAuthenticator"] is True


def test_leaving_the_page_ends_its_request(start, pages):
    pages.content["/next"] = "<title>Next</title>"
    browser = start(person="ask")
    browser.open(pages.local)
    browser.phone.plan("match")
    made = ask(browser, CREATE)
    since = browser.phone.events()["lastId"]
    browser.evaluate(f"(() => {{ ({GET})({{rpId: 'localhost'}}); }})()")
    stream = (event["event"]["text"] for event in browser.phone.event_stream(since=since))
    next(text for text in stream if text.startswith("prompt for"))
    browser.open(f"{pages.local}/next")
    next(text for text in stream if "KEEPALIVE_CANCEL" in text)
    browser.phone.plan("match")
    assert ask(browser, GET)["id"] == made["id"]


def test_a_page_of_another_origin_and_a_frame_get_nothing(start, pages):
    browser = start()
    browser.open(pages.local)
    ask(browser, CREATE)
    pages.content["/framing"] = "<iframe src='/'></iframe>"
    browser.open(f"{pages.local}/framing")
    assert browser.evaluate("typeof frames[0].PublicKeyCredential") == "undefined"
    browser.open(pages.foreign)
    assert ask(browser, GET)["error"] == "SecurityError"
    assert browser.evaluate("Object.getOwnPropertyNames(globalThis).filter((name) => name.includes('touchstone'))") == []
