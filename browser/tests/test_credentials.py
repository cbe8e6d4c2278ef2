"""The stand-in for Playwright's `context.credentials`, with the same script as Playwright's own."""

import pytest
from test_page_script import CREATE, GET

from touchstone_bench import RequestError, TouchstoneError


@pytest.fixture(params=["playwright", "touchstone"])
def credentials(request, context):
    if request.param == "playwright":
        return context.credentials
    return request.getfixturevalue("touchstone_control").credentials(context)


def test_a_seeded_passkey_signs_in_and_a_registered_one_is_seeded_again(credentials, context, pages):
    seeded = credentials.create("localhost")
    credentials.install()
    page = context.new_page()
    page.goto(pages.local)
    assert page.evaluate(GET, {"rpId": "localhost"})["id"] == seeded["id"]
    assert [entry["id"] for entry in credentials.get(rp_id="localhost")] == [seeded["id"]]
    credentials.delete(seeded["id"])
    assert credentials.get() == []

    made = page.evaluate(CREATE, {"rpId": "localhost"})
    [registered] = credentials.get(id=made["id"])
    assert set(registered) == set(seeded) and registered["userHandle"] == "YWRh"
    credentials.delete(made["id"])
    credentials.create(
        "localhost", id=registered["id"], user_handle=registered["userHandle"], private_key=registered["privateKey"],
        public_key=registered["publicKey"], sign_count=registered["signCount"])
    assert page.evaluate(GET, {"rpId": "localhost"})["id"] == made["id"]


CONDITIONAL = f"""() => Promise.race([({GET})({{rpId: "localhost", mediation: "conditional"}}),
    new Promise((resolve) => setTimeout(resolve, 10_000, "no answer"))])"""


def test_a_conditional_request_is_answered_at_once(credentials, context, pages):
    credentials.install()
    page = context.new_page()
    page.goto(pages.local)
    assert page.evaluate(CONDITIONAL) == {"error": "NotAllowedError"}
    seeded = credentials.create("localhost")
    assert page.evaluate(CONDITIONAL)["id"] == seeded["id"]
    credentials.create("example.org")
    credentials.delete(seeded["id"])
    assert page.evaluate(CONDITIONAL) == {"error": "NotAllowedError"}


def test_the_device_of_the_stand_in_can_fail(touchstone_control, context, pages):
    credentials = touchstone_control.credentials(context, "pixel-fingerprint")
    credentials.install()
    credentials.create("localhost")
    page = context.new_page()
    page.goto(pages.local)
    credentials.device.plan("cancel")
    assert page.evaluate(GET, {"rpId": "localhost"}) == {"error": "NotAllowedError"}
    assert "id" in page.evaluate(GET, {"rpId": "localhost"})


def test_wrong_keys_are_refused(touchstone_control, context):
    credentials = touchstone_control.credentials(context)
    one, other = credentials.create("localhost"), credentials.create("example.org")
    with pytest.raises(TouchstoneError, match="does not belong"):
        credentials.create("localhost", private_key=one["privateKey"], public_key=other["publicKey"])
    with pytest.raises(TouchstoneError, match="PKCS #8"):
        credentials.create("localhost", private_key="AAAA")
    with pytest.raises(RequestError, match="rpId"):
        credentials.create("")
