"""Uses the device panel in Chromium, as a tester does while a page waits, and checks its accessibility with axe."""

import json
import re
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor

import requests
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

requested = json.loads(sys.argv[1])
WCAG = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}
CHALLENGE = "AAECAwQFBgcICQoLDA0ODw"
threads = ThreadPoolExecutor(4)
# A busy computer draws late.
expect.set_options(timeout=1_800_000)


def call(method, path, body=None):
    answer = requests.request(
        method, f"{requested['server']}/v1{path}", json=body, timeout=600,
        headers={"Authorization": f"Bearer {requested['token']}"})
    assert answer.ok, answer.text
    return answer.json() if answer.content else None


def post(path, body=None):
    return call("POST", path, body)


def ceremony(device, kind):
    """Starts a ceremony, which waits for the user of the panel."""
    options = {"challenge": CHALLENGE, "rpId": "example.org", "userVerification": "required"}
    if kind == "create":
        options = {
            "challenge": CHALLENGE, "rp": {"id": "example.org", "name": "Example"},
            "user": {"id": "AQID", "name": "<b>ada</b>", "displayName": "<img src=x onerror='window.injected = 1'>"},
            "pubKeyCredParams": [{"type": "public-key", "alg": -7}],
            "authenticatorSelection": {"userVerification": "required"},
        }
    return threads.submit(
        post, f"/devices/{device}/ceremonies/{kind}", {"origin": "https://example.org", "options": options})


def check_axe(page, place):
    results = Axe().run(page, options=WCAG)
    found = [(v["id"], [n["html"][:200] for n in v["nodes"]][:3]) for v in results.response["violations"]]
    assert not found, f"{place}: {found}"


def take_picture(page, name):
    if requested["pictures"]:
        page.screenshot(path=f"{requested['pictures']}/{name}.png", full_page=True)


def drawn(page, text):
    expect(page.locator("#drawing")).to_contain_text(text)


def act(page, name):
    """A button among the acts of the user or the device."""
    return page.locator("#user, #hardware").get_by_role("button", name=name, exact=True)


def is_disabled(page, name, reason):
    expect(act(page, name)).to_have_attribute("aria-disabled", "true")
    expect(act(page, name)).to_have_attribute("title", reason)


def check_place_of_acts(page):
    """The acts are under the prompt, where they need no scrolling, at the page's width and in a window beside a page."""
    own = page.viewport_size
    for width, height in [(own["width"], own["height"]), (460, 900)]:
        page.set_viewport_size({"width": width, "height": height})
        sheet = page.locator("#drawing .sheet").bounding_box()
        boxes = [button.bounding_box() for button in page.locator("#user button").all()]
        assert all(box["y"] >= sheet["y"] + sheet["height"] for box in boxes), (width, sheet, boxes)
        assert all(box["y"] + box["height"] <= height for box in boxes), (width, boxes)
    page.set_viewport_size(own)


def use(page, place, phone, key):
    problem = page.get_by_role("alert")
    page.goto(requested["server"] + post("/panel/links")["path"])
    expect(page.locator("html[data-ready]")).to_have_count(1)
    assert "#" not in page.url, "the secret leaves the address"
    page.get_by_role("navigation", name="Devices").get_by_role("button", name=phone).click()
    expect(page.get_by_role("heading", name=phone)).to_be_visible()
    expect(page.locator("#told")).to_have_text("No prompt is open. An act waits for the next one.")
    expect(page).to_have_title("Touchstone devices")

    # A page's request waits; the mouse says that the face does not match, twice; the passcode follows.
    waiting = ceremony(phone, "create")
    sheet = page.get_by_role("group", name="Prompt on the device")
    for text in ["Create a passkey?", "example.org", "<b>ada</b>", "Face ID"]:
        expect(sheet).to_contain_text(text)
    expect(page.get_by_role("navigation").get_by_text("Face", exact=True)).to_be_visible()
    expect(page).to_have_title(f"● Face for example.org – {phone}")
    check_place_of_acts(page)
    is_disabled(page, "Passcode", "The prompt asks for something else: Face.")
    is_disabled(page, "Other way", "The prompt does not offer another way now.")
    is_disabled(page, "Unlock screen", "The screen is not locked.")
    act(page, "Passcode").click(force=True)
    expect(problem).to_have_text("Passcode: The prompt asks for something else: Face.")
    check_axe(page, f"{place}, waiting")
    take_picture(page, f"{place}-waiting")
    act(page, "Does not match").click()
    expect(page.locator("#problem")).to_have_text("")
    expect(page.locator("#events")).to_contain_text("shows a face that does not match")
    # The sheet has the platform's words; the log has the device's.
    expect(sheet).to_contain_text("Face Not Recognized")
    expect(sheet).not_to_contain_text("does not match")
    expect(page.locator("#sensors")).to_contain_text("1 failed in a row")
    act(page, "Does not match").click()
    drawn(page, "Enter your iPhone passcode")
    expect(page).to_have_title(f"● Passcode for example.org – {phone}")
    is_disabled(page, "Match", "The prompt asks for something else: Passcode.")
    act(page, "Wrong passcode").click()
    drawn(page, "Wrong passcode. Try again.")
    page.locator("body").press("p")
    assert waiting.result(30)["credential"]["id"]
    expect(page).to_have_title("Touchstone devices")
    drawn(page, "Passkey saved")
    expect(page.locator("#outcome .result.good")).to_have_text(re.compile(r"example\.org · create\(\) · success · \d+\sms"))
    # A success is green, a failure is red.
    verified = page.locator("#events > li", has_text="→ verified").last
    expect(verified).to_have_class("success")
    expect(verified.locator(".errors")).to_contain_text("OK")
    expect(page.locator("#events > li", has_text="does not match").first).to_have_class("refusal")
    colours = page.evaluate("""() => ["success", "refusal"].map(name =>
        getComputedStyle(document.querySelector(`#events .${name}`)).borderLeftColor.match(/\\d+/g).map(Number))""")
    assert colours[0][1] > colours[0][0] and colours[1][0] > colours[1][1], colours
    credentials = page.locator("#credentials")
    expect(credentials).to_contain_text("<img src=x")
    assert page.evaluate("window.injected") is None, "text of a page became markup"

    # A page's conditional request is answered with a click.
    suggestions = page.locator("#suggestions")
    expect(suggestions).to_be_hidden()
    wanted = {"origin": "https://example.org", "options": {"rpId": "example.org", "challenge": "AAECAw"}}
    waiting = threads.submit(post, f"/devices/{phone}/browser-requests", wanted)
    expect(page.locator("#news")).to_contain_text("https://example.org waits for the user to pick a passkey")
    check_axe(page, f"{place}, suggestion")
    take_picture(page, f"{place}-suggestion")
    suggestions.get_by_role("button", name="Pick the passkey of <b>ada</b> at example.org").click()
    assert waiting.result(30)["credentialId"] == call("GET", f"/devices/{phone}/credentials")[0]["credentialId"]
    expect(suggestions).to_be_hidden()

    # The keyboard does the same until the sensor is locked.
    for _ in range(2):
        waiting = ceremony(phone, "get")
        drawn(page, "Sign in")
        page.locator("body").press("n")
        drawn(page, "Face Not Recognized")
        page.locator("body").press("n")
        drawn(page, "Enter your iPhone passcode")
        page.locator("body").press("c")
        assert waiting.result(30)["error"]["name"] == "NotAllowedError"
        drawn(page, "Not completed")
    expect(page.locator("#outcome .result.bad")).to_have_text(re.compile(r"example\.org · get\(\) · NotAllowedError · \d+\sms"))
    expect(page.locator("#outcome")).to_contain_text("clientPIN.builtInUV.userCancelled")
    waiting = ceremony(phone, "get")
    drawn(page, "Sign in")
    page.locator("body").press("n")
    drawn(page, "Face ID is locked. Enter the passcode to enable it.")
    expect(page.locator("#sensors")).to_contain_text("locked until the passcode")
    expect(page.locator("#state")).to_contain_text("locked until the passcode")
    expect(page.locator("#events")).to_contain_text("lockout: permanent")
    expect(page.locator("#news")).to_contain_text("locked until the passcode")
    check_axe(page, f"{place}, locked")
    take_picture(page, f"{place}-locked")
    # The sheet's own button ends the prompt, by the keyboard.
    sheet.get_by_role("button", name="Cancel", exact=True).focus()
    page.keyboard.press("Enter")
    assert waiting.result(30)["error"]["name"] == "NotAllowedError"

    # Errors of the platform stand beside the event; the ceremony is decoded.
    expect(page.get_by_role("list", name="Platform errors").first).to_be_visible()
    ceremonies = page.locator("#ceremonies")
    expect(ceremonies).to_contain_text("NotAllowedError")
    made = ceremonies.locator("details", has_text="create")
    made.locator("summary").click()
    expect(made.get_by_label("Client data")).to_contain_text('"type": "webauthn.create"')
    expect(made.get_by_label("Attestation object")).to_contain_text("fmt: none")

    # The log is filtered by kind and by text.
    all_lines = len(call("GET", f"/devices/{phone}/events")["events"])
    expect(page.locator("#events > li")).to_have_count(all_lines)
    page.get_by_label("Kind of event").select_option("failures")
    expect(page.locator("#events .success")).to_have_count(0)
    assert 0 < page.locator("#events > li").count() < all_lines
    expect(page.locator("#log-count")).to_contain_text(f" of {all_lines} events")
    page.get_by_label("Filter", exact=True).fill("CTAP 0x27")
    expect(page.locator("#events > li").first).to_contain_text("OPERATION_DENIED")
    page.get_by_label("Filter", exact=True).fill("no such text")
    expect(page.locator("#events > li")).to_have_count(0)
    page.get_by_label("Filter", exact=True).fill("")
    page.get_by_label("Kind of event").select_option("")
    expect(page.locator("#events > li")).to_have_count(all_lines)

    # The screen, the clock and further acts.
    act(page, "Lock screen").click()
    drawn(page, "Locked")
    is_disabled(page, "Lock screen", "The screen is locked.")
    page.locator("body").press("u")
    drawn(page, "Not completed")
    expect(page.locator("#state")).to_contain_text("not locked")
    before = call("GET", f"/devices/{phone}/clock")["now"]
    page.get_by_label("Time", exact=True).fill("5 min")
    page.get_by_role("button", name="Advance").click()
    expect(page.locator("#news")).to_contain_text("The clock is advanced")
    assert call("GET", f"/devices/{phone}/clock")["now"] == before + 300
    page.get_by_label("Enrol a finger or face named").fill("beard")
    page.get_by_label("Enrol a finger or face named").press("Enter")
    expect(page.locator("#sensors")).to_contain_text("beard")
    page.get_by_text("More acts on the device").click()
    page.get_by_label("Act", exact=True).select_option("airplane-mode")
    page.get_by_label("state", exact=True).select_option("on")
    page.get_by_role("button", name="Perform").click()
    drawn(page, "Airplane mode")
    check_axe(page, f"{place}, acts")

    # An act without a prompt is kept; a wrong one is explained; letters in a field are letters.
    other = page.get_by_label("Another act")
    other.fill("cancel x 2")
    other.press("Enter")
    expect(page.locator("#told")).to_contain_text("Kept for the next prompts: cancel, cancel")
    other.fill("mmm")
    other.press("Enter")
    expect(problem).to_contain_text("expected an act")
    other.press("n")
    expect(page.locator("#told")).to_contain_text("Kept for the next prompts: cancel, cancel.")
    page.get_by_label("Single keys perform acts").uncheck()
    page.locator("h1").click()
    page.locator("body").press("n")
    act(page, "Bad capture").click()
    expect(page.locator("#told")).to_contain_text("Kept for the next prompts: cancel, cancel, bad-capture.")
    page.get_by_label("Single keys perform acts").check()
    page.get_by_role("button", name="Withdraw").click()
    expect(page.locator("#told")).to_have_text("No prompt is open. An act waits for the next one.")
    expect(page.get_by_role("button", name="Withdraw")).to_have_count(0)
    expect(act(page, "Match")).to_be_focused()

    # The credential goes, the panel survives a reload, and a security key has its own picture.
    credentials.get_by_role("button", name="Delete the credential").click()
    expect(credentials).to_contain_text("The device holds no credential.")
    page.reload()
    expect(page.locator("html[data-ready]")).to_have_count(1)
    page.get_by_role("navigation").get_by_role("button", name=key).press("Enter")
    expect(page.locator("#sensors")).to_contain_text("Fingerprint sensor")
    expect(act(page, "Lock screen")).to_be_hidden()
    waiting = ceremony(key, "create")
    drawn(page, "Set up your security key")
    take_picture(page, f"{place}-key")
    check_axe(page, f"{place}, key")
    page.locator("body").press("m")
    assert waiting.result(30)["credential"]["id"]

    # The reference app on the phone: installed, logged in, and opened with the face.
    page.get_by_role("navigation").get_by_role("button", name=phone).click()
    post(f"/devices/{phone}/acts", {"verb": "airplane-mode", "arguments": {"state": "off"}})
    app = page.locator("#app")
    expect(app).to_be_hidden()
    page.locator("#app-offer summary").click()
    page.get_by_role("button", name="Install").click()
    drawn(page, "Provider selection")
    app.get_by_role("button", name="Log in with e-mail and password").click()
    app.get_by_label("E-mail").fill("kari@example.org")
    app.get_by_label("Password").fill("wrong password")
    app.get_by_role("button", name="Log in", exact=True).click()
    drawn(page, "is not right")
    check_axe(page, f"{place}, app")
    app.get_by_role("button", name="Back").click()
    app.get_by_role("button", name="Log in with BankID").click()
    app.get_by_role("button", name="Approve").click()
    drawn(page, "Enrolment prompt")
    app.get_by_role("button", name="Skip").click()
    drawn(page, "Peer mentor home")
    take_picture(page, f"{place}-app")
    app.get_by_role("button", name="Remove the app").click()
    expect(app).to_be_hidden()
    expect(page.get_by_role("button", name="Install")).to_be_visible()

    # A device is started and switched off here.
    page.get_by_text("Start a device").click()
    page.get_by_label("Profile", exact=True).select_option("windows-hello-face")
    page.get_by_label("Name, if not the profile's").fill("started")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_role("heading", name="started")).to_be_visible()
    take_picture(page, f"{place}-computer")
    page.get_by_role("button", name="Switch off").click()
    expect(page.get_by_role("navigation").get_by_role("button", name="started")).to_have_count(0)


def refuse(context):
    """An address without its secret, with a wrong one, or with a used one shows no device."""
    used = post("/panel/links")["path"]
    page = context.new_page()
    page.goto(requested["server"] + used)
    expect(page.locator("html[data-ready]")).to_have_count(1)
    for path in ["/panel", "/panel#wrong", used]:
        other = context.new_page()
        other.goto(requested["server"] + path)
        expect(other.get_by_role("alert")).to_have_text(re.compile("^The panel needs an address that was not used before"))
        expect(other.locator("#layout")).to_be_hidden()
        other.close()
    page.close()


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(
        executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
    for place in requested["places"]:
        scheme, width = place.split("-")[0], int(place.split("-")[1])
        phone, key = f"phone-{place}", f"key-{place}"
        for profile, name in [("iphone-face-id", phone), ("security-key-bio", key)]:
            post("/devices", {"profile": profile, "name": name, "person": "ask", "clock": "simulated", "seed": 7})
        context = browser.new_context(
            color_scheme=scheme, viewport={"width": width, "height": 844}, reduced_motion="reduce")
        context.set_default_timeout(1_800_000)
        page = context.new_page()
        errors = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on(
            "console",
            lambda message: message.type == "error" and errors.append(f"{message.text} {message.location['url']}"))
        use(page, place, phone, key)
        # The browser reports the refusal of the wrong act, and readings of a device or an app that was removed meanwhile.
        wrong = [error for error in errors if "400 (Bad Request)" in error]
        late = [
            error for error in errors
            if "404 (Not Found)" in error and "/devices/started" in error or "409 (Conflict)" in error and error.endswith("/app")
        ]
        assert len(wrong) == 1 and len(errors) == len(wrong) + len(late), errors
        width_needed = page.evaluate("document.documentElement.scrollWidth")
        assert width_needed <= width, f"{place}: the page is {width_needed} px wide"
        context.close()
        for name in [phone, key]:
            call("DELETE", f"/devices/{name}")
    context = browser.new_context()
    refuse(context)
    context.close()
    browser.close()
threads.shutdown()
print("{}")
