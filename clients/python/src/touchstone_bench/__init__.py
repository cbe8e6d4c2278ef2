"""Simulated phones, computers and security keys for tests of passkeys.

```python
import touchstone_bench

with touchstone_bench.Control.start() as control, control.start_device("iphone-face-id") as phone:
    phone.plan("no-match x 2", "cancel")
```
"""

from ._async.control import AsyncControl
from ._async.device import AsyncDevice
from ._sync.control import Control
from ._sync.device import Device
from .errors import CeremonyError, HandOverError, IdleActsError, ProgramError, RequestError, TouchstoneError, TouchstoneWarning
from .hand_over import HandOver
from .program import ControlProcess, find_program

__version__ = "0.1.0"

__all__ = [
    "AsyncControl", "AsyncDevice", "CeremonyError", "Control", "ControlProcess", "Device", "HandOver", "HandOverError",
    "IdleActsError", "ProgramError", "RequestError", "TouchstoneError", "TouchstoneWarning", "find_program",
]
