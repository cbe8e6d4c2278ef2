"""Attaches a device to a browser context of Playwright (Chromium)."""

from __future__ import annotations

import asyncio
import contextlib
import warnings
import weakref
from typing import TYPE_CHECKING, Any, Iterable

from ..errors import TouchstoneError, TouchstoneWarning
from .carrier import Carrier, Send

if TYPE_CHECKING:
    from playwright import async_api, sync_api

_EVENTS = (
    "Runtime.executionContextCreated", "Runtime.executionContextDestroyed", "Runtime.executionContextsCleared",
    "Runtime.bindingCalled",
)


# The name of the device that answers a context's requests.
_attached: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()


def claim(context: Any, device: str, kind: type, page: type) -> None:
    """Keeps a context for a device. Raises for a context that has one, and for any other object."""
    if isinstance(context, page):
        raise TypeError("attach takes a context; use page.context.")
    if not isinstance(context, kind):
        found = f"{type(context).__module__}.{type(context).__qualname__}"
        raise TypeError(f"attach takes a context of {kind.__module__.removesuffix('._generated')}, found {found}.")
    if (other := _attached.get(context)) is not None:
        raise TouchstoneError(
            f"{other} answers the requests of this context, and each context has one device. Detach {other} first, or attach "
            f"{device} to another context.")
    _attached[context] = device


def release(context: Any) -> None:
    """Frees a context for another device."""
    _attached.pop(context, None)


def _listen(carrier: Carrier, session: Any, send: Send) -> None:
    carrier.open(session, send)
    for name in _EVENTS:
        session.on(name, lambda params, name=name: carrier.event(session, name, params))
    session.on("close", lambda _: carrier.close(session))


def _report_loaded(pages: Iterable[sync_api.Page | async_api.Page], carrier: Carrier) -> None:
    """Reports pages whose documents exist already: they keep the browser's own passkeys."""
    for page in pages:
        if not page.url.startswith("about:"):
            text = (f"The page {page.url} loaded before the device was attached, and does not ask it for passkeys. Attach "
                    "before the page loads, or reload it.")
            warnings.warn(text, TouchstoneWarning, stacklevel=4)
            carrier.errors.append(TouchstoneError(text))


class Attachment:
    """A device that answers a context's requests for passkeys. Ends with the context, or with `detach`."""

    def __init__(self, context: sync_api.BrowserContext, carrier: Carrier) -> None:
        self._context = context
        self._carrier = carrier
        self._frames: set[sync_api.Frame] = set()
        _report_loaded(context.pages, carrier)
        context.add_init_script(self._carrier.scripts["page"])
        for page in context.pages:
            self._open(page)
        context.on("page", self._open)
        context.on("close", lambda _: self._end())

    def _end(self) -> None:
        self._carrier.stop()
        release(self._context)

    def _open(self, page: sync_api.Page) -> None:
        page.on("framenavigated", self._open_frame)
        self._attach(page)
        for frame in page.frames:
            self._open_frame(frame)

    def _open_frame(self, frame: sync_api.Frame) -> None:
        """Attaches to a frame with a process of its own; the page's session has the others."""
        if frame.parent_frame is None or frame in self._frames:
            return
        self._frames.add(frame)
        if (session := self._attach(frame)) is not None:
            session.on("close", lambda _: self._frames.discard(frame))
        else:
            self._frames.discard(frame)

    def _attach(self, target: sync_api.Page | sync_api.Frame) -> sync_api.CDPSession | None:
        # Playwright's loop runs this in a greenlet, and no other thread may use its objects.
        import greenlet
        from playwright.sync_api import Error

        loop = asyncio.get_running_loop()

        def send(method: str, params: dict[str, Any]) -> None:
            def try_to_send() -> None:
                try:
                    session.send(method, params)
                except Error:
                    return  # The document or the page is gone, and its requests with it.

            loop.call_soon_threadsafe(lambda: greenlet.greenlet(try_to_send).switch())

        try:
            session = self._context.new_cdp_session(target)
        except Error:
            return None  # The page is closed, or the frame shares its parent's process.
        _listen(self._carrier, session, send)
        try:
            for method, params in self._carrier.commands():
                session.send(method, params)
        except Error:
            return None  # The target is gone.
        return session

    def pick(self, account: int | None = None) -> None:
        """The user picks a suggested passkey in a field, as soon as a page offers one.

        Raises `CeremonyError` when the ceremony fails; the page's request then goes on waiting.
        """
        from playwright.sync_api import Error

        picking = self._carrier.start_pick(account)
        while not picking.done() and self._context.pages:
            # Lets Playwright receive the page's request. The page may close itself after the sign-in.
            with contextlib.suppress(Error):
                self._context.pages[-1].wait_for_timeout(10)
        picking.result()

    @property
    def errors(self) -> list[TouchstoneError]:
        """The failures without an answer of the device: a control API that ended, a page that had loaded before."""
        return self._carrier.errors

    def detach(self) -> None:
        """Ends the requests; the context's pages get no more answers. Another device may then answer the pages that open."""
        self._context.remove_listener("page", self._open)
        self._end()


class AsyncAttachment:
    """A device that answers a context's requests for passkeys. Ends with the context, or with `detach`."""

    def __init__(self, context: async_api.BrowserContext, carrier: Carrier) -> None:
        self._context = context
        self._carrier = carrier
        self._tasks: set[asyncio.Task[None]] = set()
        self._frames: set[async_api.Frame] = set()

    async def start(self) -> AsyncAttachment:
        """Attaches to the context's pages, and to each new one."""
        _report_loaded(self._context.pages, self._carrier)
        await self._context.add_init_script(self._carrier.scripts["page"])
        for page in self._context.pages:
            await self._open(page)
        self._context.on("page", self._open_later)
        self._context.on("close", lambda _: self._end())
        return self

    def _end(self) -> None:
        self._carrier.stop()
        release(self._context)

    def _open_later(self, page: async_api.Page) -> None:
        self._keep(self._open(page))

    def _keep(self, work: Any) -> None:
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _open(self, page: async_api.Page) -> None:
        page.on("framenavigated", lambda frame: self._keep(self._open_frame(frame)))
        await self._attach(page)
        for frame in page.frames:
            await self._open_frame(frame)

    async def _open_frame(self, frame: async_api.Frame) -> None:
        """Attaches to a frame with a process of its own; the page's session has the others."""
        if frame.parent_frame is None or frame in self._frames:
            return
        self._frames.add(frame)
        if (session := await self._attach(frame)) is not None:
            session.on("close", lambda _: self._frames.discard(frame))
        else:
            self._frames.discard(frame)

    async def _attach(self, target: async_api.Page | async_api.Frame) -> async_api.CDPSession | None:
        from playwright.async_api import Error

        loop = asyncio.get_running_loop()

        async def try_to_send(method: str, params: dict[str, Any]) -> None:
            try:
                await session.send(method, params)
            except Error:
                return  # The document or the page is gone, and its requests with it.

        def send(method: str, params: dict[str, Any]) -> None:
            loop.call_soon_threadsafe(lambda: self._keep(try_to_send(method, params)))

        try:
            session = await self._context.new_cdp_session(target)
        except Error:
            return None  # The page is closed, or the frame shares its parent's process.
        _listen(self._carrier, session, send)
        try:
            for method, params in self._carrier.commands():
                await session.send(method, params)
        except Error:
            return None  # The target is gone.
        return session

    async def pick(self, account: int | None = None) -> None:
        """The user picks a suggested passkey in a field, as soon as a page offers one.

        Raises `CeremonyError` when the ceremony fails; the page's request then goes on waiting.
        """
        await asyncio.wrap_future(self._carrier.start_pick(account))

    @property
    def errors(self) -> list[TouchstoneError]:
        """The failures without an answer of the device: a control API that ended, a page that had loaded before."""
        return self._carrier.errors

    async def detach(self) -> None:
        """Ends the requests; the context's pages get no more answers. Another device may then answer the pages that open."""
        self._context.remove_listener("page", self._open_later)
        await asyncio.to_thread(self._carrier.stop)
        release(self._context)
