"""Times the verification of one assertion by Python's libraries: reads a JSON object, writes microseconds by library.

A library that is missing is left out. One that refuses the assertion ends the script with an error.
"""

import json
import sys
import time


def webauthn(sample):
    from webauthn import base64url_to_bytes, verify_authentication_response

    challenge = base64url_to_bytes(sample["challenge"])
    key = base64url_to_bytes(sample["publicKey"])

    def verify():
        verify_authentication_response(
            credential=sample["assertion"],
            expected_challenge=challenge,
            expected_rp_id=sample["rpId"],
            expected_origin=sample["origin"],
            credential_public_key=key,
            credential_current_sign_count=0,
        )

    return verify


def fido2(sample):
    from fido2.server import Fido2Server
    from fido2.webauthn import PublicKeyCredentialRpEntity

    server = Fido2Server(PublicKeyCredentialRpEntity(id=sample["rpId"], name=sample["rpId"]))
    state = {"challenge": sample["challenge"], "user_verification": None}
    made = server.register_complete(state, json.loads(sample["registration"])).credential_data

    def verify():
        server.authenticate_complete(state, [made], json.loads(sample["assertion"]))

    return verify


def times(verify, rounds):
    verify()
    measured = []
    for _ in range(rounds):
        started = time.perf_counter()
        verify()
        measured.append((time.perf_counter() - started) * 1e6)
    return measured


sample = json.load(sys.stdin)
report = {}
for name, prepare in (("py_webauthn", webauthn), ("python-fido2", fido2)):
    try:
        verify = prepare(sample)
    except ImportError:
        continue
    report[name] = times(verify, sample["rounds"])
json.dump(report, sys.stdout)
