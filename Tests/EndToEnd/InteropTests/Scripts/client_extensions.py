"""The extensions as python-fido2's client offers them to a page: prf, largeBlob, credBlob, credProtect and the rest."""

import os

from fido2.client import DefaultClientDataCollector, Fido2Client
from fido2.ctap2.extensions import (
    CredBlobExtension, CredPropsExtension, CredProtectExtension, HmacSecretExtension, LargeBlobExtension,
    MinPinLengthExtension, PinComplexityPolicyExtension, ThirdPartyPaymentExtension,
)
from fido2.webauthn import (
    AuthenticatorSelectionCriteria, PublicKeyCredentialCreationOptions, PublicKeyCredentialParameters,
    PublicKeyCredentialRequestOptions, PublicKeyCredentialRpEntity, PublicKeyCredentialUserEntity,
)

from bench import ClientPin, Ctap2, Person, check, connect, done, equal, requested

device = connect()
ctap = Ctap2(device)
ClientPin(ctap).set_pin("1234")
by_pin = requested["method"] == "pin"
person = Person(pin="1234", uv=not by_pin)
client = Fido2Client(
    device, DefaultClientDataCollector("https://example.com"), user_interaction=person,
    extensions=[
        CredBlobExtension(), CredPropsExtension(), CredProtectExtension(), HmacSecretExtension(),
        LargeBlobExtension(), MinPinLengthExtension(), PinComplexityPolicyExtension(), ThirdPartyPaymentExtension(),
    ],
)


def register(extensions, rk="required", uv="required"):
    return client.make_credential(
        PublicKeyCredentialCreationOptions(
            rp=PublicKeyCredentialRpEntity(id="example.com", name="Example"),
            user=PublicKeyCredentialUserEntity(id=os.urandom(16), name="user"),
            challenge=os.urandom(32),
            pub_key_cred_params=[PublicKeyCredentialParameters(type="public-key", alg=-7)],
            authenticator_selection=AuthenticatorSelectionCriteria(resident_key=rk, user_verification=uv),
            extensions=extensions,
        )
    )


def sign_in(credential, extensions, uv="required"):
    selection = client.get_assertion(
        PublicKeyCredentialRequestOptions(
            challenge=os.urandom(32), rp_id="example.com", user_verification=uv,
            allow_credentials=[{"type": "public-key", "id": credential.raw_id}], extensions=extensions,
        )
    )
    return selection.get_response(0)


def outputs(response):
    return response.client_extension_results


# prf: the same secret at creation, at sign-in, with one salt or two; another without user verification.
salts = {"first": b"one", "second": b"two"}
credential = register({"prf": {"eval": salts}})
created = outputs(credential).prf
check(created.enabled, "prf.enabled")
results = created.results
equal([len(results.first), len(results.second)], [32, 32], "lengths of prf's results")
check(results.first != results.second, "two salts, one secret")
equal(outputs(sign_in(credential, {"prf": {"eval": salts}})).prf.results, results, "prf at sign-in")
swapped = outputs(sign_in(credential, {"prf": {"eval": {"first": b"two", "second": b"one"}}})).prf.results
equal((swapped.first, swapped.second), (results.second, results.first), "prf with the salts the other way round")
single = outputs(sign_in(credential, {"prf": {"eval": {"first": b"one"}}})).prf.results
equal(single.first, results.first, "prf with one salt")
other = register({"prf": {"eval": salts}})
check(outputs(other).prf.results.first != results.first, "two credentials, one secret")
equal(outputs(register({"prf": {}}, rk="discouraged")).prf.enabled, True, "prf.enabled of a sealed credential")

# largeBlob.
blobby = register({"largeBlob": {"support": "required"}})
equal(outputs(blobby).large_blob.supported, True, "largeBlob.supported")
equal(outputs(sign_in(blobby, {"largeBlob": {"read": True}})).large_blob, {}, "a blob that was not written")
content = os.urandom(500)
check(outputs(sign_in(blobby, {"largeBlob": {"write": content}})).large_blob.written, "largeBlob.written")
equal(outputs(sign_in(blobby, {"largeBlob": {"read": True}})).large_blob.blob, content, "largeBlob.blob")

# The outputs in authenticator data.
data = register({"credBlob": b"a small blob"})
equal(data.response.attestation_object.auth_data.extensions["credBlob"], True, "credBlob at creation")
signed = sign_in(data, {"getCredBlob": True})
equal(signed.response.authenticator_data.extensions["credBlob"], b"a small blob", "credBlob at sign-in")

for level, policy in enumerate(CredProtectExtension.POLICY, 1):
    made = register({"credentialProtectionPolicy": policy.value, "enforceCredentialProtectionPolicy": True})
    equal(made.response.attestation_object.auth_data.extensions["credProtect"], level, policy.value)

made = register({"minPinLength": True, "pinComplexityPolicy": True})
equal(made.response.attestation_object.auth_data.extensions, None, "PIN policy for a relying party that is not named")

paid = register({"payment": {"isPayment": True}})
equal(paid.response.attestation_object.auth_data.extensions["thirdPartyPayment"], True, "thirdPartyPayment")
signed = sign_in(paid, {"payment": {"isPayment": True}})
equal(signed.response.authenticator_data.extensions["thirdPartyPayment"], True, "thirdPartyPayment at sign-in")
signed = sign_in(data, {"payment": {"isPayment": True}})
equal(signed.response.authenticator_data.extensions["thirdPartyPayment"], False, "thirdPartyPayment of another")

equal(register({"credProps": True}).client_extension_results.cred_props.rk, True, "credProps")
equal({what for what in person.asked if what != "touch"}, {"pin" if by_pin else "uv"}, "how the user was verified")

# Without verification there is another secret.
unverified = outputs(sign_in(credential, {"prf": {"eval": salts}}, uv="discouraged")).prf.results
check(unverified.first != results.first, "one secret with verification and without")
done()
