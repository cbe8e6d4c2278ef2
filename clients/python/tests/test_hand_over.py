"""Hand-overs: a user registers once, and other tests, workers and programs start with the passkeys."""

import asyncio
import json
import os
import re
import stat
import subprocess
import sys
import textwrap
import warnings
from datetime import timedelta
from pathlib import Path

import pytest
from options import ORIGIN, creation, registered, request, signed_in

from touchstone_bench import AsyncControl, CeremonyError, Control, HandOver, HandOverError, RequestError, TouchstoneWarning

CLIENT = Path(__file__).resolve().parent.parent
SUITE = """
    import pytest
    from playwright.sync_api import expect

    SITE = "{site}"
    # A busy machine is slow; the session around this one has the limit.
    PATIENCE = 1_800_000
    expect.set_options(timeout=PATIENCE)

    @pytest.fixture(scope="session")
    def browser_type_launch_args(browser_type_launch_args):
        return {{**browser_type_launch_args, "executable_path": "/usr/bin/chromium", "args": ["--no-sandbox"]}}

    def register(phone, context):
        context.set_default_timeout(PATIENCE)
        with open("{log}", "a") as log:
            print("registered", file=log)
        page = context.new_page()
        page.goto(f"{{SITE}}/sign-in")
        page.locator("#new-username").fill("ada")
        page.get_by_role("button", name="Create an account").click()
        page.wait_for_url("**/passkeys")
        page.get_by_role("button", name="Create a passkey").click()
        expect(page.get_by_role("status")).to_have_text("The passkey is created.")

    @pytest.fixture(scope="session")
    def ada(passkey_hand_over, browser):
        return passkey_hand_over("ada", "iphone-face-id", register, browser.new_context)

    @pytest.mark.parametrize("turn", range(3))
    def test_is_signed_in(ada, browser, turn):
        context = browser.new_context(storage_state=ada.storage_state)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto(f"{{SITE}}/passkeys")
        expect(page.get_by_role("listitem")).to_have_count(1)
        context.close()

    @pytest.mark.parametrize("turn", range(3))
    def test_signs_in(ada, passkey_device, context, turn):
        context.set_default_timeout(PATIENCE)
        passkey_device(ada).attach(context)
        page = context.new_page()
        page.goto(f"{{SITE}}/sign-in")
        page.get_by_role("button", name="Sign in with a passkey").click()
        page.wait_for_url("**/passkeys")
        expect(page.get_by_role("listitem")).to_have_count(1)
"""


@pytest.fixture
def program(touchstone_control):
    return os.path.abspath(touchstone_control.process._process.args[0])


@pytest.fixture
def site(program):
    serving = subprocess.Popen([program, "serve", "--port", "0"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    try:
        for line in serving.stderr:
            if found := re.search(r"http://\S+:\d+", line):
                yield f"http://localhost:{found[0].rsplit(':', 1)[1]}"
                break
        else:
            pytest.fail("touchstone serve did not start")
    finally:
        serving.terminate()
        serving.communicate()


@pytest.fixture
def made(passkey_device):
    phone = passkey_device("iphone-face-id")
    options = creation()
    registration = registered(options, phone.create(options, ORIGIN))
    return phone.hand_over(), registration


def test_a_device_in_another_program_signs_in_with_the_passkey(made, program, tmp_path):
    hand_over, registration = made
    file = tmp_path / "kept" / "ada.json"
    hand_over.write(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    read = HandOver.read(file, max_age=timedelta(minutes=5))
    assert read == hand_over and read.storage_state is None
    with Control.start(program) as control, control.start_device(read) as phone, control.start_device(read) as second:
        assert (phone.name, second.name) == ("iphone-face-id", "iphone-face-id-2")
        assert [credential["userName"] for credential in phone.credentials()] == ["ada"]
        for device in (phone, second):
            options = request()
            signed_in(options, device.get(options, ORIGIN), registration)
        phone.delete_credentials()
        assert len(second.credentials()) == 1


def test_the_state_has_the_pin_the_lockout_and_the_faces(passkey_device):
    key = passkey_device("security-key-pin")
    key.set_pin("1234")
    with pytest.raises(CeremonyError):
        key.create(creation(), ORIGIN, pins=["0000"])
    copy = passkey_device(key.hand_over())
    state = copy.state()["status"]
    assert state["profile"] == "security-key-pin" and state["isPINSet"] and state["pinRetries"] == 7
    assert copy.create(creation(), ORIGIN, pins=["1234"])["type"] == "public-key"


def test_a_profile_of_the_test_itself_travels_with_the_state(passkey_device):
    own = {"yaml": "extends: iphone-face-id\nname: own-phone\ntitle: Own phone\n"}
    phone = passkey_device(own)
    phone.create(creation(), ORIGIN)
    copy = passkey_device(phone.hand_over())
    assert copy.state()["status"]["profile"] == "own-phone" and len(copy.credentials()) == 1


def test_the_asynchronous_client_does_the_same(made, touchstone_control):
    hand_over, registration = made

    async def use():
        async with AsyncControl(touchstone_control.url, touchstone_control.token) as control:
            async with await control.start_device(hand_over) as phone:
                again = await phone.hand_over()
                async with await control.start_device(again) as copy:
                    options = request()
                    signed_in(options, await copy.get(options, ORIGIN), registration)

    asyncio.run(use())


def test_passkeys_that_count_are_warned_of(passkey_device):
    key = passkey_device("solo-2")
    key.set_pin("1234")
    key.create(creation(), ORIGIN, pins=["1234"])
    key.get(request(), ORIGIN, pins=["1234"])
    with pytest.warns(TouchstoneWarning, match="Passkeys of solo-2 count signatures: ada"):
        key.hand_over()
    phone = passkey_device("iphone-face-id")
    phone.create(creation(), ORIGIN)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        phone.hand_over()


COOKIE = {"name": "session", "value": "x", "domain": "localhost", "path": "/", "httpOnly": True, "secure": False, "sameSite": "Lax"}
# A change of the file, and the error.
DAMAGES = {
    "cut": (lambda text: text[: len(text) // 2], "is damaged: .* Delete it and register again."),
    "empty": (lambda text: "", "is damaged"),
    "another file": (lambda text: json.dumps({"cookies": [], "origins": []}), "is not a hand-over of Touchstone"),
    "a list": (lambda text: "[]", "is not a hand-over of Touchstone"),
    "later version": (lambda text: text.replace('"version": 1', '"version": 2'), "has the version 2, and this package reads version 1"),
    "no state": (lambda text: text.replace('"state"', '"other"'), "is damaged: state is missing or of another type"),
    "changed state": (lambda text: re.sub(r'("state": ".{200}).', r"\1_", text), "is damaged: the device's state has changed"),
    "expired": (lambda text: edited(text, storageState={"cookies": [{**COOKIE, "expires": 1000}], "origins": []}), "is stale: its cookies have expired"),
    "old": (lambda text: edited(text, createdAt=1000), "old, and at most 1:00:00 is allowed. Register again."),
}


def edited(text, **changes):
    return json.dumps({**json.loads(text), **changes})


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_or_stale_file_is_an_error(made, tmp_path, name):
    change, message = DAMAGES[name]
    file = tmp_path / "ada.json"
    made[0].write(file)
    file.write_text(change(file.read_text()))
    with pytest.raises(HandOverError, match=message) as failure:
        HandOver.read(file, max_age=timedelta(hours=1))
    assert str(file) in str(failure.value)


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(HandOverError, match="ada.json was not found. Run the test that writes it first."):
        HandOver.read(tmp_path / "ada.json")


def test_a_cookie_of_a_session_does_not_expire(made, tmp_path):
    file = tmp_path / "ada.json"
    made[0].write(file)
    file.write_text(edited(file.read_text(), storageState={"cookies": [{**COOKIE, "expires": -1}, {**COOKIE, "expires": 1000}]}))
    assert len(HandOver.read(file).storage_state["cookies"]) == 2


def test_a_state_that_the_program_cannot_read_is_refused(touchstone_control):
    for state, message in [("AAAA", "The file is not a device's state"), ("not base64!", "must be base64url without padding")]:
        with pytest.raises(RequestError, match=message):
            touchstone_control.start_device({"state": state})
    assert touchstone_control.devices() == []


def test_workers_share_one_registration_in_chromium(site, program, tmp_path):
    log = tmp_path / "log"
    (tmp_path / "test_ada.py").write_text(textwrap.dedent(SUITE).format(site=site, log=log))
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", "-p", "touchstone_bench.pytest_plugin",
         f"--touchstone={program}", f"--basetemp={tmp_path / 'base'}", "test_ada.py"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(CLIENT / "src")}, capture_output=True, text=True, timeout=1800)
    assert "6 passed" in ended.stdout, ended.stdout + ended.stderr
    assert log.read_text() == "registered\n"


def test_a_registration_that_fails_leaves_no_file(passkey_hand_over):
    def fail(phone):
        raise RuntimeError("the page did not load")

    with pytest.raises(RuntimeError, match="the page did not load"):
        passkey_hand_over("broken", "iphone-face-id", fail)
    made = passkey_hand_over("broken", "iphone-face-id", lambda phone: phone.create(creation(), ORIGIN))
    assert passkey_hand_over("broken", "iphone-face-id", fail) == made
    with pytest.raises(ValueError, match="is not the name of a hand-over"):
        passkey_hand_over("../broken", "iphone-face-id", fail)
