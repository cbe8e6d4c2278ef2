"""Registers and signs in with a key on a reader, verified by python-fido2's server."""

from bench import ERR, ClientPin, Ctap2, Person, RelyingParty, check, done, equal, refused, requested
from reader import on_reader, tap

device = on_reader()
device.use_ext_apdu = requested["extended"]
device.use_nfcctap_getresponse = requested["updates"]
ctap = Ctap2(device)
equal("nfc" in ctap.info.transports, True, "transports")
if requested["pin"] is not None:
    ClientPin(ctap).set_pin(requested["pin"])

verification = "required" if requested["pin"] is not None else "discouraged"
person = Person(pin=requested["pin"], uv=False)
relying_party = RelyingParty(device, person)
credentials = []
for rk in ("discouraged", "required"):
    tap(device)
    _, data = relying_party.register("alice", rk=rk, uv=verification)
    check(data.is_user_present(), "flags", data.flags)
    equal(data.is_user_verified(), requested["pin"] is not None, "user verified")
    credentials.append(data.credential_data)

    # One tap, one sign-in; the next is refused until the key is laid down anew.
    tap(device)
    (assertion,) = relying_party.sign_in(credentials, allow=[data.credential_data], uv=verification)
    check(assertion.response.authenticator_data.is_user_present(), "flags")
    named = [{"type": "public-key", "id": data.credential_data.credential_id}]
    refused(ERR.UP_REQUIRED, ctap.get_assertion, "example.com", b"\x07" * 32, named)

    tap(device)
    (assertion,) = relying_party.sign_in(credentials, allow=[data.credential_data], uv=verification)
    signed = assertion.response.authenticator_data
    check(signed.is_user_present(), "flags", signed.flags)

done(credentials=len(credentials))
