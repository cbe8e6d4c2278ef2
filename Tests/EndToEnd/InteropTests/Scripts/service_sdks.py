"""Drives the services with the clients that apps use: boto3 for Cognito, supabase_auth for the backend's sessions.

Authsignal has no client for Python: its requests are those of its SDK for browsers, by plain HTTP.

Standard input is JSON: {"base": URL}. Standard output is JSON with the answers that the test checks.
"""

import base64
import json
import sys

import boto3
import requests
from botocore import UNSIGNED
from botocore.config import Config
from supabase_auth import SyncGoTrueClient, SyncMemoryStorage
from supabase_auth.errors import AuthApiError, AuthWeakPasswordError

BASE = json.load(sys.stdin)["base"]
EMAIL = "nora@touchstone.example"
CLIENT = "touchstone-app"

cognito = boto3.client(
    "cognito-idp", region_name="eu-north-1", endpoint_url=f"{BASE}/cognito",
    config=Config(signature_version=UNSIGNED, retries={"max_attempts": 1}))
errors = cognito.exceptions


def refused(call, *kinds, **arguments):
    """The name and the message of a refusal."""
    try:
        call(**arguments)
    except kinds or errors.ClientError as error:
        return f"{error.response['Error']['Code']}: {error.response['Error']['Message']}"
    return "accepted"


def signal(path, token=None, **body):
    headers = {"Authorization": f"Bearer {token}" if token else "Basic " + base64.b64encode(b"tenant").decode()}
    return requests.post(f"{BASE}/authsignal/v1/client/{path}", headers=headers, json=body or None).json()


def start():
    return cognito.initiate_auth(ClientId=CLIENT, AuthFlow="CUSTOM_AUTH", AuthParameters={"USERNAME": EMAIL})


def by_code():
    challenge = start()
    token = challenge["ChallengeParameters"]["token"]
    enrolled = signal("user-authenticators/email-otp", token, email=EMAIL)
    challenged = signal("challenge/email-otp", token)
    code = requests.get(f"{BASE}/mailbox/{EMAIL}").json()["messages"][-1]["code"]
    verified = signal("verify/email-otp", token, verificationCode=code)
    answer = cognito.respond_to_auth_challenge(
        ClientId=CLIENT, ChallengeName=challenge["ChallengeName"], Session=challenge["Session"],
        ChallengeResponses={"USERNAME": EMAIL, "ANSWER": verified["accessToken"]})
    assert enrolled["userAuthenticatorId"] and challenged["challengeId"] and verified["isVerified"]
    return answer["AuthenticationResult"]


def with_cognito():
    unknown = refused(start, errors.UserNotFoundException)
    signed_up = cognito.sign_up(ClientId=CLIENT, Username=EMAIL, Password="random-and-never-used")
    confirmed = refused(
        cognito.confirm_sign_up, errors.NotAuthorizedException, ClientId=CLIENT, Username=EMAIL, ConfirmationCode="123456")
    tokens = by_code()
    user = cognito.get_user(AccessToken=tokens["AccessToken"])
    kept = cognito.initiate_auth(
        ClientId=CLIENT, AuthFlow="REFRESH_TOKEN_AUTH", AuthParameters={"REFRESH_TOKEN": tokens["RefreshToken"]}
    )["AuthenticationResult"]
    rotated = cognito.get_tokens_from_refresh_token(
        ClientId=CLIENT, RefreshToken=tokens["RefreshToken"])["AuthenticationResult"]
    cognito.revoke_token(ClientId=CLIENT, Token=rotated["RefreshToken"])
    revoked = refused(
        cognito.get_tokens_from_refresh_token, errors.NotAuthorizedException, ClientId=CLIENT,
        RefreshToken=rotated["RefreshToken"])
    one, other = by_code(), by_code()
    cognito.global_sign_out(AccessToken=one["AccessToken"])
    return {
        "unknown": unknown, "isConfirmed": signed_up["UserConfirmed"], "confirmation": confirmed,
        "username": user["Username"], "attributes": {item["Name"]: item["Value"] for item in user["UserAttributes"]},
        "refreshKeepsItsToken": "RefreshToken" not in kept and "IdToken" in kept,
        "rotates": rotated["RefreshToken"] != tokens["RefreshToken"], "revoked": revoked,
        "signedOut": refused(cognito.get_user, errors.NotAuthorizedException, AccessToken=other["AccessToken"]),
    }


def code_of(call, *arguments):
    try:
        call(*arguments)
    except (AuthApiError, AuthWeakPasswordError) as error:
        return error.code
    return "accepted"


def with_supabase():
    account = {"username": "olav@touchstone.example", "displayName": "Olav", "password": "correct horse battery"}
    requests.post(f"{BASE}/api/v1/auth/accounts", json=account).raise_for_status()
    client = SyncGoTrueClient(
        url=f"{BASE}/gateway/v1", storage=SyncMemoryStorage(), auto_refresh_token=False, persist_session=True)
    credentials = {"email": account["username"], "password": account["password"]}
    wrong = code_of(client.sign_in_with_password, credentials | {"password": "another one"})
    signed_in = client.sign_in_with_password(credentials)
    user = client.get_user().user
    refreshed = client.refresh_session()
    old = code_of(client.get_user, "not.a.token")
    client.sign_out()
    client.reset_password_for_email(EMAIL)
    client.reset_password_for_email(account["username"])
    messages = requests.get(f"{BASE}/mailbox/{account['username']}").json()["messages"]
    recovery = {"type": "recovery", "email": account["username"]}
    wrong_code = code_of(client.verify_otp, recovery | {"token": "000000x"})
    recovered = client.verify_otp(recovery | {"token": messages[-1]["code"]})
    weak = code_of(client.update_user, {"password": "short"})
    client.update_user({"password": "staple battery horse"})
    again = code_of(client.update_user, {"password": "battery staple horse"})
    client.sign_out()
    reset = {
        "method": json.loads(base64.urlsafe_b64decode(recovered.session.access_token.split(".")[1] + "=="))["amr"][0],
        "wrongCode": wrong_code, "weak": weak, "again": again,
        "old": code_of(client.sign_in_with_password, credentials),
        "new": code_of(client.sign_in_with_password, credentials | {"password": "staple battery horse"}),
    }
    client.sign_out()
    return {
        "reset": reset, "wrong": wrong, "email": user.email, "provider": user.app_metadata["provider"], "badToken": old,
        "rotates": refreshed.session.refresh_token != signed_in.session.refresh_token,
        "after": code_of(client.get_user, refreshed.session.access_token), "isSignedOut": client.get_session() is None,
    }


def with_authsignal():
    challenge = signal("challenge", action="cognitoAuth")
    options = signal("user-authenticators/passkey/authentication-options", challengeId=challenge["challengeId"])
    return {
        "hasOptions": "challenge" in options["options"] and options["challengeId"] != challenge["challengeId"],
        "refused": signal("verify/passkey", challengeId=options["challengeId"], authenticationCredential={})["errorCode"],
        "withoutToken": signal("verify/email-otp", verificationCode="123456")["errorCode"],
    }


json.dump({"cognito": with_cognito(), "supabase": with_supabase(), "authsignal": with_authsignal()}, sys.stdout)
