"""Sites of django-allauth, with its own pages, and of py_webauthn, used in Chromium with simulated devices."""

import itertools
import re
import subprocess
import sys
import urllib.parse
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

SITES = Path(__file__).resolve().parents[2] / "Tests" / "Suites" / "ForeignPartiesTests" / "Sites"
NUMBERS = itertools.count()
DEVICES = ["iphone-face-id", "pixel-fingerprint", "windows-hello-face", "security-key-bio"]


def served(name):
    site = subprocess.Popen(
        [sys.executable, "-B", str(SITES / f"{name}.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield f"http://localhost:{int(site.stdout.readline())}"
    finally:
        # The end of its standard input ends it.
        site.communicate()


class Allauth:
    """django-allauth's pages."""

    def __init__(self, url, context):
        self.url, self.page = url, context.new_page()
        self.account = f"ada-{next(NUMBERS)}@example.org"

    def fill_sign_up(self):
        self.page.goto(f"{self.url}/accounts/signup/passkey/")
        self.page.locator("#id_email").fill(self.account)
        self.page.get_by_role("button", name="Sign Up").click()
        self.page.wait_for_url("**/confirm-email/")
        mail = httpx.get(f"{self.url}/mail?to={urllib.parse.quote(self.account)}").text
        self.page.locator("#id_code").fill(re.search(r"^([A-Z0-9-]{6,})$", mail, re.M)[1])
        self.page.get_by_role("button", name="Confirm").click()
        self.page.wait_for_url("**/2fa/webauthn/signup/")

    def register(self):
        self.fill_sign_up()
        self.finish_sign_up()

    def finish_sign_up(self):
        self.try_to_register()
        self.page.wait_for_url("**/accounts/2fa/")
        self.page.goto(f"{self.url}/accounts/logout/")
        self.page.get_by_role("button", name="Sign Out").click()
        self.page.wait_for_url(lambda url: "logout" not in url)

    def try_to_register(self):
        """Asks for a passkey on the page that comes after the code."""
        self.page.get_by_role("button", name="Create").click()

    def try_to_sign_in(self):
        self.page.goto(f"{self.url}/accounts/login/")
        self.page.get_by_role("button", name="Sign in with a passkey").click()

    def expect_sign_in(self):
        self.page.wait_for_url("**/accounts/2fa/")

    def refused(self, attempt):
        """An attempt whose error the page writes to its console, as django-allauth does."""
        with self.page.expect_console_message(lambda message: message.type == "error") as message:
            attempt()
        assert "NotAllowedError" in message.value.text, message.value.text


class PyWebAuthn:
    """The page around py_webauthn."""

    def __init__(self, url, context):
        self.url, self.page = url, context.new_page()
        self.account = f"ada-{next(NUMBERS)}"

    def fill_sign_up(self):
        self.page.goto(self.url)
        self.page.locator("#username").fill(self.account)

    def register(self):
        self.fill_sign_up()
        self.finish_sign_up()

    def finish_sign_up(self):
        self.try_to_register()
        expect(self.page.get_by_role("status")).to_have_text("registered")

    def try_to_register(self):
        self.page.get_by_role("button", name="Create a passkey").click()

    def try_to_sign_in(self):
        self.page.goto(self.url)
        self.page.locator("#username").fill(self.account)
        self.page.get_by_role("button", name="Sign in").click()

    def expect_sign_in(self):
        expect(self.page.get_by_role("status")).to_have_text(f"signed in as {self.account}")

    def refused(self, attempt):
        attempt()
        expect(self.page.get_by_role("status")).to_have_text(re.compile("^NotAllowedError: "))


@pytest.fixture(scope="session")
def allauth_url():
    yield from served("django_allauth")


@pytest.fixture(scope="session")
def py_webauthn_url():
    yield from served("py_webauthn")


@pytest.fixture(params=[Allauth, PyWebAuthn])
def open_site(request, context):
    """Opens the site for a new account after the device is attached."""
    url = request.getfixturevalue("allauth_url" if request.param is Allauth else "py_webauthn_url")

    def open_attached(device):
        device.attach(context)
        return request.param(url, context)

    return open_attached


@pytest.mark.parametrize("profile", DEVICES)
def test_a_user_registers_and_signs_in(open_site, passkey_device, profile):
    device = passkey_device(profile)
    site = open_site(device)
    site.register()
    site.try_to_sign_in()
    site.expect_sign_in()
    assert len(device.credentials()) == 1


def test_a_cancelled_prompt_signs_no_user_in_and_the_next_one_does(open_site, passkey_device):
    phone = passkey_device("iphone-face-id")
    site = open_site(phone)
    site.register()
    phone.plan("cancel")
    site.refused(site.try_to_sign_in)
    site.try_to_sign_in()
    site.expect_sign_in()


def test_a_locked_sensor_opens_after_the_lockout(open_site, passkey_device):
    phone = passkey_device("pixel-fingerprint", clock="simulated")
    site = open_site(phone)
    site.register()
    phone.plan("no-match x 5", "cancel")
    site.refused(site.try_to_sign_in)
    assert phone.state()["gate"]["lockout"] == "timed"
    phone.advance("31 s")
    site.try_to_sign_in()
    site.expect_sign_in()


def test_a_device_without_a_user_gets_no_passkey_until_one_is_enrolled(open_site, passkey_device):
    phone = passkey_device("iphone-face-id")
    assert phone.act("unenrol")["done"]
    phone.act("passcode", change="remove")
    site = open_site(phone)
    site.fill_sign_up()
    site.refused(site.try_to_register)
    assert phone.credentials() == []
    assert phone.act("passcode", change="set")["done"]
    assert phone.act("enrol", template="face")["done"]
    site.finish_sign_up()


def test_a_passkey_outlives_a_new_enrolment(open_site, passkey_device):
    phone = passkey_device("pixel-fingerprint")
    site = open_site(phone)
    site.register()
    assert phone.act("unenrol")["done"]
    assert phone.act("enrol", template="another finger")["done"]
    site.try_to_sign_in()
    site.expect_sign_in()


def test_a_synced_passkey_arrives_late(open_site, passkey_device, touchstone_control, context):
    phone = passkey_device("iphone-face-id", "phone", clock="simulated")
    computer = passkey_device("macbook-touch-id", "computer", clock="simulated")
    account = f"account-{next(NUMBERS)}"
    touchstone_control.open_account(account, [phone, computer], delay="20 s")
    site = open_site(phone)
    site.register()
    others = context.browser.new_context()
    others.set_default_timeout(1_800_000)
    computer.attach(others)
    elsewhere = type(site)(site.url, others)
    elsewhere.account = site.account
    elsewhere.refused(elsewhere.try_to_sign_in)
    phone.advance("21 s")
    computer.advance("21 s")
    elsewhere.try_to_sign_in()
    elsewhere.expect_sign_in()
    touchstone_control.close_account(account)
