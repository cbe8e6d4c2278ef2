"""The results of pages with the extension, in both modes."""

import itertools

import extension
import pytest
from playwright.sync_api import expect
from test_page_script import CREATE, GET, frame
from test_people_pages import REFUSED, sign_out

NUMBERS = itertools.count()
ALL = ("page-script", "proxy")


@pytest.fixture
def start(playwright, tmp_path, touchstone_control, passkey_device):
    """Starts Chromium with the extension for a device: `start(profile, mode)` gives a page."""
    running = []

    def start(profile="iphone-face-id", mode="page-script", settings={}, **of_device):
        phone = passkey_device(profile, **of_device)
        folder = tmp_path / f"extension-{len(running)}"
        channel = extension.write(folder, touchstone_control, phone, mode, **settings)
        chromium = extension.chromium(playwright, folder)
        context = chromium.__enter__()
        running.append(chromium)
        context.phone, context.channel = phone, channel
        page = context.new_page()
        return page

    yield start
    for chromium in reversed(running):
        chromium.__exit__(None, None, None)


def register(page, site):
    page.goto(f"{site}/sign-in")
    page.locator("#new-username").fill(f"bea-{next(NUMBERS)}")
    page.get_by_role("button", name="Create an account").click()
    page.wait_for_url("**/passkeys")
    page.get_by_role("button", name="Create a passkey").click()
    expect(page.get_by_role("status")).to_have_text("The passkey is created.")


def begin(page, request, **options):
    """Starts a request without waiting for it; `ended` is its promise."""
    page.evaluate(f"(options) => {{ globalThis.ended = ({request})(options); }}", {"rpId": "localhost", **options})


def wait_for(phone, since, text):
    """Waits for an event of the device."""
    for event in phone.event_stream(since=since):
        if text in event["event"]["text"]:
            return


def last(phone):
    return phone.events()["lastId"]


CANCELLED = "KEEPALIVE_CANCEL"


@pytest.mark.parametrize("mode", ALL)
@pytest.mark.parametrize("trouble", ["", "refused", "foreign"])
def test_requests_go_on_one_websocket_or_over_http_where_none_can_be_opened(start, pages, mode, trouble):
    page = start("pixel-fingerprint", mode)
    worker = page.context.service_workers[0]
    worker.evaluate("""(trouble) => {
        globalThis.addresses = [];
        const native = fetch;
        globalThis.fetch = (address, ...rest) => {
            addresses.push(new URL(address).pathname);
            return native(address, ...rest);
        };
        const NativeSocket = WebSocket;
        if (trouble === "refused") globalThis.WebSocket = class { constructor() { throw new Error("refused"); } };
        // Another program has the port: its greeting is not the server's.
        if (trouble === "foreign") globalThis.WebSocket = class extends NativeSocket {
            set onmessage(act) { super.onmessage = ({ data }) => act({ data: `${data}x` }); }
        };
    }""", trouble)
    page.goto(pages.local)
    made = page.evaluate(CREATE, {"rpId": "localhost"})
    assert page.evaluate(GET, {"rpId": "localhost"})["id"] == made["id"]
    paths = worker.evaluate("addresses")
    assert paths.count("/v1/sockets") == 1
    assert any("/page-requests" in path for path in paths) == bool(trouble)


def test_a_page_with_large_or_many_requests_does_not_disturb_another(start, pages):
    page = start("pixel-fingerprint", person="ask")
    page.goto(pages.local)
    begin(page, CREATE)
    wait_for(page.context.phone, 0, "prompt")
    other = page.context.new_page()
    other.goto(pages.foreign)
    # A message of this size would end the WebSocket.
    large = other.evaluate(
        "(size) => navigator.credentials.get({publicKey: {challenge: new Uint8Array(size)}}).catch((error) => error.name)", 1 << 21)
    assert large == "NotAllowedError"
    # The server refuses some of so many.
    other.evaluate("() => Promise.allSettled(Array.from({length: 300}, () => PublicKeyCredential.getClientCapabilities()))")
    page.context.phone.plan("match")
    assert "id" in page.evaluate("ended")


@pytest.mark.parametrize("mode", ALL)
@pytest.mark.parametrize("profile", ["iphone-face-id", "security-key-bio"])
def test_a_user_registers_and_signs_in(start, site, profile, mode):
    page = start(profile, mode)
    register(page, site)
    sign_out(page)
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url("**/passkeys")
    assert len(page.context.phone.credentials()) == 1


@pytest.mark.parametrize("mode", ALL)
def test_a_locked_sensor_opens_after_the_lockout(start, site, mode):
    page = start("pixel-fingerprint", mode, clock="simulated")
    phone = page.context.phone
    register(page, site)
    sign_out(page)
    phone.plan("no-match x 5", "cancel")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("status")).to_have_text(REFUSED)
    assert phone.state()["gate"]["lockout"] == "timed"
    phone.advance("31 s")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url("**/passkeys")


@pytest.mark.parametrize("mode", ALL)
def test_an_abort_ends_the_prompt(start, pages, mode):
    page = start(mode=mode, person="ask")
    phone = page.context.phone
    page.goto(pages.local)
    page.evaluate("globalThis.controller = new AbortController()")
    since = last(phone)
    page.evaluate(f"""() => {{ globalThis.ended = ({CREATE})({{rpId: "localhost", signal: controller.signal}}); }}""")
    wait_for(phone, since, "prompt for")
    page.evaluate("controller.abort()")
    assert page.evaluate("ended")["error"] == "AbortError"
    wait_for(phone, since, CANCELLED)
    phone.plan("match")
    assert "id" in page.evaluate(CREATE, {"rpId": "localhost"})


@pytest.mark.parametrize("mode", ALL)
@pytest.mark.parametrize("way", ["navigation", "closed tab"])
def test_leaving_the_page_ends_its_request(start, pages, mode, way):
    page = start(mode=mode, person="ask")
    phone, context = page.context.phone, page.context
    page.goto(pages.local)
    since = last(phone)
    begin(page, CREATE)
    wait_for(phone, since, "prompt for")
    if way == "navigation":
        pages.content["/next"] = "<title>Next</title>"
        page.goto(f"{pages.local}/next")
    else:
        page.close()
        page = context.new_page()
        page.goto(pages.local)
    wait_for(phone, since, CANCELLED)
    phone.plan("match")
    assert "id" in page.evaluate(CREATE, {"rpId": "localhost"})


@pytest.mark.parametrize("mode", ALL)
def test_a_request_times_out_on_the_devices_clock(start, pages, mode):
    page = start(mode=mode, person="ask", clock="simulated")
    phone = page.context.phone
    page.goto(pages.local)
    since = last(phone)
    begin(page, CREATE, extra={"timeout": 200_000})
    wait_for(phone, since, "prompt for")
    phone.advance("201 s")
    assert page.evaluate("ended")["error"] == "NotAllowedError"


@pytest.mark.parametrize("mode", ALL)
def test_several_tabs_have_requests_of_their_own(start, pages, mode):
    page = start(mode=mode)
    page.goto(pages.local)
    made = page.evaluate(CREATE, {"rpId": "localhost"})
    other = page.context.new_page()
    other.goto(pages.local)
    assert other.evaluate(GET, {"rpId": "localhost"})["id"] == made["id"]
    page.context.phone.plan("cancel")
    assert other.evaluate(GET, {"rpId": "localhost"}) == {"error": "NotAllowedError"}
    page.bring_to_front()
    assert page.evaluate(GET, {"rpId": "localhost"})["id"] == made["id"]


@pytest.mark.parametrize("mode", ALL)
def test_a_frame_needs_permission_and_names_the_page_around_it(start, pages, mode):
    page = start(mode=mode)
    phone = page.context.phone
    inner = frame(page, pages)
    inner.locator("button").click()
    before = last(phone)
    for request in (CREATE, GET):
        assert inner.evaluate(request, {"rpId": "inner.localhost"})["error"] == "NotAllowedError"
    # The device was not asked.
    assert last(phone) == before

    inner = frame(page, pages, allow="publickey-credentials-create; publickey-credentials-get")
    inner.locator("button").click()
    made = inner.evaluate(CREATE, {"rpId": "inner.localhost"})
    assert made["clientData"]["origin"] == f"http://inner.localhost:{pages.port}"
    assert (made["clientData"]["crossOrigin"], made["clientData"]["topOrigin"]) == (True, pages.local)
    assert inner.evaluate(GET, {"rpId": "inner.localhost"})["id"] == made["id"]


# The page script only.


def test_documents_without_an_address_have_the_origin_around_them(start, pages):
    page = start()
    pages.content["/around"] = '<iframe srcdoc="<button>inner</button>"></iframe>'
    page.goto(f"{pages.local}/around")
    expect(page.frame_locator("iframe").locator("button")).to_be_visible()
    made = page.frames[1].evaluate(CREATE, {"rpId": "localhost"})
    assert made["clientData"]["origin"] == pages.local
    with page.expect_popup() as opened:
        page.evaluate("() => { globalThis.popup = open('about:blank'); }")
    assert opened.value.evaluate(GET, {"rpId": "localhost"})["id"] == made["id"]


def test_the_user_picks_a_suggestion(start, site):
    page = start()
    register(page, site)
    sign_out(page)
    worker = page.context.service_workers[0]
    page.context.phone.plan("cancel")
    pick = "() => touchstonePick().then(() => 'picked', (error) => error.name)"
    # The page makes its conditional request when it has loaded.
    page.wait_for_load_state("networkidle")
    assert worker.evaluate(pick) == "NotAllowedError"
    expect(page.get_by_role("status")).to_be_hidden()
    assert worker.evaluate(pick) == "picked"
    page.wait_for_url("**/passkeys")


def test_a_suggestion_is_picked_at_once(start, site):
    page = start(settings={"autofill": True})
    register(page, site)
    with page.expect_navigation(url="**/sign-in"):
        page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/passkeys")


def test_an_aborted_suggestion_is_no_obstacle(start, pages):
    page = start()
    page.goto(pages.local)
    made = page.evaluate(CREATE, {"rpId": "localhost"})
    page.evaluate("globalThis.controller = new AbortController()")
    page.evaluate("""() => { globalThis.ended = navigator.credentials.get({mediation: "conditional", signal: controller.signal,
        publicKey: {rpId: "localhost", challenge: new Uint8Array(16)}}).catch((error) => error.name); }""")
    assert page.evaluate(GET, {"rpId": "localhost"}) == {"error": "OperationError"}
    page.evaluate("controller.abort()")
    assert page.evaluate("ended") == "AbortError"
    assert page.evaluate(GET, {"rpId": "localhost"})["id"] == made["id"]


def test_signals_reach_the_device_for_the_pages_own_passkeys(start, pages):
    page = start()
    page.goto(pages.local)
    made = page.evaluate(CREATE, {"rpId": "localhost"})
    signal = """(id) => PublicKeyCredential.signalUnknownCredential({rpId: "localhost", credentialId: id})
        .catch((error) => error.name)"""
    page.goto(pages.foreign)
    assert page.evaluate(signal, made["id"]) == "SecurityError"
    assert len(page.context.phone.credentials()) == 1
    page.goto(pages.local)
    page.evaluate(signal, made["id"])
    assert page.context.phone.credentials() == []


# The proxy only.


def test_the_proxy_tells_its_limits_and_refuses_suggestions(start, pages):
    page = start(mode="proxy")
    page.goto(pages.local)
    assert page.evaluate("PublicKeyCredential.isConditionalMediationAvailable()") is False
    assert page.evaluate(GET, {"rpId": "localhost", "mediation": "conditional"}) == {"error": "NotAllowedError"}
    assert page.evaluate("PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable()") is True


def test_the_proxy_refuses_an_origin_that_no_tab_has(start, pages):
    page = start(mode="proxy")
    page.goto(pages.local)
    [worker] = page.context.service_workers
    # The browser's own request, as the worker gets it, with an origin of choice.
    ask = """async (origin) => {
        const proxy = chrome.webAuthenticationProxy;
        const complete = proxy.completeCreateRequest;
        try {
            return await new Promise((resolve) => {
                proxy.completeCreateRequest = async (answer) => resolve(answer);
                const details = {
                    rp: {id: "localhost", name: "Test"}, user: {id: "YWRh", name: "ada", displayName: "Ada"},
                    challenge: "AAECAwQFBgcICQoLDA0ODw", pubKeyCredParams: [{type: "public-key", alg: -7}],
                    extensions: {remoteDesktopClientOverride: {origin, sameOriginWithAncestors: true}}};
                proxy.onCreateRequest.dispatch({requestId: 77, requestDetailsJson: JSON.stringify(details)});
            });
        } finally {
            proxy.completeCreateRequest = complete;
        }
    }"""
    before = last(page.context.phone)
    for origin in ["http://localhost:1", "https://localhost", pages.foreign]:
        refused = worker.evaluate(ask, origin)
        assert refused["error"]["name"] == "NotAllowedError" and "responseJson" not in refused
    # The device was not asked.
    assert last(page.context.phone) == before
    assert "responseJson" in worker.evaluate(ask, pages.local)


def listed(phone, count):
    """The waiting requests, as soon as there are so many."""
    while len(waiting := phone.browser_requests()) != count:
        pass
    return waiting


def test_a_suggestion_is_picked_in_the_panel(start, pages):
    page = start("pixel-fingerprint")
    phone = page.context.phone
    page.goto(pages.local)
    made = [page.evaluate(CREATE, {"rpId": "localhost", "user": user})["id"] for user in ("ada", "bea")]
    begin(page, GET, mediation="conditional")
    for refusal in ("cancel", None):
        if refusal:
            phone.plan(refusal)
        request = listed(phone, 1)[0]
        assert [passkey["credentialId"] for passkey in request["passkeys"]] == made
        phone.pick_passkey(request["number"], made[0])
    assert page.evaluate("ended")["id"] == made[0]
    assert phone.browser_requests() == []


def test_a_conditional_request_that_a_page_may_not_make_has_its_error(start, pages):
    page = start("pixel-fingerprint")
    page.goto(pages.local)
    assert page.evaluate(GET, {"rpId": "example.org", "mediation": "conditional"})["error"] == "SecurityError"


def test_requests_beyond_sixteen_follow_in_the_panel(start, pages):
    page = start("pixel-fingerprint")
    others = [page] + [page.context.new_page() for _ in range(17)]
    for other in others:
        other.goto(pages.local)
        begin(other, GET, mediation="conditional")
    listed(page.context.phone, 16)
    for other in others[:6]:
        other.close()
    listed(page.context.phone, 12)


def test_a_page_that_is_shown_again_has_its_device(start, pages):
    page = start("pixel-fingerprint")
    page.goto(pages.local)
    made = page.evaluate(CREATE, {"rpId": "localhost"})
    page.evaluate("addEventListener('pageshow', ({ persisted }) => { globalThis.persisted = persisted; })")
    begin(page, GET, mediation="conditional")
    listed(page.context.phone, 1)
    page.goto(pages.foreign)
    listed(page.context.phone, 0)
    page.go_back(wait_until="commit")
    assert page.evaluate("globalThis.persisted") is True
    assert page.evaluate(GET, {"rpId": "localhost"})["id"] == made["id"]
