"""Large blobs, written and read by python-fido2, which compresses, encrypts and cuts them up itself."""

import os

from fido2.ctap2.blob import LargeBlobs
from fido2.utils import sha256

from bench import ERR, PROTOCOLS, ClientPin, Ctap2, check, connect, done, equal, power_cycle, refused, requested

P = ClientPin.PERMISSION
device = connect()
ctap = Ctap2(device)
protocol = PROTOCOLS[requested["protocol"]]()
pin = ClientPin(ctap, protocol)


def blobs():
    return LargeBlobs(ctap, protocol, pin.get_pin_token("1234", P.LARGE_BLOB_WRITE))


# Without a PIN every client may write.
keys = [os.urandom(32) for _ in range(3)]
LargeBlobs(ctap).put_blob(keys[0], b"before the PIN")
equal(LargeBlobs(ctap).get_blob(keys[0]), b"before the PIN", "a blob written without a token")
pin.set_pin("1234")
refused(ERR.PUAT_REQUIRED, LargeBlobs(ctap).put_blob, keys[0], b"without a token")
wrong = LargeBlobs(ctap, protocol, pin.get_pin_token("1234", P.CREDENTIAL_MGMT))
refused(ERR.PIN_AUTH_INVALID, wrong.put_blob, keys[0], b"with a token for something else")

contents = {key: os.urandom(300) * 2 for key in keys}
for key, content in contents.items():
    blobs().put_blob(key, content)
for key, content in contents.items():
    equal(LargeBlobs(ctap).get_blob(key), content, "a blob")
equal(LargeBlobs(ctap).get_blob(os.urandom(32)), None, "a blob of another key")
power_cycle(device)
for key, content in contents.items():
    equal(LargeBlobs(ctap).get_blob(key), content, "a blob after a loss of power")

# An array that does not fit, or arrives damaged, changes nothing.
before = LargeBlobs(ctap).read_blob_array()
refused(ERR.LARGE_BLOB_STORAGE_FULL, blobs().put_blob, keys[0], os.urandom(requested["capacity"]))


def write(data, offset, length=None):
    token = pin.get_pin_token("1234", P.LARGE_BLOB_WRITE)
    message = b"\xff" * 32 + b"\x0c\x00" + offset.to_bytes(4, "little") + sha256(data)
    return ctap.large_blobs(
        offset, set=data, length=length, pin_uv_protocol=protocol.VERSION,
        pin_uv_param=protocol.authenticate(token, message),
    )


array = b"\x80" + sha256(b"\x80")[:16]
refused(ERR.INTEGRITY_FAILURE, write, array[:-1] + b"\x00", 0, 17)
refused(ERR.INVALID_SEQ, write, array[5:], 5)
write(array[:5], 0, 17)
refused(ERR.INVALID_SEQ, write, array[6:], 6)
equal(LargeBlobs(ctap).read_blob_array(), before, "the array after writes that failed")

blobs().delete_blob(keys[1])
equal(LargeBlobs(ctap).get_blob(keys[1]), None, "a deleted blob")
equal(LargeBlobs(ctap).get_blob(keys[2]), contents[keys[2]], "the blob beside it")
write(array[:5], 0, 17)
write(array[5:], 5)
equal(LargeBlobs(ctap).read_blob_array(), [], "the array after everything was erased")
check(len(ctap.large_blobs(0, get=1024)[1]) == 17, "the shortest array")
done()
