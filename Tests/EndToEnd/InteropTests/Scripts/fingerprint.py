"""A finger that does not match, until only the PIN helps. The Swift side queues the user's acts."""

from bench import ERR, ClientPin, Ctap2, Person, RelyingParty, check, connect, done, equal, refused

device = connect()
ctap = Ctap2(device)
pin = ClientPin(ctap)
pin.set_pin("1234")
ga = ClientPin.PERMISSION.GET_ASSERTION

retries = [pin.get_uv_retries()]
for expected in (ERR.UV_INVALID, ERR.UV_INVALID, ERR.UV_BLOCKED):
    refused(expected, pin.get_uv_token, ga, "example.com")
    retries.append(pin.get_uv_retries())
# Now without even looking: no act of the person is left for these.
refused(ERR.UV_BLOCKED, pin.get_uv_token, ga, "example.com")
refused(
    ERR.PUAT_REQUIRED, ctap.make_credential, b"\x66" * 32, {"id": "example.com", "name": "Example"},
    {"id": b"user", "name": "user"}, [{"type": "public-key", "alg": -7}], options={"uv": True},
)

# python-fido2's client tries the finger, hears that it is blocked, and asks for the PIN.
person = Person(pin="1234")
relying_party = RelyingParty(device, person)
_, data = relying_party.register("alice", rk="required")
check(data.is_user_verified(), "UV by PIN")
equal([what for what in person.asked if what != "touch"], ["uv", "pin"], "the requests to the user")
retries.append(pin.get_uv_retries())

# The PIN has brought the finger back, and this time it matches.
person.asked = []
relying_party.sign_in([data.credential_data])
equal("pin" in person.asked, False, "whether the PIN was asked for again")
done(retries=retries)
