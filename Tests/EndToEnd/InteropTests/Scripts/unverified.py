"""A touch alone, at a key with makeCredUvNotRqd and without a demand for user verification."""

from bench import ERR, ClientPin, Ctap2, Person, RelyingParty, check, connect, done, equal, refused

device = connect()
ctap = Ctap2(device)
person = Person()
relying_party = RelyingParty(device, person)

response, data = relying_party.register("before any PIN", rk="required", uv="discouraged")
check(data.is_user_present() and not data.is_user_verified(), "flags", data.flags)

ClientPin(ctap).set_pin("1234")
response, data = relying_party.register("with a PIN set", uv="discouraged")
check(data.is_user_present() and not data.is_user_verified(), "flags", data.flags)
(assertion,) = relying_party.sign_in([data.credential_data], allow=[data.credential_data], uv="discouraged")
check(not assertion.response.authenticator_data.is_user_verified(), "UV without verification")
equal(set(person.asked), {"touch"}, "the requests to the user")

# A discoverable credential is another matter once there is a PIN.
parameters = (
    b"\x11" * 32, {"id": "example.com", "name": "Example"}, {"id": b"user", "name": "user"},
    [{"type": "public-key", "alg": -7}],
)
refused(ERR.PUAT_REQUIRED, ctap.make_credential, *parameters, options={"rk": True})
refused(ERR.INVALID_OPTION, ctap.make_credential, *parameters, options={"up": False})
refused(
    ERR.UNSUPPORTED_ALGORITHM, ctap.make_credential, *parameters[:3], [{"type": "public-key", "alg": -257}]
)
refused(ERR.NO_CREDENTIALS, ctap.get_assertion, "elsewhere.example", b"\x11" * 32)
# A question without a touch is answered without the UP flag.
silent = ctap.get_assertion(
    "example.com", b"\x11" * 32, [{"type": "public-key", "id": data.credential_data.credential_id}],
    options={"up": False},
)
check(not silent.auth_data.is_user_present(), "UP without a touch")
silent.verify(b"\x11" * 32, data.credential_data.public_key)
done()
