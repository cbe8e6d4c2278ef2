"""CTAPHID itself: echoes, channels, waiting and cancelling. The person at the device is never told to touch it."""

import threading
import time

from fido2.ctap import STATUS
from fido2.hid import CAPABILITY, CTAPHID

from bench import ERR, POWER_CYCLE, ClientPin, CtapError, Ctap2, check, connect, done, equal, refused

device = connect()
other = connect()
check(device._channel_id != other._channel_id, "one channel for two clients")
check(CAPABILITY.CBOR.supported(device.capabilities), "CBOR is not advertised")
check(CAPABILITY.WINK.supported(device.capabilities), "WINK is not advertised")
check(CAPABILITY.NMSG.supported(device.capabilities), "MSG is advertised")

lengths = [0, 1, 57, 58, 57 + 59, 57 + 59 + 1, 1024, 7608, 7609]
for length in lengths:
    message = bytes(i * 7 % 251 for i in range(length))
    equal(device.ping(message), message, f"echo of {length} bytes")
device.wink()
refused(ERR.INVALID_COMMAND, device.call, CTAPHID.MSG, b"\x00\x03\x00\x00\x00")
refused(ERR.INVALID_COMMAND, device.call, 0x42)

ctap = Ctap2(device)
parameters = (
    b"\x77" * 32, {"id": "example.com", "name": "Example"}, {"id": b"user", "name": "user"},
    [{"type": "public-key", "alg": -7}],
)


def wait_and_cancel(command, *arguments):
    """Starts a command, cancels it as soon as the device waits for a touch; returns how long that took to be said."""
    event = threading.Event()
    statuses = []
    begun = time.monotonic()

    def keepalive(status):
        statuses.append((status, time.monotonic() - begun))
        if status == STATUS.UPNEEDED:
            event.set()

    refused(ERR.KEEPALIVE_CANCEL, command, *arguments, event=event, on_keepalive=keepalive)
    return next(after for status, after in statuses if status == STATUS.UPNEEDED)


# The best of four: a busy computer may delay one of them, a slow device all.
pin = ClientPin(ctap)
uv_token = [pin.get_uv_token, ClientPin.PERMISSION.GET_ASSERTION, "example.com"]
waits = [
    wait_and_cancel(*call) for call in ([ctap.selection], [ctap.make_credential, *parameters], [ctap.reset], uv_token)
]
check(min(waits) < 0.5, "UPNEEDED came late:", waits)
equal(pin.get_uv_retries(), 3, "UV retries after a prompt that was taken back")

# While one channel waits for its touch the other hears that the device is busy, and neither loses anything.
waiting = threading.Event()
cancel = threading.Event()
outcome = []


def wait_for_touch():
    try:
        ctap.selection(
            event=cancel, on_keepalive=lambda status: waiting.set() if status == STATUS.UPNEEDED else None
        )
    except CtapError as error:
        outcome.append(error.code)


thread = threading.Thread(target=wait_for_touch)
thread.start()
check(waiting.wait(1800), "no UPNEEDED")
# Not `call`, which tries again for as long as the device is busy.
never = threading.Event()
refused(ERR.CHANNEL_BUSY, other._do_call, CTAPHID.PING, b"hello?", never, None)
refused(ERR.CHANNEL_BUSY, other._do_call, CTAPHID.CBOR, b"\x04", never, None)
# A cancel of a channel that runs nothing means nothing.
other._send_cancel()
third = connect()
check(not outcome, "the other channel's cancel was heeded:", outcome)
cancel.set()
thread.join(20)
equal(outcome, [ERR.KEEPALIVE_CANCEL], "end of the first channel's wait")
equal(other.ping(b"and now?"), b"and now?", "echo once the device is free")

# A lock keeps the others out, until it is given back.
device.lock(10)
refused(ERR.CHANNEL_BUSY, third._do_call, CTAPHID.PING, b"hello?", never, None)
equal(device.ping(b"mine"), b"mine", "echo for the holder of the lock")
device.lock(0)
equal(third.ping(b"mine too"), b"mine too", "echo after the lock")



class WalkedAway(Exception):
    pass


def walk_away(before=None):
    """Leaves a command alone once it waits for a touch."""

    def keepalive(status):
        if status == STATUS.UPNEEDED:
            if before:
                before()
            raise WalkedAway

    try:
        ctap.selection(on_keepalive=keepalive)
    except WalkedAway:
        return
    raise AssertionError("nothing waited for a touch")


# INIT on its own channel ends a command without a waiting client, and so does the loss of power.
walk_away()
nonce = bytes(range(8))
equal(device.call(CTAPHID.INIT, nonce)[:8], nonce, "nonce")
equal(device.ping(b"again"), b"again", "echo after INIT")
walk_away(before=lambda: other._connection.write_packet(POWER_CYCLE))
equal(other.ping(b"again"), b"again", "echo after a power cycle")
check(Ctap2(third).info.aaguid == ctap.info.aaguid, "another device after the power cycle")

done(lengths=lengths)
