"""The answers of the control API's carrier to pages, the same over each way to a browser."""

import pytest
from test_page_script import CREATE, GET

SIGNAL = """([name, options]) => PublicKeyCredential[name](options)
    .then(() => "done", (error) => error instanceof DOMException ? error.name : String(error))"""


def signals(made, relying_party="localhost"):
    """Each signal that changes the passkey of the user ada."""
    return [
        ["signalUnknownCredential", {"rpId": relying_party, "credentialId": made}],
        ["signalAllAcceptedCredentials", {"rpId": relying_party, "userId": "YWRh", "allAcceptedCredentialIds": []}],
        ["signalCurrentUserDetails", {"rpId": relying_party, "userId": "YWRh", "name": "eve", "displayName": "Eve"}],
    ]


def check_foreign_signals(evaluate, open_page, phone, pages):
    """Pages of other hosts cannot signal away the passkey of localhost, nor rename it."""
    made = evaluate(CREATE, {"rpId": "localhost"})["id"]
    before = phone.credentials()
    assert [entry["credentialId"] for entry in before] == [made]
    # A subdomain of localhost may not claim localhost, which is a single label.
    for origin in [pages.foreign, f"http://other.localhost:{pages.port}"]:
        open_page(origin)
        for signal in signals(made):
            assert evaluate(SIGNAL, signal) == "SecurityError", (origin, signal)
            assert phone.credentials() == before
    open_page(pages.local)
    assert evaluate(SIGNAL, signals(made, "example.org")[0]) == "SecurityError"
    assert evaluate(SIGNAL, signals(made)[2]) == "done"
    [renamed] = phone.credentials()
    assert (renamed["userName"], renamed["userDisplayName"]) == ("eve", "Eve")
    assert evaluate(SIGNAL, signals(made)[0]) == "done"
    assert phone.credentials() == []


@pytest.mark.each_combination
def test_a_signal_for_another_relying_party_is_refused_and_its_passkeys_stay(way, pages):
    page = way()
    check_foreign_signals(page.evaluate, page.open, page.phone, pages)


def test_a_browser_without_conditional_mediation_says_so(way):
    page = way()
    available = """async () => [await PublicKeyCredential.isConditionalMediationAvailable(),
        (await PublicKeyCredential.getClientCapabilities()).conditionalGet]"""
    assert page.evaluate(available) == [True, True]
    page.phone.offer_conditional(False)
    assert page.evaluate(available) == [False, False]
    assert page.evaluate(GET, {"rpId": "localhost", "mediation": "conditional"}) == {"error": "TypeError"}


@pytest.mark.parametrize("profile, is_platform", [("iphone-face-id", True), ("security-key-bio", False)])
def test_capabilities_follow_the_device(way, profile, is_platform):
    page = way(profile)
    capabilities = page.evaluate("() => PublicKeyCredential.getClientCapabilities()")
    assert capabilities == {
        "conditionalCreate": is_platform, "conditionalGet": True, "hybridTransport": is_platform,
        "passkeyPlatformAuthenticator": is_platform, "relatedOrigins": False, "signalAllAcceptedCredentials": True,
        "signalCurrentUserDetails": True, "signalUnknownCredential": True,
        "userVerifyingPlatformAuthenticator": is_platform,
    }


def test_the_user_of_the_panel_picks_a_suggestion(way):
    page = way()
    made = page.evaluate(CREATE, {"rpId": "localhost"})["id"]
    page.evaluate(f"""() => {{ globalThis.asked = ({GET})({{rpId: "localhost", mediation: "conditional"}}); }}""")
    page.phone.plan("cancel")
    for _ in range(2):
        # A page's message passes while its browser is asked.
        while not (waiting := page.phone.browser_requests()):
            page.evaluate("() => 0")
        assert waiting[0]["title"] == "Page"
        page.phone.pick_passkey(waiting[0]["number"], made)
    assert page.evaluate("() => asked")["id"] == made
