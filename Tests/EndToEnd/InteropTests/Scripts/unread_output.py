"""Requests at a device whose standard output is not read, and its end."""

import faulthandler
import os
import re
import signal
import socket
import subprocess

from bench import done, requested

faulthandler.dump_traceback_later(1800, exit=True)

# Each request makes two lines: more than the pipe and the program's queue hold.
REQUESTS = 9000
INIT, CBOR = 0x86, 0x90

device = subprocess.Popen(
    [requested["touchstone"], "device", "start", "solo-2", "--udp", "0", "--name", "unread"],
    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=requested["folder"],
    env={**os.environ, "TOUCHSTONE_RUNTIME": requested["runtime"]})
try:
    port = int(re.search(r"udp:127\.0\.0\.1:(\d+)", device.stderr.readline())[1])
    client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    client.connect(("127.0.0.1", port))
    client.send((b"\xff\xff\xff\xff" + bytes([INIT, 0, 8]) + bytes(8)).ljust(64, b"\0"))
    channel = client.recv(64)[15:19]
    request = (channel + bytes([CBOR, 0, 1, 4])).ljust(64, b"\0")
    for _ in range(REQUESTS):
        client.send(request)
        report = client.recv(64)
        assert report[4] == CBOR, report.hex()
        left = int.from_bytes(report[5:7], "big") - 57
        while left > 0:
            client.recv(64)
            left -= 59
    # What fits in the pipe is read late; the next line tells of the events without one.
    device.stdout.read(1 << 16)
    note = device.stderr.readline()
    # The end does not wait for a reader of the rest.
    device.send_signal(signal.SIGINT)
    status = device.wait()
    assert status == 0, (status, device.stderr.read())
    done(note=note)
finally:
    device.kill()
    device.wait()
