"""A passkey that a page has made without a prompt, after a sign-in with a password (WebAuthn L3 §5.1.3)."""

import pytest
from test_page_script import GET

CREATE = """async ({verification = "preferred", exclude = []}) => {
    const publicKey = {
        rp: {name: "Test", id: "localhost"}, user: {id: new Uint8Array([1]), name: "ada", displayName: "Ada"},
        challenge: new Uint8Array(32), pubKeyCredParams: [{type: "public-key", alg: -7}],
        authenticatorSelection: {residentKey: "required", userVerification: verification},
        excludeCredentials: exclude.length > 0 ? [{type: "public-key", id: made.rawId}] : []};
    try {
        globalThis.made = await navigator.credentials.create({publicKey, mediation: "conditional"});
        return {id: made.id, flags: new Uint8Array(made.response.getAuthenticatorData())[32]};
    } catch (error) {
        return {error: error.name};
    }
}"""
CAPABLE = "async () => (await PublicKeyCredential.getClientCapabilities()).conditionalCreate"
UP, UV = 0b001, 0b100


def prompts(phone):
    return [event for event in phone.events()["events"] if event["event"]["text"].startswith("prompt for")]


def test_a_password_becomes_a_passkey_without_a_prompt(way, pages):
    page = way()
    assert page.evaluate(CAPABLE) is True
    # The user has not signed in, or at another site only.
    assert page.evaluate(CREATE, {}) == {"error": "NotAllowedError"}
    page.phone.sign_in_with_password(pages.foreign)
    assert page.evaluate(CREATE, {}) == {"error": "NotAllowedError"}

    page.phone.sign_in_with_password(pages.local)
    made = page.evaluate(CREATE, {})
    assert made["flags"] & (UP | UV) == 0 and prompts(page.phone) == []
    assert page.evaluate(GET, {"rpId": "localhost"})["id"] == made["id"]
    assert page.evaluate(CREATE, {"exclude": [made["id"]]}) == {"error": "InvalidStateError"}
    # User verification cannot be collected without a prompt.
    assert page.evaluate(CREATE, {"verification": "required"}) == {"error": "ConstraintError"}
    assert len(page.phone.credentials()) == 1


@pytest.mark.parametrize("profile", ["iphone-face-id-older", "windows-hello-face", "security-key-bio"])
def test_a_device_without_it_refuses(context, pages, passkey_device, profile):
    phone = passkey_device(profile)
    phone.attach(context)
    page = context.new_page()
    page.goto(pages.local)
    phone.sign_in_with_password(pages.local)
    assert page.evaluate(CAPABLE) is False
    assert page.evaluate(CREATE, {}) == {"error": "NotSupportedError"}
    assert phone.credentials() == []


def test_a_sign_in_is_recent_for_five_minutes(context, pages, passkey_device):
    phone = passkey_device("pixel-fingerprint", clock="simulated")
    phone.attach(context)
    page = context.new_page()
    page.goto(pages.local)
    phone.sign_in_with_password(pages.local)
    phone.advance("301 s")
    assert page.evaluate(CREATE, {}) == {"error": "NotAllowedError"}
    phone.sign_in_with_password(pages.local)
    phone.advance("300 s")
    assert "id" in page.evaluate(CREATE, {})


def test_the_pick_of_a_password_is_a_sign_in(passkey_device):
    phone, origin = passkey_device("iphone-face-id"), "https://example.org"
    phone.start_conditional({"challenge": "AAECAwQFBgcICQoLDA0ODw"}, origin, passwords={"ada": "secret"})
    assert phone.pick(password="ada") == {"name": "ada", "password": "secret"}
    made = phone.create({
        "rp": {"name": "Test"}, "user": {"id": "AQ", "name": "ada", "displayName": "Ada"},
        "challenge": "AAECAwQFBgcICQoLDA0ODw", "pubKeyCredParams": [{"type": "public-key", "alg": -7}],
    }, origin, mediation="conditional")
    assert made["id"] == phone.credentials()[0]["credentialId"]
