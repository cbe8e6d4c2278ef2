"""Registrations and sign-ins of a phone's shapes before two relying parties: PyPI's `webauthn`, and python-fido2's server.

Standard input is JSON: {"rpID", "origin", "verification", "cases": [{"user", "registration", "assertion"}]}, where a
response has its "challenge", "id" and members, byte strings in base64url. The output has for each case a list of sentences,
one for each relying party that refuses a response.
"""

import json
import sys

from fido2.server import Fido2Server
from fido2.webauthn import PublicKeyCredentialRpEntity, PublicKeyCredentialUserEntity
from webauthn import base64url_to_bytes, verify_authentication_response, verify_registration_response

requested = json.load(sys.stdin)
verified = requested["verification"] == "required"


def credential(response):
    return {
        "id": response["id"],
        "rawId": response["id"],
        "type": "public-key",
        "clientExtensionResults": {},
        "response": {name: value for name, value in response["members"].items() if value is not None},
    }


def at_webauthn(case):
    common = {
        "expected_rp_id": requested["rpID"],
        "expected_origin": requested["origin"],
        "require_user_verification": verified,
    }
    registered = verify_registration_response(
        credential=credential(case["registration"]),
        expected_challenge=base64url_to_bytes(case["registration"]["challenge"]),
        **common,
    )
    verify_authentication_response(
        credential=credential(case["assertion"]),
        expected_challenge=base64url_to_bytes(case["assertion"]["challenge"]),
        credential_public_key=registered.credential_public_key,
        credential_current_sign_count=registered.sign_count,
        **common,
    )


def at_fido2(case):
    server = Fido2Server(
        PublicKeyCredentialRpEntity(id=requested["rpID"], name="Example"),
        verify_origin=lambda origin: origin == requested["origin"],
    )
    user = PublicKeyCredentialUserEntity(id=base64url_to_bytes(case["user"]), name="alice", display_name="Alice")
    _, state = server.register_begin(
        user,
        user_verification=requested["verification"],
        challenge=base64url_to_bytes(case["registration"]["challenge"]),
    )
    registered = server.register_complete(state, credential(case["registration"])).credential_data
    _, state = server.authenticate_begin(
        [registered],
        user_verification=requested["verification"],
        challenge=base64url_to_bytes(case["assertion"]["challenge"]),
    )
    server.authenticate_complete(state, [registered], credential(case["assertion"]))


def refusals(case):
    found = []
    for party, check in {"webauthn": at_webauthn, "fido2": at_fido2}.items():
        try:
            check(case)
        except Exception as error:  # A refusal has many exceptions, and not all are the libraries'.
            found.append(f"{party}: {error!r}")
    return found


print(json.dumps([refusals(case) for case in requested["cases"]]))
