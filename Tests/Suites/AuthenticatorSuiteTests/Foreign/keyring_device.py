"""ctap-keyring-device, a software authenticator of CTAP 2.0, behind CTAPHID over UDP; it prints its port.

The first argument is the folder of the package and of the python-fido2 that it needs. The program ends with its
standard input.
"""

import hashlib
import os
import sys
import threading
import uuid

sys.dont_write_bytecode = True
sys.path[:0] = [sys.argv[1]]

import keyring  # noqa: E402
from ctap_keyring_device import ctap_credential_maker  # noqa: E402
from ctap_keyring_device.ctap_keyring_device import CtapKeyringDevice  # noqa: E402
from ctaphid import CBOR, Server  # noqa: E402
from keyring.backend import KeyringBackend  # noqa: E402


class Memory(KeyringBackend):
    """A keyring that ends with the program."""

    priority = 1

    def __init__(self):
        super().__init__()
        self.passwords = {}

    def set_password(self, service, username, password):
        self.passwords[service, username] = password

    def get_password(self, service, username):
        return self.passwords.get((service, username))


def uuid_of_bytes(namespace, name):
    """uuid5 as in Python 3.12: an older one takes no bytes, and the package could not make a credential at all."""
    return uuid.UUID(bytes=hashlib.sha1(namespace.bytes + name).digest()[:16], version=5)


def end_with_input():
    sys.stdin.read()
    os._exit(0)


ctap_credential_maker.uuid5 = uuid_of_bytes
keyring.set_keyring(Memory())
device = CtapKeyringDevice()
server = Server(lambda message: bytes(device.call(CBOR, message)))
print(server.port, flush=True)
threading.Thread(target=end_with_input, daemon=True).start()
server.serve()
