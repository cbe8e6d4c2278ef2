"""A key that wants its button pressed: the wait is told, and can be cancelled."""

from threading import Event

from fido2.ctap import STATUS

from bench import ERR, Ctap2, done, equal, refused
from reader import on_reader

ctap = Ctap2(on_reader())
given_up = Event()
heard = []


def hear(status):
    heard.append(status)
    given_up.set()


request = (
    b"\x09" * 32, {"id": "example.com", "name": "Example"}, {"id": b"ada", "name": "ada"},
    [{"type": "public-key", "alg": -7}],
)
refused(ERR.KEEPALIVE_CANCEL, ctap.make_credential, *request, event=given_up, on_keepalive=hear)
equal(heard, [STATUS.UPNEEDED], "the keepalives of the wait")
equal(ctap.get_info().aaguid, ctap.info.aaguid, "AAGUID, when the key answers again")
done()
