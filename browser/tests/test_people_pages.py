"""The pages of `touchstone serve`, unmodified, with simulated phones."""

import itertools

import pytest
from playwright.sync_api import expect

from touchstone_bench import CeremonyError

NUMBERS = itertools.count()
REFUSED = "No passkey was used. Try again, or use another way."


def registered(site, context, device):
    """A page of a new user, who has created a passkey with the device."""
    attachment = device.attach(context)
    page = context.new_page()
    page.goto(f"{site}/sign-in")
    page.locator("#new-username").fill(f"ada-{next(NUMBERS)}")
    page.get_by_role("button", name="Create an account").click()
    page.wait_for_url("**/passkeys")
    page.get_by_role("button", name="Create a passkey").click()
    expect(page.get_by_role("status")).to_have_text("The passkey is created.")
    assert attachment.errors == []
    return page, attachment


def sign_out(page):
    with page.expect_navigation(url="**/sign-in"):
        page.get_by_role("button", name="Sign out").click()


@pytest.mark.parametrize("profile", ["iphone-face-id", "pixel-fingerprint", "windows-hello-face"])
def test_a_user_registers_and_signs_in(site, context, passkey_device, profile):
    device = passkey_device(profile)
    page, _ = registered(site, context, device)
    expect(page.get_by_role("listitem")).to_have_count(1)
    sign_out(page)
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url("**/passkeys")
    expect(page.get_by_role("listitem")).to_have_count(1)
    assert len(device.credentials()) == 1


def test_the_user_picks_the_suggestion_of_the_field(site, context, passkey_device):
    page, attachment = registered(site, context, passkey_device("iphone-face-id"))
    sign_out(page)
    attachment.pick()
    page.wait_for_url("**/passkeys")


def test_a_refused_suggestion_leaves_the_request_waiting(site, context, passkey_device):
    phone = passkey_device("iphone-face-id")
    page, attachment = registered(site, context, phone)
    sign_out(page)
    phone.plan("cancel")
    with pytest.raises(CeremonyError):
        attachment.pick()
    expect(page.get_by_role("status")).to_be_hidden()
    attachment.pick()
    page.wait_for_url("**/passkeys")


@pytest.mark.parametrize("profile", ["iphone-face-id", "pixel-fingerprint"])
def test_a_cancelled_prompt_leaves_the_way_with_a_password(site, context, passkey_device, profile):
    phone = passkey_device(profile)
    page, _ = registered(site, context, phone)
    sign_out(page)
    phone.plan("cancel")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("status")).to_have_text(REFUSED)
    expect(page.get_by_label("Password")).to_be_visible()


def test_the_end_of_the_suggestions_leaves_the_message_of_a_newer_request(site, context, passkey_device):
    phone = passkey_device("iphone-face-id")
    page, _ = registered(site, context, phone)
    # The browser answers the page's question after the user's request has ended.
    context.add_init_script(
        "PublicKeyCredential.isConditionalMediationAvailable = () => new Promise((resolve) => { self.answer = resolve; })")
    sign_out(page)
    phone.plan("cancel")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("status")).to_have_text(REFUSED)
    page.evaluate("self.answer(true)")
    page.evaluate("fetch('/pages/app.js').then(() => null)")
    expect(page.get_by_role("status")).to_have_text(REFUSED)


def test_a_locked_sensor_opens_after_the_lockout(site, context, passkey_device):
    phone = passkey_device("pixel-fingerprint", clock="simulated")
    page, _ = registered(site, context, phone)
    sign_out(page)
    phone.plan("no-match x 5", "cancel")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("status")).to_have_text(REFUSED)
    assert phone.state()["gate"]["lockout"] == "timed"
    phone.advance("31 s")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url("**/passkeys")


def test_a_device_without_biometrics_and_passcode_creates_nothing(site, context, passkey_device):
    phone = passkey_device("iphone-face-id")
    assert phone.act("unenrol")["done"]
    phone.act("passcode", change="remove")
    phone.attach(context)
    page = context.new_page()
    page.goto(f"{site}/sign-in")
    assert page.evaluate("PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable()") is False
    page.locator("#new-username").fill(f"ada-{next(NUMBERS)}")
    page.get_by_role("button", name="Create an account").click()
    page.wait_for_url("**/passkeys")
    page.get_by_role("button", name="Create a passkey").click()
    expect(page.get_by_role("status")).to_have_text(REFUSED)
    assert phone.credentials() == []


def test_a_second_passkey_of_the_same_device_is_refused(site, context, passkey_device):
    page, _ = registered(site, context, passkey_device("iphone-face-id"))
    page.get_by_role("button", name="Create a passkey").click()
    expect(page.get_by_role("status")).to_have_text("This device already has a passkey for your account.")


def test_two_contexts_have_devices_of_their_own(site, context, passkey_device):
    other = context.browser.new_context()
    other.set_default_timeout(1_800_000)
    phones = [passkey_device("iphone-face-id"), passkey_device("pixel-fingerprint")]
    pages = [registered(site, each, phone)[0] for each, phone in zip([context, other], phones)]
    for page in pages:
        sign_out(page)
    phones[0].plan("cancel")
    for page in pages:
        page.get_by_role("button", name="Sign in with a passkey").click()
    expect(pages[0].get_by_role("status")).to_have_text(REFUSED)
    pages[1].wait_for_url("**/passkeys")
