"""An X display of its own."""

import os
import subprocess
from contextlib import contextmanager


@contextmanager
def started(size="1500x1000"):
    """The name of a new display with a free number, such as `:1`."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size}x24", "-nolisten", "tcp"], pass_fds=[write],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as numbers:
            number = numbers.readline().strip()
        assert number, "Xvfb does not start"
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()
