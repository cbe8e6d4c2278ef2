"""Keywords for Robot Framework: simulated devices, their users and their events.

```robotframework
*** Settings ***
Library    touchstone_bench.robot.TouchstoneLibrary
```
"""

from .library import TouchstoneLibrary

__all__ = ["TouchstoneLibrary"]
