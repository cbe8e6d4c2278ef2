"""Selenium's own client, as a test of a relying party uses it."""

import base64
import json
import sys
import urllib.request
import warnings

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from selenium import webdriver
from selenium.common.exceptions import InvalidArgumentException, InvalidSessionIdException
from selenium.webdriver.common.virtual_authenticator import Credential, VirtualAuthenticatorOptions

requested = json.loads(sys.argv[1])
# An unmodified client can carry a user name and a password in the URL only, and warns about it.
warnings.simplefilter("ignore")
URL = f"http://touchstone:{requested['token']}@127.0.0.1:{requested['port']}"


def b64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def api(method, path, body=None):
    request = urllib.request.Request(
        f"http://127.0.0.1:{requested['port']}{path}",
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {requested['token']}", "Content-Type": "application/json"},
        method=method,
    )
    with urllib.request.urlopen(request) as response:
        return json.loads(response.read() or b"null")


def get(device, verification="required"):
    options = {"challenge": b64url(bytes(32)), "rpId": "example.org", "userVerification": verification}
    return api("POST", f"/v1/devices/{device}/ceremonies/get", {"origin": "https://example.org", "options": options})


def new_key():
    key = ec.generate_private_key(ec.SECP256R1())
    return key, key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())


def sign_count(driver):
    (credential,) = driver.get_credentials()
    return credential.sign_count


options = webdriver.ChromeOptions()
options.set_capability("webauthn:virtualAuthenticators", True)
options.set_capability("webauthn:extension:prf", True)
driver = webdriver.Remote(command_executor=URL, options=options)
try:
    assert driver.caps["webauthn:virtualAuthenticators"] is True
    options = VirtualAuthenticatorOptions(
        protocol=VirtualAuthenticatorOptions.Protocol.CTAP2,
        transport=VirtualAuthenticatorOptions.Transport.INTERNAL,
        has_resident_key=True,
        has_user_verification=True,
        is_user_consenting=True,
        is_user_verified=True,
    )
    driver.add_virtual_authenticator(options)
    device = driver.virtual_authenticator_id
    assert [d["name"] for d in api("GET", "/v1/devices")] == [device]
    assert driver.get_credentials() == []

    # A credential of Selenium's making signs in a ceremony of the control API.
    key, pkcs8 = new_key()
    driver.add_credential(Credential.create_resident_credential(b"\x01\x02\x03\xff", "example.org", b"\x09", pkcs8, 10))
    (listed,) = driver.get_credentials()
    assert base64.urlsafe_b64decode(listed.private_key) == pkcs8, "the key comes back as it went"
    assert (listed.id, listed.rp_id, listed.user_handle) == ("AQID_w==", "example.org", "CQ==")
    assert listed.is_resident_credential and listed.sign_count == 10
    answer = get(device)["credential"]
    assert answer["id"] == b64url(b"\x01\x02\x03\xff")

    def bytes_of(name):
        return base64.urlsafe_b64decode(answer["response"][name] + "==")

    digest = hashes.Hash(hashes.SHA256())
    digest.update(bytes_of("clientDataJSON"))
    signed = bytes_of("authenticatorData") + digest.finalize()
    key.public_key().verify(bytes_of("signature"), signed, ec.ECDSA(hashes.SHA256()))
    assert sign_count(driver) == 11, "the count has moved"

    # Verification fails, and works again, as often as one likes.
    for _ in range(7):
        driver.set_user_verified(False)
        error = get(device)["error"]
        assert error["name"] == "NotAllowedError", error
        driver.set_user_verified(True)
        assert "credential" in get(device)
    assert sign_count(driver) == 18

    # It fails as a phone fails, too: told so over the control API.
    api("POST", f"/v1/devices/{device}/person/acts", {"acts": ["cancel"]})
    assert get(device)["error"]["deviceReason"].endswith("userCancelled")

    # A second one that is not resident, one made by a ceremony, and their end.
    driver.add_credential(Credential.create_non_resident_credential(b"\x05" * 16, "example.org", new_key()[1], 0))
    create = {
        "rp": {"name": "Example"}, "challenge": b64url(bytes(32)),
        "user": {"id": b64url(b"u"), "name": "u", "displayName": "U"},
        "pubKeyCredParams": [{"type": "public-key", "alg": -7}],
    }
    api("POST", f"/v1/devices/{device}/ceremonies/create", {"origin": "https://example.org", "options": create})
    assert len(driver.get_credentials()) == 3
    driver.remove_credential(bytearray(b"\x05" * 16))
    driver.remove_credential(b64url(b"\x01\x02\x03\xff"))
    assert len(driver.get_credentials()) == 1
    try:
        driver.remove_credential(b64url(b"missing"))
        raise AssertionError("a credential that is not there was removed")
    except InvalidArgumentException:
        pass
    driver.remove_all_credentials()
    assert driver.get_credentials() == []
    driver.remove_virtual_authenticator()
    assert api("GET", "/v1/devices") == []

    # One that does not consent, over USB.
    driver.add_virtual_authenticator(VirtualAuthenticatorOptions(is_user_consenting=False, has_resident_key=True))
    device = driver.virtual_authenticator_id
    driver.add_credential(Credential.create_resident_credential(b"\x01" * 16, "example.org", b"\x09", pkcs8, 1))
    assert get(device, "discouraged")["error"]["name"] == "NotAllowedError"
finally:
    driver.quit()

assert api("GET", "/v1/devices") == [], "a session takes its authenticators with it"
try:
    driver.get_credentials()
    raise AssertionError("a session that has ended answered")
except InvalidSessionIdException:
    pass
print(json.dumps({}))
