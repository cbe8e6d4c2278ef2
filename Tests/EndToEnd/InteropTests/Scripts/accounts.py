"""Several accounts at one relying party, taken one after the other with getNextAssertion."""

from fido2.server import to_descriptor
from fido2.webauthn import PublicKeyCredentialDescriptor

from bench import (
    ERR, ClientPin, Ctap2, Person, RelyingParty, check, connect, done, equal, power_cycle, refused, requested,
)

device = connect()
ctap = Ctap2(device)
pin = ClientPin(ctap)
pin.set_pin("1234")
relying_party = RelyingParty(device, Person(pin="1234", uv=False))
names = ["alice", "bob", "carol"]
credentials = [relying_party.register(name, rk="required")[1].credential_data for name in names]
elsewhere = RelyingParty(device, Person(pin="1234", uv=False), rp_id="elsewhere.example")
elsewhere.register("dave", rk="required")
equal(ctap.get_info().remaining_disc_creds, requested["capacity"] - 4, "remaining credentials")

# The whole ceremony, all three verified by the server.
responses = relying_party.sign_in(credentials)
equal([response.raw_id for response in responses], [c.credential_id for c in reversed(credentials)], "newest first")

# A list longer than the device takes at once, with the only one it knows at the end.
strangers = [PublicKeyCredentialDescriptor(type="public-key", id=bytes([i]) * 100) for i in range(40)]
(response,) = relying_party.sign_in(credentials, allow=strangers + [to_descriptor(credentials[0])])
equal(response.raw_id, credentials[0].credential_id, "credential found in a long list")

challenge_hash = b"\x22" * 32


def first_assertion(verified):
    parameters = (None, None)
    if verified:
        token = pin.get_pin_token("1234", ClientPin.PERMISSION.GET_ASSERTION, "example.com")
        parameters = (pin.protocol.authenticate(token, challenge_hash), pin.protocol.VERSION)
    return ctap.get_assertion("example.com", challenge_hash, None, None, None, *parameters)


# Names go out to a verified user only; the handle always does.
for verified in (True, False):
    assertions = [first_assertion(verified)]
    equal(assertions[0].number_of_credentials, 3, "numberOfCredentials")
    assertions += [ctap.get_next_assertion(), ctap.get_next_assertion()]
    refused(ERR.NOT_ALLOWED, ctap.get_next_assertion)
    for assertion, name, credential in zip(assertions, reversed(names), reversed(credentials)):
        equal(assertion.credential["id"], credential.credential_id, "credential")
        equal(assertion.user.get("name"), name if verified else None, "name")
        check(assertion.user["id"], "user handle")
        equal(assertion.auth_data.is_user_verified(), verified, "UV")
        assertion.verify(challenge_hash, credential.public_key)
    equal([a.number_of_credentials for a in assertions[1:]], [None, None], "numberOfCredentials later on")

# Anything else, and the loss of power, ends the run.
first_assertion(False)
ctap.get_info()
refused(ERR.NOT_ALLOWED, ctap.get_next_assertion)
first_assertion(False)
power_cycle(device)
refused(ERR.NOT_ALLOWED, ctap.get_next_assertion)

done(accounts=len(responses))
