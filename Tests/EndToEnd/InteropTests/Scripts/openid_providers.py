"""Logs in with the OpenID providers through PyPI's `authlib`, checks the ID tokens with `joserfc`, and drives the
app's backend by plain HTTP.

Standard input is JSON: {"base": URL}. Standard output is JSON: {"providers": {NAME: {...}}, "gateway": {...}}.
"""

import json
import re
import secrets
import sys
import time

import requests
from authlib.integrations.requests_client import OAuth2Session
from joserfc import jwt
from joserfc.jwk import KeySet

BASE = json.load(sys.stdin)["base"]
CLIENT = "touchstone-app"
CALLBACK = "https://app.touchstone.example/callback"
PROVIDERS = {
    "bankid": (f"{BASE}/bankid", "openid profile nnin_altsub"),
    "vipps": (f"{BASE}/vipps/access-management-1.0/access/", "openid name phoneNumber email nin"),
}


def begin(issuer, scope):
    """Opens the authorization page and approves it; returns the client, its metadata, nonce, verifier and callback."""
    metadata = requests.get(issuer.rstrip("/") + "/.well-known/openid-configuration").json()
    assert metadata["issuer"] == issuer, metadata
    verifier, nonce = secrets.token_urlsafe(48), secrets.token_urlsafe(16)
    client = OAuth2Session(
        CLIENT, scope=scope, redirect_uri=CALLBACK, code_challenge_method="S256", token_endpoint_auth_method="none"
    )
    url, state = client.create_authorization_url(
        metadata["authorization_endpoint"], code_verifier=verifier, nonce=nonce
    )
    page = requests.get(url)
    assert page.headers["Content-Type"].startswith("text/html"), page.headers
    request = re.search(r'name="request" value="([^"]+)"', page.text).group(1)
    decision = requests.post(
        metadata["authorization_endpoint"] + "/decision",
        data={"request": request, "decision": "approve"},
        allow_redirects=False,
    )
    assert decision.status_code == 302, decision.status_code
    return client, metadata, nonce, verifier, state, decision.headers["Location"]


def log_in(issuer, scope):
    client, metadata, nonce, verifier, state, callback = begin(issuer, scope)
    token = client.fetch_token(
        metadata["token_endpoint"], authorization_response=callback, code_verifier=verifier, state=state
    )
    keys = KeySet.import_key_set(requests.get(metadata["jwks_uri"]).json())
    decoded = jwt.decode(token["id_token"], keys, algorithms=["RS256"])
    jwt.JWTClaimsRegistry(
        now=int(time.time()),
        iss={"essential": True, "value": issuer},
        aud={"essential": True, "value": CLIENT},
        nonce={"essential": True, "value": nonce},
        exp={"essential": True},
    ).validate(decoded.claims)
    info = client.get(metadata["userinfo_endpoint"]).json()
    assert info["sub"] == decoded.claims["sub"]
    return {"algorithm": decoded.header["alg"], "name": info["name"],
            "nationalID": decoded.claims.get("nnin_altsub") or info.get("nin")}


def gateway():
    _, _, nonce, verifier, _, callback = begin(*PROVIDERS["vipps"])
    code = re.search(r"code=([^&]+)", callback).group(1)
    login = requests.post(
        f"{BASE}/gateway/v1/login/vipps",
        json={"code": code, "code_verifier": verifier, "redirect_uri": CALLBACK, "nonce": nonce},
    )
    session = login.json()
    bearer = {"Authorization": f"Bearer {session['access_token']}"}
    home = requests.get(f"{BASE}/gateway/v1/home", headers=bearer).json()
    refresh = f"{BASE}/gateway/v1/token?grant_type=refresh_token"
    renewed = requests.post(refresh, json={"refresh_token": session["refresh_token"]}).json()
    unknown = requests.post(refresh, json={"refresh_token": "unknown"})
    keyed = bearer | {"Idempotency-Key": "one"}
    stored = [
        requests.post(f"{BASE}/gateway/v1/activities", headers=keyed, json={"description": "Training"}).status_code
        for _ in range(2)
    ]
    out = requests.post(f"{BASE}/gateway/v1/logout?scope=global", headers=bearer).status_code
    after = requests.get(f"{BASE}/gateway/v1/home", headers=bearer)
    return {
        "role": session["user"]["role"], "screen": home["screen"],
        "rotated": renewed["refresh_token"] != session["refresh_token"],
        "unknown": unknown.json()["error_code"], "stored": stored, "out": out,
        "after": after.json()["error_code"],
    }


json.dump({"providers": {name: log_in(*where) for name, where in PROVIDERS.items()}, "gateway": gateway()}, sys.stdout)
