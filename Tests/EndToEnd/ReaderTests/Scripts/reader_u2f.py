"""CTAP1 as python-fido2 speaks it, on a key on a reader."""

from fido2.ctap1 import APDU, ApduError, Ctap1
from fido2.hid import CAPABILITY
from fido2.utils import sha256

from bench import check, done, equal
from reader import on_reader, tap

device = on_reader()
check(CAPABILITY.NMSG in device.capabilities, "SELECT names U2F_V2")
ctap = Ctap1(device)
equal(ctap.get_version(), "U2F_V2", "version")


def refused(code, call, *request):
    try:
        call(*request)
    except ApduError as error:
        equal(error.code, code, "status word")
    else:
        check(False, "nothing was refused")


challenge, application = sha256(b"challenge"), sha256(b"https://example.com")
tap(device)
registration = ctap.register(challenge, application)
registration.verify(application, challenge)
refused(APDU.USE_NOT_SATISFIED, ctap.register, challenge, application)

counter = 0
for _ in range(2):
    tap(device)
    signature = ctap.authenticate(challenge, application, registration.key_handle)
    signature.verify(application, challenge, registration.public_key)
    equal(signature.user_presence, 1, "user presence")
    check(signature.counter > counter, "the counter stands at", signature.counter)
    counter = signature.counter
    refused(APDU.USE_NOT_SATISFIED, ctap.authenticate, challenge, application, registration.key_handle)
refused(APDU.WRONG_DATA, ctap.authenticate, challenge, sha256(b"elsewhere"), registration.key_handle, True)
done()
