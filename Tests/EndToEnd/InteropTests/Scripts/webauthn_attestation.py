"""Registrations before PyPI's `webauthn`, which verifies them as a relying party does.

Standard input is JSON: {"root": PEM, "rpID", "origin", "registrations": [{"challenge", "id", "clientData", "object"}]},
byte strings in base64url. For each registration there is the format, or "refused: " and the reason.
"""

import json
import ssl
import sys

from webauthn import base64url_to_bytes, verify_registration_response
from webauthn.helpers.cose import COSEAlgorithmIdentifier
from webauthn.helpers.structs import AttestationFormat


def verdict(requested, case):
    # The library compares the root's text with the one that OpenSSL writes, and its line feed at the end.
    root = ssl.DER_cert_to_PEM_cert(ssl.PEM_cert_to_DER_cert(requested["root"])).encode()
    try:
        return verify_registration_response(
            credential={
                "id": case["id"],
                "rawId": case["id"],
                "type": "public-key",
                "response": {"clientDataJSON": case["clientData"], "attestationObject": case["object"]},
            },
            expected_challenge=base64url_to_bytes(case["challenge"]),
            expected_rp_id=requested["rpID"],
            expected_origin=requested["origin"],
            require_user_verification=True,
            supported_pub_key_algs=list(COSEAlgorithmIdentifier),
            # A list for each format: verify_android_key adds Google's roots to the one it is given.
            pem_root_certs_bytes_by_fmt={format: [root] for format in AttestationFormat},
        ).fmt
    except Exception as error:  # A refusal has many exceptions, and not all are this library's.
        return f"refused: {error}"


requested = json.load(sys.stdin)
print(json.dumps([verdict(requested, case) for case in requested["registrations"]]))
