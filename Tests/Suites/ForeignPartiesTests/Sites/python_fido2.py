"""The paths of python-fido2's example server, around the library itself.

The argument is JSON: with "roots", a certificate in DER as base64, it asks for attestation and trusts that root.
"""
import base64
import json
import sys

from fido2.attestation import (
    AppleAttestation, AttestationVerifier, FidoU2FAttestation, NoneAttestation,
    PackedAttestation, TpmAttestation,
)
from fido2.server import Fido2Server
from fido2.webauthn import PublicKeyCredentialRpEntity, PublicKeyCredentialUserEntity

import serving


class Roots(AttestationVerifier):
    """Trusts one root for every model, and self attestation by itself."""

    def __init__(self, root):
        super().__init__([PackedAttestation(), FidoU2FAttestation(), TpmAttestation(), AppleAttestation()])
        self.root = root

    def ca_lookup(self, result, auth_data):
        return self.root

    def verify_attestation(self, attestation_object, client_data_hash):
        if attestation_object.fmt == "none":
            return NoneAttestation().verify(attestation_object.att_stmt, attestation_object.auth_data, client_data_hash)
        if attestation_object.fmt == "packed" and "x5c" not in attestation_object.att_stmt:
            return PackedAttestation().verify(attestation_object.att_stmt, attestation_object.auth_data, client_data_hash)
        return super().verify_attestation(attestation_object, client_data_hash)


variant = json.loads(sys.argv[1] if len(sys.argv) > 1 else "{}")
party = PublicKeyCredentialRpEntity(name="Example", id="localhost")
server = (
    Fido2Server(party, attestation="direct", verify_attestation=Roots(base64.b64decode(variant["roots"])))
    if "roots" in variant else Fido2Server(party)
)
user = PublicKeyCredentialUserEntity(id=b"user_id", name="a_user", display_name="A. User")
passkeys = []


def register_begin(request):
    options, request.session["state"] = server.register_begin(user, passkeys, user_verification="discouraged")
    return dict(options)


def register_complete(request):
    result = server.register_complete(request.session.pop("state"), request.json)
    passkeys.append(result.credential_data)
    return {"status": "OK"}


def authenticate_begin(request):
    if not passkeys:
        raise serving.Refusal(404, "no passkeys")
    options, request.session["state"] = server.authenticate_begin(passkeys)
    return dict(options)


def authenticate_complete(request):
    server.authenticate_complete(request.session.pop("state"), passkeys, request.json)
    return {"status": "OK"}


serving.serve(
    {
        ("POST", "/api/register/begin"): register_begin,
        ("POST", "/api/register/complete"): register_complete,
        ("POST", "/api/authenticate/begin"): authenticate_begin,
        ("POST", "/api/authenticate/complete"): authenticate_complete,
    },
    lambda text: {"error": text},
)
