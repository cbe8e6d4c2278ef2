"""A second registration of a device that a relying party knows already."""

from fido2.client import ClientError

from bench import ERR, ClientPin, Ctap2, Person, RelyingParty, connect, done, equal, refused

device = connect()
ctap = Ctap2(device)
pin = ClientPin(ctap)
pin.set_pin("1234")
person = Person(pin="1234", uv=False)
relying_party = RelyingParty(device, person)
elsewhere = RelyingParty(device, person, rp_id="elsewhere.example")

for rk in ("required", "discouraged"):
    _, data = relying_party.register(f"alice-{rk}", rk=rk)
    known = data.credential_data
    try:
        relying_party.register("alice again", exclude=[known])
    except ClientError as error:
        equal(error.code, ClientError.ERR.DEVICE_INELIGIBLE, "the client's error")
        equal(error.cause.code, ERR.CREDENTIAL_EXCLUDED, "the device's status")
    else:
        raise AssertionError("registered twice")
    # Another relying party's list does not concern it, nor does an unknown type of credential.
    elsewhere.register("alice elsewhere", exclude=[known])
    token = pin.get_pin_token("1234", ClientPin.PERMISSION.MAKE_CREDENTIAL, "example.com")
    parameters = (
        b"\x33" * 32, {"id": "example.com", "name": "Example"}, {"id": b"other", "name": "other"},
        [{"type": "public-key", "alg": -7}], [{"type": "unheard-of", "id": known.credential_id}], None, None,
        pin.protocol.authenticate(token, b"\x33" * 32), pin.protocol.VERSION,
    )
    ctap.make_credential(*parameters)

too_many = [{"type": "public-key", "id": bytes([i]) * 16} for i in range(ctap.info.max_creds_in_list + 1)]
refused(
    ERR.LIMIT_EXCEEDED, ctap.make_credential, b"\x33" * 32, {"id": "example.com", "name": "Example"},
    {"id": b"other", "name": "other"}, [{"type": "public-key", "alg": -7}], too_many,
)
done()
