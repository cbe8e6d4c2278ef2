"""What the synchronous client needs beyond httpx."""

from __future__ import annotations

from typing import Callable, TypeVar

Result = TypeVar("Result")


def apart(work: Callable[[], Result]) -> Result:
    """Runs blocking work."""
    return work()
