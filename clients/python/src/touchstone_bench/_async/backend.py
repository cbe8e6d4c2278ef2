"""What the asynchronous client needs beyond httpx."""

from __future__ import annotations

import asyncio
from typing import Callable, TypeVar

Result = TypeVar("Result")


async def apart(work: Callable[[], Result]) -> Result:
    """Runs blocking work in another thread."""
    return await asyncio.to_thread(work)
