"""The results of a page and its frames with the page script."""

import pytest
from playwright.sync_api import expect

from touchstone_bench import TouchstoneError, TouchstoneWarning

CREATE = """async ({rpId, user = "ada", mediation, signal, extra = {}}) => {
    const bytes = (text) => new TextEncoder().encode(text);
    const publicKey = {
        rp: {name: "Test", id: rpId}, user: {id: bytes(user), name: user, displayName: user},
        challenge: crypto.getRandomValues(new Uint8Array(32)), pubKeyCredParams: [{type: "public-key", alg: -7}],
        authenticatorSelection: {residentKey: "required", userVerification: "required"}, ...extra};
    try {
        const made = await navigator.credentials.create({publicKey, mediation, signal});
        globalThis.made = made;
        return {id: made.id, clientData: JSON.parse(new TextDecoder().decode(made.response.clientDataJSON))};
    } catch (error) {
        return {error: error.name, isNative: error instanceof DOMException || error instanceof TypeError};
    }
}"""
GET = """async ({rpId, mediation, timeout, allow}) => {
    const publicKey = {rpId, timeout, challenge: crypto.getRandomValues(new Uint8Array(32)), userVerification: "required"};
    if (allow) publicKey.allowCredentials = [{type: "public-key", id: made.rawId}];
    try {
        const got = await navigator.credentials.get({publicKey, mediation});
        globalThis.got = got;
        return {id: got.id, clientData: JSON.parse(new TextDecoder().decode(got.response.clientDataJSON))};
    } catch (error) {
        return {error: error.name};
    }
}"""


@pytest.fixture
def page(context, pages, passkey_device):
    phone = passkey_device("iphone-face-id")
    context.phone, context.attachment = phone, phone.attach(context)
    page = context.new_page()
    page.goto(pages.local)
    return page


def test_credentials_are_objects_of_the_browsers_classes(page):
    made = page.evaluate(CREATE, {"rpId": "localhost"})
    assert made["clientData"]["origin"] == page.evaluate("origin")
    assert page.evaluate("""() => ({
        classes: [made instanceof PublicKeyCredential, made instanceof Credential,
            made.response instanceof AuthenticatorAttestationResponse, made.rawId instanceof ArrayBuffer],
        type: made.type, attachment: made.authenticatorAttachment, transports: made.response.getTransports(),
        algorithm: made.response.getPublicKeyAlgorithm(), tag: String(made),
        json: made.toJSON(), own: Object.getOwnPropertyNames(made), results: made.getClientExtensionResults(),
        data: made.response.getAuthenticatorData().byteLength, key: made.response.getPublicKey().byteLength,
    })""") | {"json": None} == {
        "classes": [True] * 4, "type": "public-key", "attachment": "platform", "transports": ["hybrid", "internal"],
        "algorithm": -7, "tag": "[object PublicKeyCredential]", "json": None, "own": [], "results": {}, "data": 164,
        "key": 91,
    }
    json = page.evaluate("made.toJSON()")
    assert json["id"] == made["id"] and set(json["response"]) >= {"clientDataJSON", "attestationObject", "transports"}

    assert page.evaluate(GET, {"rpId": "localhost", "allow": True})["id"] == made["id"]
    assert page.evaluate("""() => [got.response instanceof AuthenticatorAssertionResponse,
        got.response.signature.byteLength > 60, new TextDecoder().decode(got.response.userHandle)]""") == [True, True, "ada"]


def test_options_from_json_and_extensions_pass(page):
    assert page.evaluate("""async () => {
        const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON({
            rp: {name: "Test", id: "localhost"}, user: {id: "AQID", name: "ada", displayName: "Ada"},
            challenge: "AAECAwQFBgcICQoLDA0ODw", pubKeyCredParams: [{type: "public-key", alg: -7}],
            extensions: {credProps: true, prf: {}}, authenticatorSelection: {residentKey: "required"}});
        const made = await navigator.credentials.create({publicKey});
        return made.getClientExtensionResults().credProps;
    }""") == {"rk": True}


@pytest.mark.parametrize(
    "options, error",
    [
        ({"rpId": "example.org"}, "SecurityError"),
        ({"rpId": "localhost", "extra": {"challenge": "text"}}, "TypeError"),
        ({"rpId": "localhost", "extra": {"pubKeyCredParams": None}}, "TypeError"),
        ({"rpId": "localhost", "extra": {"pubKeyCredParams": [{"type": "public-key", "alg": -999}]}}, "NotAllowedError"),
        ({"rpId": "localhost", "mediation": "conditional"}, "NotAllowedError"),
        ({"rpId": "localhost", "mediation": "soon"}, "TypeError"),
    ])
def test_wrong_requests_are_refused_with_the_browsers_errors(page, options, error):
    assert page.evaluate(CREATE, options) == {"error": error, "isNative": True}
    assert page.context.phone.credentials() == []


def test_capabilities_follow_the_device(page):
    assert page.evaluate("PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable()") is True
    assert page.evaluate("PublicKeyCredential.isConditionalMediationAvailable()") is True
    capabilities = page.evaluate("PublicKeyCredential.getClientCapabilities()")
    assert capabilities["conditionalGet"] and capabilities["hybridTransport"] and not capabilities["relatedOrigins"]


def test_an_abort_ends_the_prompt(page):
    page.evaluate("globalThis.controller = new AbortController()")
    phone = page.context.phone
    phone.plan("no-answer")
    page.evaluate(f"""() => {{ globalThis.ended = ({CREATE})({{rpId: "localhost", signal: controller.signal}}); }}""")
    while not any(event["event"]["text"].startswith("prompt for") for event in phone.events()["events"]):
        # Lets Playwright receive the page's request.
        page.wait_for_timeout(10)
    page.evaluate("controller.abort()")
    assert page.evaluate("ended") == {"error": "AbortError", "isNative": True}
    assert page.evaluate(f"""() => ({CREATE})({{rpId: "localhost", signal: AbortSignal.abort()}})""")["error"] == "AbortError"
    assert page.evaluate(GET, {"rpId": "localhost"})["error"] == "NotAllowedError"


def test_a_second_request_is_refused_while_one_is_pending(page):
    page.evaluate(f"""() => {{ globalThis.first = ({GET})({{rpId: "localhost", mediation: "conditional"}}); }}""")
    assert page.evaluate(GET, {"rpId": "localhost"}) == {"error": "OperationError"}


def test_leaving_the_page_ends_its_request(page, pages):
    pages.content["/next"] = "<title>Next</title>"
    page.evaluate(CREATE, {"rpId": "localhost"})
    page.evaluate(f"""() => {{ ({GET})({{rpId: "localhost", mediation: "conditional"}}); }}""")
    page.goto(f"{pages.local}/next")
    # The request of the left document has ended, and does not disturb this one.
    assert "id" in page.evaluate(GET, {"rpId": "localhost"})
    assert page.context.phone.browser_requests() == []


def test_signals_reach_the_device(page):
    made = page.evaluate(CREATE, {"rpId": "localhost"})
    page.evaluate("""PublicKeyCredential.signalCurrentUserDetails(
        {rpId: "localhost", userId: "YWRh", name: "ada.l", displayName: "Ada L"})""")
    assert [entry["userName"] for entry in page.context.phone.credentials()] == ["ada.l"]
    page.evaluate("""id => PublicKeyCredential.signalAllAcceptedCredentials(
        {rpId: "localhost", userId: "YWRh", allAcceptedCredentialIds: [id]})""", made["id"])
    assert len(page.context.phone.credentials()) == 1
    page.evaluate("""id => PublicKeyCredential.signalUnknownCredential({rpId: "localhost", credentialId: id})""", made["id"])
    assert page.context.phone.credentials() == []
    assert page.evaluate("""PublicKeyCredential.signalUnknownCredential({rpId: "localhost", credentialId: "a+"})
        .catch((error) => error.name)""") == "TypeError"


def test_a_page_that_has_loaded_is_reported(context, pages, passkey_device):
    page = context.new_page()
    page.goto(pages.local)
    with pytest.warns(TouchstoneWarning, match=f"{pages.local}/ loaded before"):
        attachment = passkey_device("iphone-face-id").attach(context)
    assert [str(error).partition(" loaded")[0] for error in attachment.errors] == [f"The page {pages.local}/"]
    page.reload()
    assert "id" in page.evaluate(CREATE, {"rpId": "localhost"})


@pytest.mark.parametrize(
    "is_locked, extra, reason",
    [
        (True, {"pubKeyCredParams": [{"type": "public-key", "alg": -65535}]}, "makeCredential.noSupportedAlgorithm"),
        (False, {}, "makeCredential.noDeviceCredential"),
    ])
def test_a_missing_capability_is_a_refusal_whose_reason_is_in_the_console(context, pages, passkey_device, is_locked, extra, reason):
    device = passkey_device("iphone-face-id")
    if not is_locked:
        device.act("unenrol")
        device.act("passcode", change="remove")
    device.attach(context)
    page = context.new_page()
    page.goto(pages.local)
    page.evaluate("""() => { globalThis.seen = []; console.warn = (...words) => seen.push(words.join()); }""")
    with page.expect_console_message(lambda message: message.type == "warning" and "Touchstone" in message.text) as message:
        assert page.evaluate(CREATE, {"rpId": "localhost", "extra": extra})["error"] == "NotAllowedError"
    assert device.name in message.value.text and reason in message.value.text
    assert page.evaluate("seen") == []


def test_a_context_has_one_device_until_it_is_detached(context, pages, passkey_device):
    first, second = passkey_device("iphone-face-id", "first"), passkey_device("pixel-fingerprint", "second")
    attachment = first.attach(context)
    page = context.new_page()
    with pytest.raises(TypeError, match=r"attach takes a context; use page\.context\."):
        second.attach(page)
    with pytest.raises(TypeError, match=r"attach takes a context of playwright\.sync_api, found builtins\.str"):
        second.attach("context")
    with pytest.raises(TouchstoneError, match="first answers the requests of this context.* Detach first first"):
        second.attach(context)
    attachment.detach()
    page.close()
    second.attach(context)
    page = context.new_page()
    page.goto(pages.local)
    assert "id" in page.evaluate(CREATE, {"rpId": "localhost"})
    assert (len(first.credentials()), len(second.credentials())) == (0, 1)


def test_the_request_survives_a_rewritten_document(page):
    page.set_content("<p>written</p>")
    assert "id" in page.evaluate(CREATE, {"rpId": "localhost"})


def test_passwords_and_other_credentials_remain_the_browsers(page):
    assert page.evaluate("""async () => {
        const made = await navigator.credentials.create({password: {id: "ada", password: "secret"}});
        return [made instanceof PasswordCredential, made.id, made.type];
    }""") == [True, "ada", "password"]
    assert page.evaluate("navigator.credentials.create({}).catch((error) => error.name)") == "NotSupportedError"


# Frames.


def frame(page, pages, **attributes):
    """Loads a page with a frame of another origin."""
    # Before a gesture of the user; an evaluation of Playwright counts as one.
    early = f"<script>({CREATE})({{rpId: 'inner.localhost'}}).then((made) => fetch('/early-' + made.error))</script>"
    pages.content["/frame"] = f"<button>frame</button>{early}"
    written = " ".join(f'{name}="{value}"' for name, value in attributes.items())
    pages.content["/framing"] = f'<iframe src="http://inner.localhost:{pages.port}/frame" {written}></iframe>'
    with page.expect_request("**/early-*") as request:
        page.goto(f"{pages.local}/framing")
    assert request.value.url.endswith("/early-NotAllowedError")
    expect(page.frame_locator("iframe").locator("button")).to_be_visible()
    return page.frames[1]


def test_a_frame_without_permission_gets_nothing(page, pages):
    inner = frame(page, pages)
    inner.locator("button").click()
    before = page.context.phone.events()["lastId"]
    for request in (CREATE, GET):
        assert inner.evaluate(request, {"rpId": "inner.localhost"})["error"] == "NotAllowedError"
    # The device was not asked.
    assert page.context.phone.events()["lastId"] == before


def test_a_frame_with_permission_names_the_page_around_it(page, pages):
    inner = frame(page, pages, allow="publickey-credentials-create; publickey-credentials-get")
    inner.locator("button").click()
    made = inner.evaluate(CREATE, {"rpId": "inner.localhost"})
    assert made["clientData"]["origin"] == f"http://inner.localhost:{pages.port}"
    assert made["clientData"]["crossOrigin"] is True
    assert made["clientData"]["topOrigin"] == pages.local
    assert inner.evaluate(GET, {"rpId": "inner.localhost"})["id"] == made["id"]


def test_a_frame_with_an_opaque_origin_gets_nothing(page, pages):
    inner = frame(page, pages, sandbox="allow-scripts", allow="publickey-credentials-get *")
    assert inner.evaluate("self.origin") == "null"
    assert inner.evaluate(GET, {"rpId": "inner.localhost"})["error"] == "NotAllowedError"


def test_a_header_forbids_requests_in_the_page_itself(page, pages):
    pages.content["/closed"] = "<title>Closed</title>"
    pages.headers["/closed"] = {"Permissions-Policy": "publickey-credentials-get=()"}
    page.goto(f"{pages.local}/closed")
    assert page.evaluate(GET, {"rpId": "localhost"})["error"] == "NotAllowedError"


def test_a_popup_is_attached_before_it_asks(page, pages):
    page.evaluate(CREATE, {"rpId": "localhost"})
    pages.content["/popup"] = f"<script>globalThis.done = ({GET})({{rpId: 'localhost'}});</script>"
    with page.expect_popup() as opened:
        page.evaluate("open('/popup')")
    assert "id" in opened.value.evaluate("done")


# A page of a foreign origin.


def test_a_foreign_page_gets_no_answer_and_no_secrets(page, pages, touchstone_control):
    page.evaluate(CREATE, {"rpId": "localhost"})
    page.goto(pages.foreign)
    assert page.evaluate(GET, {"rpId": "localhost"})["error"] == "SecurityError"
    seen = page.evaluate("""() => [Object.getOwnPropertyNames(globalThis).join(),
        ...Object.values(Object.getOwnPropertyDescriptors(CredentialsContainer.prototype)).map((d) => String(d.value)),
        document.documentElement.outerHTML].join()""")
    for secret in (touchstone_control.token, touchstone_control.url, page.context.phone.name, "touchstone"):
        assert secret not in seen
    blocked = page.evaluate("""async (url) => {
        const results = [];
        for (const mode of ["cors", "no-cors"]) {
            const answer = await fetch(url + "/v1/devices", {mode}).catch((error) => error.name);
            results.push(typeof answer === "string" ? answer : answer.type);
        }
        return results;
    }""", touchstone_control.url)
    assert set(blocked) <= {"TypeError", "opaque"}
