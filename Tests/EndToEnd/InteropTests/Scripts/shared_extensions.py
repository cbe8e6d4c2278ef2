"""One credential used by two clients: python-fido2's, here, and the one under test, which takes turns with it."""

import os

from fido2.client import DefaultClientDataCollector, Fido2Client
from fido2.ctap2.extensions import HmacSecretExtension, LargeBlobExtension
from fido2.webauthn import (
    AuthenticatorSelectionCriteria, PublicKeyCredentialCreationOptions, PublicKeyCredentialParameters,
    PublicKeyCredentialRequestOptions, PublicKeyCredentialRpEntity, PublicKeyCredentialUserEntity,
)

from bench import PROTOCOLS, ClientPin, Person, check, connect, done, equal, requested

PIN = "271828"
SALTS = {"first": b"one", "second": b"two"}

# python-fido2 takes the first of these that the device knows.
ClientPin.PROTOCOLS = [PROTOCOLS[requested["protocol"]]]
client = Fido2Client(
    connect(), DefaultClientDataCollector("https://example.com"), user_interaction=Person(pin=PIN),
    extensions=[HmacSecretExtension(), LargeBlobExtension()],
)


def register():
    return client.make_credential(
        PublicKeyCredentialCreationOptions(
            rp=PublicKeyCredentialRpEntity(id="example.com", name="Example"),
            user=PublicKeyCredentialUserEntity(id=os.urandom(16), name="python"),
            challenge=os.urandom(32),
            pub_key_cred_params=[PublicKeyCredentialParameters(type="public-key", alg=-7)],
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key="required", user_verification="required"
            ),
            extensions={"prf": {"eval": SALTS}, "largeBlob": {"support": "required"}},
        )
    )


def sign_in(credential, extensions):
    """The client extension outputs of a sign-in."""
    selection = client.get_assertion(
        PublicKeyCredentialRequestOptions(
            challenge=os.urandom(32), rp_id="example.com", user_verification="required",
            allow_credentials=[{"type": "public-key", "id": credential}], extensions=extensions,
        )
    )
    return selection.get_response(0).client_extension_results


def prf(results):
    return [results.prf.results.first.hex(), results.prf.results.second.hex()]


if requested["act"] == "register":
    # A credential of python-fido2's, with a blob, for the other client to read.
    made = register()
    blob = bytes.fromhex(requested["blob"])
    check(sign_in(made.raw_id, {"largeBlob": {"write": blob}}).large_blob.written, "largeBlob.written")
    done(credential=made.raw_id.hex(), prf=prf(made.client_extension_results))
else:
    # A credential the other client wrote a blob for, and perhaps made.
    credential = bytes.fromhex(requested["credential"])
    read = sign_in(credential, {"largeBlob": {"read": True}}).large_blob.blob
    equal(read, bytes.fromhex(requested["blob"]), "the blob the other client wrote")
    done(credential=credential.hex(), prf=prf(sign_in(credential, {"prf": {"eval": SALTS}})))
