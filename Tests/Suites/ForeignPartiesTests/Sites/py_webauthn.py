"""The server interface of the FIDO conformance tests around py_webauthn, with a page for people.

The argument is JSON with variants of it:
  bytes    base64 or array: the form of bytes in options and responses
  csrf     json, header or input: hands out a token, which each request except GET has to send
  page     the options of a registration are JSON in an element of a page; responses come as forms
  accepts  anything: verifies no signature; replays: keeps the challenge of a sign-in
  signs-in early: signs the user in before it verifies the response
  cookies  none: the session's cookie is not HttpOnly
  roots    certificates in PEM, the trust anchors of every format with certificates
"""
import base64
import html
import json
import secrets
import sys
from pathlib import Path

import webauthn
from webauthn.helpers import bytes_to_base64url, base64url_to_bytes, options_to_json_dict
from webauthn.helpers.structs import (
    AttestationConveyancePreference, AttestationFormat, AuthenticatorSelectionCriteria, PublicKeyCredentialDescriptor,
    ResidentKeyRequirement, UserVerificationRequirement,
)

import serving

variant = json.loads(sys.argv[1] if len(sys.argv) > 1 else "{}")
accounts = {}
TOKEN = "f3a9-token"
certified = [
    AttestationFormat.PACKED, AttestationFormat.FIDO_U2F, AttestationFormat.TPM, AttestationFormat.ANDROID_KEY,
    AttestationFormat.APPLE,
]
roots = {name: [variant["roots"].encode()] for name in certified} if "roots" in variant else None


def origin(request):
    return "http://" + request.headers["Host"]


def encoded(text):
    data = base64url_to_bytes(text)
    form = variant.get("bytes")
    return base64.b64encode(data).decode() if form == "base64" else list(data) if form == "array" else text


def decoded(value):
    if isinstance(value, list):
        return bytes_to_base64url(bytes(value))
    if variant.get("bytes") == "base64":
        return bytes_to_base64url(base64.b64decode(value, validate=True))
    return value


def written(options):
    options["challenge"] = encoded(options["challenge"])
    if "user" in options:
        options["user"]["id"] = encoded(options["user"]["id"])
    for name in ("excludeCredentials", "allowCredentials"):
        for item in options.get(name, []):
            item["id"] = encoded(item["id"])
    return options


def credential(request):
    value = json.loads(request.form["credential"]) if variant.get("page") else request.json
    value["rawId"] = decoded(value["rawId"])
    for name, member in value["response"].items():
        if name in ("clientDataJSON", "attestationObject", "authenticatorData", "publicKey", "signature", "userHandle"):
            value["response"][name] = decoded(member)
    return value


def checked(route):
    def check(request):
        form = variant.get("csrf")
        if form is None or request.method == "GET":
            return route(request)
        sent = request.form.get("token") if form == "input" else request.headers.get("X-CSRF-Token")
        if sent != TOKEN:
            raise serving.Refusal(403, "CSRF")
        return route(request)

    return check


def token(request):
    form = variant.get("csrf")
    if form == "json":
        return {"csrf": {"token": TOKEN}}
    if form == "header":
        return "text/plain", "", {"X-CSRF-Token": TOKEN}
    return "text/html", f"<form method=post>\n<input type='hidden' name=token value=\"{TOKEN}\"></form>", {}


def ok(body):
    return {"status": "ok", "errorMessage": "", **body}


def registration_options(request):
    requested = request.form if variant.get("page") else request.json
    name = requested["username"]
    account = accounts.setdefault(name, {"id": secrets.token_bytes(32), "passkeys": {}})
    selection = requested.get("authenticatorSelection", {})
    options = webauthn.generate_registration_options(
        rp_id="localhost", rp_name="Example", user_name=name, user_id=account["id"],
        user_display_name=requested.get("displayName", name),
        attestation=AttestationConveyancePreference(requested.get("attestation", "none")),
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement(selection.get("residentKey", "preferred")),
            user_verification=UserVerificationRequirement(selection.get("userVerification", "preferred"))),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=item) for item in account["passkeys"]],
    )
    request.session["register"] = (name, options.challenge, selection.get("userVerification") == "required")
    body = ok(written(options_to_json_dict(options)))
    if variant.get("page"):
        text = f'<!doctype html><title>Register</title><script type="application/json" id=options>{json.dumps({"publicKey": body})}</script>'
        return "text/html; charset=utf-8", text, {}
    return body


def registration_result(request):
    name, challenge, verified = request.session.pop("register")
    result = webauthn.verify_registration_response(
        credential=credential(request), expected_challenge=challenge, expected_rp_id="localhost",
        expected_origin=origin(request), require_user_verification=verified, pem_root_certs_bytes_by_fmt=roots)
    if any(result.credential_id in account["passkeys"] for account in accounts.values()):
        raise serving.Refusal(409, "the credential is registered")
    accounts[name]["passkeys"][result.credential_id] = (result.credential_public_key, result.sign_count)
    return ok({})


def assertion_options(request):
    requested = request.form if variant.get("page") else request.json
    name = requested["username"]
    if name not in accounts:
        raise serving.Refusal(404, "no such account")
    options = webauthn.generate_authentication_options(
        rp_id="localhost", user_verification=UserVerificationRequirement(requested.get("userVerification", "preferred")),
        allow_credentials=[PublicKeyCredentialDescriptor(id=item) for item in accounts[name]["passkeys"]])
    request.session["sign-in"] = (name, options.challenge, requested.get("userVerification") == "required")
    return ok(written(options_to_json_dict(options)))


def assertion_result(request):
    name, challenge, verified = request.session["sign-in"]
    if variant.get("accepts") != "replays":
        del request.session["sign-in"]
    response = credential(request)
    handle = response["response"].get("userHandle")
    # The library leaves the owner of a credential to its caller (WebAuthn L3 §7.2 step 6).
    if handle is not None and base64url_to_bytes(handle) != accounts[name]["id"]:
        raise serving.Refusal(400, "the user handle of another account")
    passkeys = accounts[name]["passkeys"]
    identifier = base64url_to_bytes(response["id"])
    key, count = passkeys[identifier]
    if variant.get("signs-in") == "early":
        request.session["account"] = name
    if variant.get("accepts") != "anything":
        result = webauthn.verify_authentication_response(
            credential=response, expected_challenge=challenge, expected_rp_id="localhost", expected_origin=origin(request),
            credential_public_key=key, credential_current_sign_count=count, require_user_verification=verified)
        passkeys[identifier] = (key, result.new_sign_count)
    request.session["account"] = name
    return ok({"username": name})


def user(request):
    if "account" not in request.session:
        raise serving.Refusal(401, "no user is signed in")
    return {"username": request.session["account"]}


def page(request):
    return "text/html; charset=utf-8", Path(__file__).with_name("page.html").read_text(encoding="utf-8"), {}


routes = {
    ("GET", "/"): page,
    ("POST", "/attestation/options"): checked(registration_options),
    ("POST", "/attestation/result"): checked(registration_result),
    ("POST", "/assertion/options"): checked(assertion_options),
    ("POST", "/assertion/result"): checked(assertion_result),
    ("GET", "/token"): token,
    ("GET", "/user"): user,
}
serving.serve(routes, lambda text: {"status": "failed", "errorMessage": text})
