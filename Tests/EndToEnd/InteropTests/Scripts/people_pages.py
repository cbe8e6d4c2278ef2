"""Uses the pages for people in Chromium, with its own virtual authenticator, and checks their accessibility with axe.

The first argument is JSON: {"base": URL, "provider": the path and query of a provider's authorization page}.
"""

import json
import shutil
import sys

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

requested = json.loads(sys.argv[1])
BASE = requested["base"]
WCAG = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}
AUTHENTICATOR = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
    "isUserVerified": True, "automaticPresenceSimulation": True,
}
FAILING_REQUEST = """
    PublicKeyCredential.isConditionalMediationAvailable = async () => true;
    navigator.credentials.get = async () => {
        document.documentElement.dataset.asked = "";
        throw new DOMException("", "NotAllowedError");
    };
"""


def check(page, place):
    results = Axe().run(page, options=WCAG)
    found = [(v["id"], [n["html"][:200] for n in v["nodes"]][:3]) for v in results.response["violations"]]
    assert not found, f"{place}: {found}"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{place} scrolls sideways"


def authenticator(page):
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    made = session.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    return session, made["authenticatorId"]


def log_in_at_a_provider(page, place):
    """A login that the user cancels, one that another browser began, and one that opens the account."""
    page.goto(f"{BASE}/sign-in")
    page.get_by_role("button", name="Log in with Vipps").click()
    page.get_by_role("button", name="Cancel").click()
    page.wait_for_url("**/sign-in?problem=cancelled*")
    expect(page.get_by_role("status")).to_have_text("Vipps login was cancelled")

    page.get_by_role("button", name="Log in with BankID").click()
    with page.expect_request("**/sign-in/bankid/callback*") as ended:
        page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/passkeys")
    expect(page.get_by_text("You have no passkeys yet.")).to_be_visible()
    account = page.evaluate("fetch('/api/v1/auth/session').then(answer => answer.json())")["user"]
    assert account["displayName"] == "Kari Nordmann", account
    other = page.context.browser.new_context()
    stranger = other.new_page()
    stranger.goto(ended.value.url)
    expect(stranger.get_by_role("status")).to_contain_text("it began in another browser")
    check(stranger, f"{place}, a foreign login")
    other.close()
    # The answer works once in its own browser, too.
    page.goto(ended.value.url)
    expect(page.get_by_role("status")).to_contain_text("it began in another browser")


def use(page, place, name):
    # The bare address leads to the page; a conditional request that fails shows the user no message.
    other = page.context.new_page()
    other.add_init_script(FAILING_REQUEST)
    other.goto(BASE)
    other.wait_for_url("**/sign-in")
    # A locator waits without eval(), which the page's security policy refuses.
    expect(other.locator("html[data-asked]")).to_be_attached()
    expect(other.locator("#message")).to_be_hidden()
    other.get_by_role("button", name="Sign in with a passkey").click()
    expect(other.get_by_role("status")).to_have_text("No passkey was used. Try again, or use another way.")
    other.close()

    # A page that needs a session asks for the sign-in first.
    page.goto(f"{BASE}/step-up")
    page.wait_for_url("**/sign-in?for=step-up")
    expect(page.get_by_role("status")).to_have_text("Sign in first.")

    session, identifier = authenticator(page)
    page.goto(f"{BASE}/sign-in")
    assert page.get_by_label("User name").first.get_attribute("autocomplete") == "username webauthn"
    expect(page.locator("#password")).to_be_hidden()
    check(page, f"{place}, sign-in")
    page.locator("#new-username").fill(name)
    page.get_by_role("button", name="Create an account").click()

    # A passkey is created, and the list shows it.
    page.wait_for_url("**/passkeys")
    expect(page.get_by_text("You have no passkeys yet.")).to_be_visible()
    page.get_by_role("button", name="Create a passkey").click()
    expect(page.get_by_role("status")).to_have_text("The passkey is created.")
    expect(page.get_by_role("listitem")).to_have_count(1)
    check(page, f"{place}, passkeys")

    # The details appear only after the step-up.
    page.goto(f"{BASE}/step-up")
    expect(page.locator("#details")).to_be_hidden()
    assert name not in page.content()
    check(page, f"{place}, step-up")
    page.get_by_role("button", name="Confirm with a passkey").click()
    expect(page.locator("#details")).to_contain_text(name)
    check(page, f"{place}, details")

    # The conditional request of the user name field signs in without a click.
    page.goto(f"{BASE}/passkeys")
    with page.expect_navigation(url="**/sign-in"):
        page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/passkeys")
    expect(page.get_by_role("listitem")).to_have_count(1)

    # A modal request ends the pending one; an authenticator without an answer leaves the way with a password.
    session.send("WebAuthn.setAutomaticPresenceSimulation", {"authenticatorId": identifier, "enabled": False})
    with page.expect_navigation(url="**/sign-in"):
        page.get_by_role("button", name="Sign out").click()
    session.send("WebAuthn.clearCredentials", {"authenticatorId": identifier})
    session.send("WebAuthn.setAutomaticPresenceSimulation", {"authenticatorId": identifier, "enabled": True})
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("status")).to_have_text("No passkey was used. Try again, or use another way.")
    expect(page.get_by_label("Password")).to_be_visible()
    check(page, f"{place}, after a failure")
    log_in_at_a_provider(page, place)
    if "provider" in requested:
        page.goto(BASE + requested["provider"])
        expect(page.get_by_role("button", name="Log in")).to_be_visible()
        check(page, f"{place}, provider")


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
    sizes = {"phone": {"width": 390, "height": 844}, "desktop": {"width": 1280, "height": 900}}
    for size, viewport in sizes.items():
        for scheme in ["light", "dark"]:
            context = browser.new_context(viewport=viewport, color_scheme=scheme)
            page = context.new_page()
            page.set_default_timeout(1_800_000)
            use(page, f"{size}, {scheme}", f"ada-{size}-{scheme}")
            context.close()
    browser.close()
print("{}")
