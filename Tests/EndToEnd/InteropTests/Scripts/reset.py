"""One act of the reset play; the Swift side moves the device's clock between acts."""

from bench import ERR, ClientPin, Ctap2, Person, RelyingParty, connect, done, equal, power_cycle, refused, requested

device = connect()
ctap = Ctap2(device)
act = requested["act"]
if act == "settle in":
    ClientPin(ctap).set_pin("1234")
    relying_party = RelyingParty(device, Person(pin="1234", uv=False))
    _, kept = relying_party.register("alice", rk="required")
    _, sealed = relying_party.register("bob")
    done(credentials=[kept.credential_data.credential_id.hex(), sealed.credential_data.credential_id.hex()])
elif act == "too late":
    refused(ERR.NOT_ALLOWED, ctap.reset)
    equal(ctap.get_info().options["clientPin"], True, "clientPin after a refused reset")
    done(remaining=ctap.get_info().remaining_disc_creds)
elif act == "in time":
    power_cycle(device)
    ctap.reset()
    equal(ctap.get_info().options["clientPin"], False, "clientPin after the reset")
    for identifier in requested["credentials"]:
        allow = [{"type": "public-key", "id": bytes.fromhex(identifier)}]
        refused(ERR.NO_CREDENTIALS, ctap.get_assertion, "example.com", b"\x55" * 32, allow)
    refused(ERR.NO_CREDENTIALS, ctap.get_assertion, "example.com", b"\x55" * 32)
    equal(ClientPin(ctap).get_pin_retries()[0], 8, "PIN retries after the reset")
    done(remaining=ctap.get_info().remaining_disc_creds, uv=ctap.get_info().options.get("uv"))
