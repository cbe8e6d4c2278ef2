"""The client PIN from the first to the blocked one, over one PIN/UV auth protocol."""

from bench import ERR, PROTOCOLS, ClientPin, Ctap2, connect, done, equal, power_cycle, refused, requested

MC = ClientPin.PERMISSION.MAKE_CREDENTIAL
GA = ClientPin.PERMISSION.GET_ASSERTION

device = connect()
ctap = Ctap2(device)
protocol = PROTOCOLS[requested["protocol"]]()
pin = ClientPin(ctap, protocol)


def token(text):
    return pin.get_pin_token(text, MC | GA, "example.com")


def retries():
    return pin.get_pin_retries()[0]


refused(ERR.PIN_NOT_SET, token, "1234")
pin.set_pin("1234")
equal(ctap.get_info().options["clientPin"], True, "clientPin once set")
refused(ERR.PIN_AUTH_INVALID, pin.set_pin, "4321")
equal(len(token("1234")), 32, "length of a token")

# A PIN counts code points, and takes 63 bytes of UTF-8.
pin.change_pin("1234", "päßwort ☃")
refused(ERR.PIN_INVALID, token, "1234")
equal(retries(), 7, "retries after one mistake")
token("päßwort ☃")
equal(retries(), 8, "retries once the PIN was right")
refused(ERR.PIN_POLICY_VIOLATION, pin.change_pin, "päßwort ☃", "x" * 64)
pin.change_pin("päßwort ☃", "x" * 63)
pin.change_pin("x" * 63, "2468")

# Three in a row: blocked until the power goes, even for the right one.
refused(ERR.PIN_INVALID, token, "0000")
refused(ERR.PIN_INVALID, token, "0000")
refused(ERR.PIN_AUTH_BLOCKED, token, "0000")
equal(pin.get_pin_retries(), (5, True), "retries and powerCycleState")
refused(ERR.PIN_AUTH_BLOCKED, token, "2468")
refused(ERR.PIN_AUTH_BLOCKED, pin.change_pin, "2468", "1357")
equal(retries(), 5, "retries while blocked")
power_cycle(device)
equal(pin.get_pin_retries(), (5, None), "retries after the power cycle")
token("2468")
equal(retries(), 8, "retries after the right PIN")

# Eight in all: blocked for good, the power brings nothing back.
for expected in [ERR.PIN_INVALID, ERR.PIN_INVALID, ERR.PIN_AUTH_BLOCKED] * 2 + [ERR.PIN_INVALID, ERR.PIN_BLOCKED]:
    refused(expected, token, "0000")
    if expected == ERR.PIN_AUTH_BLOCKED:
        power_cycle(device)
equal(retries(), 0, "retries at the end")
power_cycle(device)
refused(ERR.PIN_BLOCKED, token, "2468")

done(retries=retries())
