"""A client that dies while the device waits for a touch."""

import os
import sys

from fido2.ctap import STATUS

from bench import Ctap2, connect, done


def die(status):
    if status == STATUS.UPNEEDED:
        done()
        sys.stdout.flush()
        os._exit(0)


Ctap2(connect()).selection(on_keepalive=die)
raise AssertionError("nothing waited for a touch")
