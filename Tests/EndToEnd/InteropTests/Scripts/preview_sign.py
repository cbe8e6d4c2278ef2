"""The draft extension previewSign with python-fido2's client: keys that sign data, and their refusals."""

import os

from fido2 import cbor
from fido2.client import ClientError, DefaultClientDataCollector, Fido2Client
from fido2.cose import CoseKey
from fido2.ctap2.extensions import PreviewSignExtension
from fido2.utils import websafe_encode
from fido2.webauthn import (
    AuthenticatorSelectionCriteria, PublicKeyCredentialCreationOptions, PublicKeyCredentialParameters,
    PublicKeyCredentialRequestOptions, PublicKeyCredentialRpEntity, PublicKeyCredentialUserEntity,
)

from bench import ERR, ClientPin, Ctap2, Person, connect, done, equal, verify_attestation, requested

device = connect()
ClientPin(Ctap2(device)).set_pin("1234")
client = Fido2Client(
    device, DefaultClientDataCollector("https://example.com"), user_interaction=Person(pin="1234", uv=False),
    extensions=[PreviewSignExtension()],
)


def register(algorithms, user_verification):
    """A credential, and its signing key as the page gets it."""
    made = client.make_credential(
        PublicKeyCredentialCreationOptions(
            rp=PublicKeyCredentialRpEntity(id="example.com", name="Example"),
            user=PublicKeyCredentialUserEntity(id=os.urandom(16), name="python"),
            challenge=os.urandom(32),
            pub_key_cred_params=[PublicKeyCredentialParameters(type="public-key", alg=-7)],
            authenticator_selection=AuthenticatorSelectionCriteria(user_verification=user_verification),
            attestation="direct",
            extensions={"previewSign": {"generateKey": {"algorithms": algorithms}}},
        )
    )
    return made, made.client_extension_results.preview_sign.generated_key


def sign(made, handle, data, user_verification):
    selection = client.get_assertion(
        PublicKeyCredentialRequestOptions(
            challenge=os.urandom(32), rp_id="example.com", user_verification=user_verification,
            allow_credentials=[{"type": "public-key", "id": made.raw_id}],
            extensions={"previewSign": {"signByCredential": {
                websafe_encode(made.raw_id): {"keyHandle": handle, "tbs": data}}}},
        )
    )
    return selection.get_response(0).client_extension_results.preview_sign.signature


signed = []
for algorithm in requested["algorithms"]:
    # The first algorithm that the device knows is taken.
    made, key = register([-65539, algorithm], "required")
    equal(key.algorithm, algorithm, "the algorithm")
    # The key is attested in the credential's ceremony.
    verify_attestation(key.attestation_object, made.response.client_data.hash)
    equal(key.attestation_object.auth_data.extensions, {"previewSign": {4: 0b101}}, "the policy")
    data = os.urandom(100)
    signature = sign(made, key.key_handle, data, "required")
    CoseKey.parse(cbor.decode(key.public_key)).verify(data, signature)
    signed.append(algorithm)

other, _ = register([-7], "required")
try:
    sign(other, key.key_handle, b"data", "required")
except ClientError as error:
    equal(error.cause.code, ERR.INVALID_CREDENTIAL, "the status for the handle of another credential")
else:
    raise AssertionError("the handle of another credential was accepted")
done(signed=signed)
