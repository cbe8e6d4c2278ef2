"""CTAP1 as python-fido2 speaks it: raw messages, and its client on a device that offers nothing else."""

import os

from fido2.ctap1 import APDU, ApduError, Ctap1

from bench import check, connect, done, equal
from fido2.utils import sha256

device = connect()
ctap = Ctap1(device)
equal(ctap.get_version(), "U2F_V2", "version")

challenge, application = sha256(b"challenge"), sha256(b"https://example.com")
registration = ctap.register(challenge, application)
registration.verify(application, challenge)
equal(registration.public_key[:1], b"\x04", "the point's form")

first = ctap.authenticate(challenge, application, registration.key_handle)
first.verify(application, challenge, registration.public_key)
equal(first.user_presence, 1, "user presence")
second = ctap.authenticate(challenge, application, registration.key_handle)
check(second.counter > first.counter, "the counter stands at", second.counter)


def refused(code, *request):
    try:
        ctap.authenticate(*request)
    except ApduError as error:
        equal(error.code, code, "status word")
    else:
        check(False, "nothing was refused")


refused(APDU.USE_NOT_SATISFIED, challenge, application, registration.key_handle, True)
refused(APDU.WRONG_DATA, challenge, application, os.urandom(64), True)
refused(APDU.WRONG_DATA, challenge, sha256(b"elsewhere"), registration.key_handle)
done()
