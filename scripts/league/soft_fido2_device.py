"""soft-fido2, a software authenticator of CTAP 2.1, with its own CTAPHID over UDP; it prints its port.

The package writes reports to /dev/uhid, which containers do not have. This program carries them in datagrams of 64 bytes, and
gives them to the package as UHID does. The argument is the PIN. A simulated user consents to each request for presence. The
program ends with its standard input.
"""
import os
import socket
import sys
import tempfile
import threading
import time
from types import SimpleNamespace

folder = tempfile.TemporaryDirectory(prefix="touchstone-league-")
os.environ["FIDO_HOME"] = folder.name

from soft_fido2.key_pair import KeyPair  # noqa: E402
from soft_fido2.platform.message_queues import MessageQueue, PlatformKeyResponse, QueueMessageType  # noqa: E402
from soft_fido2.platform.passkey_device import CTAPHIDevice  # noqa: E402
from soft_fido2.qt.svc.passkey_service import PasskeyService  # noqa: E402

REPORT = 64
UHID_DATA = 4096
# Longer than the package's 100 ms before its first keepalive.
CONSENT_SECONDS = 0.12


def start(work, *values):
    threading.Thread(target=work, args=values, daemon=True).start()


def answer_key_requests():
    """The package's window answers these requests in its place."""
    key = KeyPair.generate_ecdsa()
    while True:
        request = MessageQueue.platform_key_requests.get()
        MessageQueue.platform_key_responses.put(PlatformKeyResponse(request.request_id, key_pair=key))


def consent():
    """The simulated user accepts each request for presence."""
    while True:
        message = MessageQueue.notify_sysapp.get()
        if message in (QueueMessageType.USER_REQUEST, QueueMessageType.USER_REQUEST_FPRINT):
            time.sleep(CONSENT_SECONDS)
            MessageQueue.notify_auth.put(QueueMessageType.USER_RESPONSE_ACCEPT)


def end_with_input():
    sys.stdin.read()
    folder.cleanup()
    os._exit(0)


class Carrier:
    """Carries reports between a socket and the device."""

    def __init__(self, device):
        self.device = device
        self.peer = None
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))

    def send(self):
        while True:
            report = bytes(self.device.pending.get())[:REPORT]
            self.socket.sendto(report.ljust(REPORT, b"\0"), self.peer)

    def receive(self):
        while True:
            report, peer = self.socket.recvfrom(2 * REPORT)
            if len(report) != REPORT:
                continue
            self.peer = peer
            # UHID puts the number of the report first, and fills its buffer with zeros.
            data = b"\0" + report
            event = SimpleNamespace(data=data.ljust(UHID_DATA, b"\0"), ev_len=len(data))
            # The package also handles each event in a thread.
            start(self.device.process_output, event)


start(answer_key_requests)
start(consent)
made, text = PasskeyService(folder.name).generate_passkey(sys.argv[1], "league")
if not made:
    sys.exit(text)
carrier = Carrier(CTAPHIDevice(""))
start(carrier.send)
start(end_with_input)
print(carrier.socket.getsockname()[1], flush=True)
carrier.receive()
