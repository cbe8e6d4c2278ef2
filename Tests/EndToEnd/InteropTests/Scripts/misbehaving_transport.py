"""A conformance run through a UDP proxy in front of a device, which misbehaves in one way."""

import selectors
import socket
import subprocess
import threading
import time

from bench import done, requested

POWER_CYCLE = bytes.fromhex(
    "ac1052ca95e569de69e02ebff333485f13f9b2da34c5a8a340526697a9ab2e0b"
    "394d8d04973c134005be1a0140bff6045bb26eb77a73eaa47813f6b49a7250dc"
)
INIT, CBOR, CANCEL, ERROR, KEEPALIVE = 0x86, 0x90, 0x91, 0xBF, 0xBB
CHANNEL_BUSY, OTHER = 0x06, 0x7F

# The packets of a client before the transport misbehaves: enough to open the device and to perform some cases.
GOOD_PACKETS = 40


def packet(channel, command, payload):
    return (channel + bytes([command, 0, len(payload)]) + payload).ljust(64, b"\0")


class Transport:
    def __init__(self, way, device_port):
        self.way = way
        self.front = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.front.bind(("127.0.0.1", 0))
        self.back = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.back.connect(("127.0.0.1", device_port))
        self.client = None
        self.packets = 0
        self.held = None
        self.kept_alive = None

    @property
    def misbehaves(self):
        return self.packets > GOOD_PACKETS

    def answer(self, data):
        if self.client:
            self.front.sendto(data, self.client)

    def request(self, data, ready):
        self.packets += 1
        channel, command = data[:4], data[4]
        begins = command & 0x80
        if self.way == "resetting" and self.packets % 25 == 0:
            self.back.send(POWER_CYCLE)
        elif not self.misbehaves:
            self.back.send(data)
        elif self.way == "silent":
            pass
        elif self.way == "closing":
            ready.unregister(self.front)
            self.front.close()
        elif self.way == "refusing-init" and command == INIT:
            self.answer(packet(channel, ERROR, bytes([OTHER])))
        elif self.way == "never-releasing" and begins:
            self.answer(packet(channel, ERROR, bytes([CHANNEL_BUSY])))
        elif self.way == "endless-keepalives" and command == CBOR:
            self.kept_alive = channel
        elif self.way == "endless-keepalives" and command == CANCEL:
            pass
        else:
            self.kept_alive = None
            self.back.send(data)

    def response(self, data):
        if self.way == "duplicates":
            self.answer(data)
            self.answer(data)
        elif self.way == "slow":
            time.sleep(0.05)
            self.answer(data)
        elif not self.misbehaves:
            self.answer(data)
        elif self.way == "garbage":
            self.answer(bytes((byte * 7 + place * 13 + 5) & 0xFF for place, byte in enumerate(data)))
        elif self.way == "late":
            late, self.held = self.held, data
            if late:
                self.answer(late)
        elif self.way == "wrong-channel":
            self.answer(data[:3] + bytes([data[3] ^ 1]) + data[4:])
        elif self.way == "overlong-lengths" and data[4] & 0x80:
            self.answer(data[:5] + b"\xff\xff" + data[7:])
        else:
            self.answer(data)

    def serve(self):
        ready = selectors.DefaultSelector()
        ready.register(self.front, selectors.EVENT_READ)
        ready.register(self.back, selectors.EVENT_READ)
        while True:
            for key, _ in ready.select(0.1):
                try:
                    data, sender = key.fileobj.recvfrom(1024)
                except ConnectionError:
                    continue
                if key.fileobj is self.front:
                    self.client = sender
                    self.request(data, ready)
                else:
                    self.response(data)
            if self.kept_alive:
                self.answer(packet(self.kept_alive, KEEPALIVE, b"\x01"))


transport = Transport(requested["way"], requested["port"])
port = transport.front.getsockname()[1]
threading.Thread(target=transport.serve, daemon=True).start()
run = subprocess.run(
    [requested["touchstone"], "conformance", "authenticator", "--device", f"udp:127.0.0.1:{port}"]
    + requested["options"],
    stdin=subprocess.DEVNULL,
    capture_output=True,
    text=True,
)
done(status=run.returncode, output=run.stdout, errors=run.stderr)
