"""Signs up and signs in with an e-mail code by plain HTTP, and checks the ID token with PyPI's `joserfc`.

Standard input is JSON: {"base": URL}. Standard output is JSON: the header's algorithm, the claims, and whether a token with
a changed claim is refused.
"""

import base64
import json
import sys
import time

import requests
from joserfc import jwt
from joserfc.errors import BadSignatureError
from joserfc.jwk import KeySet

BASE = json.load(sys.stdin)["base"]
EMAIL = "nora@touchstone.example"


def cognito(operation, **body):
    return requests.post(
        f"{BASE}/cognito/", data=json.dumps({"ClientId": "touchstone-app"} | body),
        headers={
            "Content-Type": "application/x-amz-json-1.1",
            "X-Amz-Target": f"AWSCognitoIdentityProviderService.{operation}",
        },
    ).json()


def initiate():
    return cognito("InitiateAuth", AuthFlow="CUSTOM_AUTH", AuthParameters={"USERNAME": EMAIL})


assert initiate()["__type"] == "UserNotFoundException"
cognito("SignUp", Username=EMAIL, Password="random-and-never-used")
challenge = initiate()
bearer = {"Authorization": f"Bearer {challenge['ChallengeParameters']['token']}"}
requests.post(f"{BASE}/authsignal/v1/client/user-authenticators/email-otp", headers=bearer, json={"email": EMAIL}).raise_for_status()
code = requests.get(f"{BASE}/mailbox/{EMAIL}").json()["messages"][-1]["code"]
verified = requests.post(f"{BASE}/authsignal/v1/client/verify/email-otp", headers=bearer, json={"verificationCode": code}).json()
result = cognito(
    "RespondToAuthChallenge", ChallengeName=challenge["ChallengeName"], Session=challenge["Session"],
    ChallengeResponses={"USERNAME": EMAIL, "ANSWER": verified["accessToken"]},
)["AuthenticationResult"]

keys = KeySet.import_key_set(requests.get(f"{BASE}/cognito/.well-known/jwks.json").json())
decoded = jwt.decode(result["IdToken"], keys, algorithms=["RS256"])
jwt.JWTClaimsRegistry(
    now=int(time.time()),
    iss={"essential": True, "value": f"{BASE}/cognito"},
    aud={"essential": True, "value": "touchstone-app"},
    token_use={"essential": True, "value": "id"},
    exp={"essential": True},
).validate(decoded.claims)

header, _, signature = result["IdToken"].split(".")
forged = base64.urlsafe_b64encode(json.dumps(decoded.claims | {"email": "eve@example.com"}).encode()).rstrip(b"=").decode()
try:
    jwt.decode(f"{header}.{forged}.{signature}", keys, algorithms=["RS256"])
    refused = False
except BadSignatureError:
    refused = True

session = requests.post(f"{BASE}/gateway/v1/login/cognito", json={"access_token": result["AccessToken"]}).json()
json.dump({
    "algorithm": decoded.header["alg"], "email": decoded.claims["email"], "username": decoded.claims["cognito:username"],
    "isSameUser": decoded.claims["sub"] == session["user"]["id"], "refusesForgery": refused,
}, sys.stdout)
