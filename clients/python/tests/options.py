"""Options of a relying party, and its verdict by py_webauthn."""

import secrets

import webauthn
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

ORIGIN = "https://example.org"


def creation(user="ada"):
    return {
        "rp": {"name": "Example", "id": "example.org"},
        "user": {"id": bytes_to_base64url(user.encode()), "name": user, "displayName": user.title()},
        "challenge": bytes_to_base64url(secrets.token_bytes(16)),
        "pubKeyCredParams": [{"type": "public-key", "alg": -7}],
        "authenticatorSelection": {"residentKey": "required", "userVerification": "required"},
    }


def request():
    return {
        "rpId": "example.org", "challenge": bytes_to_base64url(secrets.token_bytes(16)), "userVerification": "required",
    }


def registered(options, response):
    return webauthn.verify_registration_response(
        credential=response, expected_challenge=base64url_to_bytes(options["challenge"]), expected_rp_id="example.org",
        expected_origin=ORIGIN, require_user_verification=True)


def signed_in(options, response, registration):
    return webauthn.verify_authentication_response(
        credential=response, expected_challenge=base64url_to_bytes(options["challenge"]), expected_rp_id="example.org",
        expected_origin=ORIGIN, credential_public_key=registration.credential_public_key,
        credential_current_sign_count=registration.sign_count, require_user_verification=True)
