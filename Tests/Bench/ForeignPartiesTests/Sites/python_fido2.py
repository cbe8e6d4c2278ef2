"""The paths of python-fido2's example server, around the library itself."""
import json
import sys

from fido2.server import Fido2Server
from fido2.webauthn import PublicKeyCredentialRpEntity, PublicKeyCredentialUserEntity

import serving

server = Fido2Server(PublicKeyCredentialRpEntity(name="Example", id="localhost"))
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
