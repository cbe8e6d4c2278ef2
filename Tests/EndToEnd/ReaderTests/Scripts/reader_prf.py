"""hmac-secret through the prf extension of python-fido2's client: long messages both ways, under a PIN."""

import os

from fido2.client import DefaultClientDataCollector, Fido2Client
from fido2.ctap2.extensions import HmacSecretExtension
from fido2.webauthn import (
    AuthenticatorSelectionCriteria, PublicKeyCredentialCreationOptions, PublicKeyCredentialParameters,
    PublicKeyCredentialRequestOptions, PublicKeyCredentialRpEntity, PublicKeyCredentialUserEntity,
)

from bench import ClientPin, Ctap2, Person, check, done, equal
from reader import on_reader, tap

device = on_reader()
ClientPin(Ctap2(device)).set_pin("271828")
client = Fido2Client(
    device, DefaultClientDataCollector("https://example.com"), user_interaction=Person(pin="271828"),
    extensions=[HmacSecretExtension()],
)

tap(device)
made = client.make_credential(
    PublicKeyCredentialCreationOptions(
        rp=PublicKeyCredentialRpEntity(id="example.com", name="Example"),
        user=PublicKeyCredentialUserEntity(id=os.urandom(16), name="python"),
        challenge=os.urandom(32),
        pub_key_cred_params=[PublicKeyCredentialParameters(type="public-key", alg=-7)],
        authenticator_selection=AuthenticatorSelectionCriteria(user_verification="required"),
        extensions={"prf": {}},
    )
)
check(made.client_extension_results.prf.enabled, "prf.enabled")


def secrets(first, second):
    tap(device)
    selection = client.get_assertion(
        PublicKeyCredentialRequestOptions(
            challenge=os.urandom(32), rp_id="example.com", user_verification="required",
            allow_credentials=[{"type": "public-key", "id": made.raw_id}],
            extensions={"prf": {"eval": {"first": first, "second": second}}},
        )
    )
    results = selection.get_response(0).client_extension_results.prf.results
    return results.first, results.second


one, two = secrets(b"one", b"two")
equal(len(one), 32, "length of a secret")
check(one != two, "different salts, different secrets")
equal(secrets(b"one", b"two"), (one, two), "the same salts again")
equal(secrets(b"two", b"one"), (two, one), "the salts the other way round")
done()
