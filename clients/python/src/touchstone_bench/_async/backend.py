"""Helpers of the asynchronous client beyond httpx."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Callable, TypeAlias, TypeVar

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext

    from ..browser.settings import Settings
    from ..browser.playwright import AsyncAttachment as AsyncAttachment

    AsyncContext: TypeAlias = BrowserContext

Result = TypeVar("Result")


async def apart(work: Callable[[], Result]) -> Result:
    """Runs blocking work in another thread."""
    return await asyncio.to_thread(work)


async def attached(context: AsyncContext, url: str, token: str, device: str, settings: Settings) -> AsyncAttachment:
    """Attaches a device to a browser context."""
    from playwright.async_api import BrowserContext, Page

    from ..browser.carrier import Carrier
    from ..browser.playwright import AsyncAttachment, claim, release

    claim(context, device, BrowserContext, Page)
    try:
        carrier = await apart(lambda: Carrier(url, token, device, settings))
        return await AsyncAttachment(context, carrier).start()
    except BaseException:
        release(context)
        raise
