"""CTAPHID over UDP in front of an authenticator: one report of 64 bytes in each datagram (CTAP 2.3 §11.2)."""

import select
import socket
import struct
import time

REPORT = 64
BROADCAST = 0xFFFFFFFF
PING, MSG, INIT, CBOR, CANCEL, KEEPALIVE, ERROR = 0x01, 0x03, 0x06, 0x10, 0x11, 0x3B, 0x3F
INVALID_COMMAND, INVALID_LENGTH, INVALID_SEQUENCE, TIMEOUT, BUSY, INVALID_CHANNEL = 1, 3, 4, 5, 6, 0x0B
CAPABILITIES = 0x04 | 0x08  # CBOR, and no MSG
LONGEST = REPORT - 7 + 128 * (REPORT - 5)
TRANSACTION_SECONDS = 0.5


class Message:
    """A message whose packets arrive."""

    def __init__(self, channel, command, length, data, sender):
        self.channel, self.command, self.length = channel, command, length
        self.data, self.sender = bytearray(data), sender
        self.sequence = 0
        self.deadline = time.monotonic() + TRANSACTION_SECONDS

    @property
    def is_whole(self):
        return len(self.data) >= self.length


class Server:
    """Answers the reports of one socket; `answer` takes the bytes of a CBOR message and returns those of its answer."""

    def __init__(self, answer):
        self.answer = answer
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.channels = 0
        self.message = None

    def serve(self):
        while True:
            left = None if self.message is None else max(0, self.message.deadline - time.monotonic())
            ready, _, _ = select.select([self.socket], [], [], left)
            if not ready:
                self.fail(self.message.channel, TIMEOUT, self.message.sender)
                self.message = None
                continue
            report, sender = self.socket.recvfrom(2 * REPORT)
            if len(report) == REPORT:
                self.receive(report, sender)

    def receive(self, report, sender):
        channel, head = struct.unpack(">IB", report[:5])
        if head & 0x80:
            (length,) = struct.unpack(">H", report[5:7])
            self.begin(channel, head & 0x7F, length, report[7:], sender)
        elif self.message is not None and self.message.channel == channel:
            if head != self.message.sequence:
                self.message = None
                return self.fail(channel, INVALID_SEQUENCE, sender)
            self.message.sequence += 1
            self.message.data += report[5:]
            self.finish()

    def begin(self, channel, command, length, data, sender):
        if command == INIT:
            return self.initialize(channel, length, data, sender)
        if not 0 < channel <= self.channels:
            return self.fail(channel, INVALID_CHANNEL, sender)
        if self.message is not None:
            if self.message.channel == channel:
                self.message = None
                return self.fail(channel, INVALID_SEQUENCE, sender)
            return self.fail(channel, BUSY, sender)
        if command == CANCEL:
            return None
        if length > LONGEST:
            return self.fail(channel, INVALID_LENGTH, sender)
        self.message = Message(channel, command, length, data, sender)
        return self.finish()

    def initialize(self, channel, length, nonce, sender):
        if length != 8:
            return self.fail(channel, INVALID_LENGTH, sender)
        if channel == 0 or self.channels < channel != BROADCAST:
            return self.fail(channel, INVALID_CHANNEL, sender)
        if self.message is not None and self.message.channel == channel:
            self.message = None
        elif self.message is not None and channel != BROADCAST:
            return self.fail(channel, BUSY, sender)
        made = channel
        if channel == BROADCAST:
            self.channels += 1
            made = self.channels
        answer = nonce[:8] + struct.pack(">IBBBBB", made, 2, 1, 0, 6, CAPABILITIES)
        return self.send(channel, INIT, answer, sender)

    def finish(self):
        message = self.message
        if not message.is_whole:
            return None
        self.message = None
        payload = bytes(message.data[: message.length])
        if message.command == PING:
            return self.send(message.channel, PING, payload, message.sender)
        if message.command != CBOR:
            return self.fail(message.channel, INVALID_COMMAND, message.sender)
        if not payload:
            return self.fail(message.channel, INVALID_LENGTH, message.sender)
        return self.send(message.channel, CBOR, self.answer(payload), message.sender)

    def fail(self, channel, code, sender):
        self.send(channel, ERROR, bytes([code]), sender)

    def send(self, channel, command, payload, sender):
        packet = struct.pack(">IBH", channel, 0x80 | command, len(payload)) + payload[: REPORT - 7]
        rest = payload[REPORT - 7 :]
        self.socket.sendto(packet.ljust(REPORT, b"\0"), sender)
        for sequence in range(0, (len(rest) + REPORT - 6) // (REPORT - 5)):
            part = rest[sequence * (REPORT - 5) : (sequence + 1) * (REPORT - 5)]
            packet = struct.pack(">IB", channel, sequence) + part
            self.socket.sendto(packet.ljust(REPORT, b"\0"), sender)
