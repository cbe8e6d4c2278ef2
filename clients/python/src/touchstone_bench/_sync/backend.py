"""Helpers of the synchronous client beyond httpx."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, TypeAlias, TypeVar

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

    from ..browser.settings import Settings
    from ..browser.playwright import Attachment as Attachment

    Context: TypeAlias = BrowserContext

Result = TypeVar("Result")


def apart(work: Callable[[], Result]) -> Result:
    """Runs blocking work."""
    return work()


def attached(context: Context, url: str, token: str, device: str, settings: Settings) -> Attachment:
    """Attaches a device to a browser context."""
    from playwright.sync_api import BrowserContext, Page

    from ..browser.carrier import Carrier
    from ..browser.playwright import Attachment, claim, release

    claim(context, device, BrowserContext, Page)
    try:
        return Attachment(context, Carrier(url, token, device, settings))
    except BaseException:
        release(context)
        raise
