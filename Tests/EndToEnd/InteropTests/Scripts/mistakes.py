"""Sets a PIN and types it wrongly until the device wants its power cycled."""

from bench import ERR, ClientPin, Ctap2, connect, done, refused

pin = ClientPin(Ctap2(connect()))
pin.set_pin("1234")
for expected in (ERR.PIN_INVALID, ERR.PIN_INVALID, ERR.PIN_AUTH_BLOCKED):
    refused(expected, pin.get_pin_token, "0000")
done()
