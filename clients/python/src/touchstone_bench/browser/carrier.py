"""Carries requests of a browser's documents to the control API, and the answers back."""

from __future__ import annotations

import asyncio
import json
import secrets
import threading
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Callable, Coroutine, TypeVar, cast

from .. import models
from ..errors import TouchstoneError
from .settings import Settings
from .socket import SocketControl

Result = TypeVar("Result")
Send = Callable[[str, dict[str, Any]], None]
# The time in which a page makes a conditional request, in seconds.
_HOW_LONG = 30
# The end of a conditional request that does not wait, without a passkey: the words of Playwright's `context.credentials`.
_NO_PASSKEY: dict[str, Any] = {"error": {"name": "NotAllowedError", "message": "No matching credential"}}


@dataclass
class _Session:
    """A DevTools session of a page, or of a frame with a process of its own."""

    send: Send
    # The origins of the relays' execution contexts, by their IDs.
    origins: dict[int, str] = field(default_factory=dict)


@dataclass(eq=False)
class _Request:
    session: _Session
    context: int
    id: int
    task: asyncio.Task[None] | None = None


class Carrier:
    """Serves the documents of a browser in a thread of its own.

    A browser's connection calls `open`, `event` and `close`; the carrier calls the connection's `send` from its thread. The
    documents run the carrier's `scripts`.
    """

    def __init__(self, url: str, token: str, device: str, settings: Settings) -> None:
        # The failures without an answer of the device, such as a control API that ended.
        self.errors: list[TouchstoneError] = []
        self._settings = settings
        # The name of the browser at the control API.
        self._session = secrets.token_hex(16)
        self._running: set[_Request] = set()
        self._sessions: dict[object, _Session] = {}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="touchstone-browser", daemon=True)
        self._thread.start()
        self._control = self._do(_made(lambda: SocketControl(url, token))).result()
        self._device = self._control.device(device)
        try:
            self.scripts: models.V1PageScriptsGetResponse = self._do(self._control.page_scripts()).result()
        except TouchstoneError:
            self.stop()
            raise

    def _do(self, work: Coroutine[Any, Any, Result]) -> Future[Result]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def commands(self) -> list[tuple[str, dict[str, Any]]]:
        """The DevTools commands that prepare a page, or a frame with a process of its own, for the relay.

        They attach to no target themselves: a second `Target.setAutoAttach` makes Chromium close the session that Playwright
        has of a frame, and the frame's next document then runs without the page's script.
        """
        world, relay = self.scripts["world"], self.scripts["relay"]
        return [
            ("Page.enable", {}),
            ("Runtime.enable", {}),
            ("Runtime.addBinding", {"name": self.scripts["binding"], "executionContextName": world}),
            ("Page.addScriptToEvaluateOnNewDocument", {"source": relay, "worldName": world, "runImmediately": True}),
        ]

    # Called by the connection, in any thread.

    def open(self, key: object, send: Send) -> None:
        """A page or a frame is attached."""
        self._tell(self._sessions.__setitem__, key, _Session(send))

    def event(self, key: object, method: str, params: dict[str, Any]) -> None:
        """The session sent an event."""
        self._tell(self._on_event, key, method, params)

    def close(self, key: object) -> None:
        """The session ended."""
        self._tell(self._on_close, key)

    def _tell(self, work: Callable[..., None], *arguments: object) -> None:
        # The pages of a detached context still send events.
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(work, *arguments)

    def start_pick(self, account: int | None = None) -> Future[None]:
        """The user picks a suggested passkey, as soon as a page offers one.

        The result is `CeremonyError` when that fails, and the page's request goes on waiting.
        """
        return self._do(self._device.pick_for_page(
            session=self._session, pins=self._settings.pins, account=account, wait_seconds=_HOW_LONG))

    def stop(self) -> None:
        """Ends the running requests and the thread."""
        if self._loop.is_closed():
            return
        self._do(self._stop()).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    # In the carrier's thread.

    async def _stop(self) -> None:
        tasks = [request.task for request in self._running if request.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._control.aclose()

    def _on_event(self, key: object, method: str, params: dict[str, Any]) -> None:
        if (session := self._sessions.get(key)) is not None:
            self._on_session_event(session, method, params)

    def _on_close(self, key: object) -> None:
        if (session := self._sessions.pop(key, None)) is not None:
            self._forget(lambda request: request.session is session)

    def _on_session_event(self, session: _Session, method: str, params: dict[str, Any]) -> None:
        match method:
            case "Runtime.executionContextCreated":
                context = params["context"]
                if context["name"] == self.scripts["world"]:
                    session.origins[context["id"]] = context["origin"]
            case "Runtime.executionContextDestroyed":
                # The document is left: the browser aborts its requests.
                gone = params["executionContextId"]
                session.origins.pop(gone, None)
                self._forget(lambda request: request.session is session and request.context == gone)
            case "Runtime.executionContextsCleared":
                session.origins.clear()
                self._forget(lambda request: request.session is session)
            case "Runtime.bindingCalled":
                if params["name"] == self.scripts["binding"]:
                    self._on_message(session, params["executionContextId"], json.loads(params["payload"]))

    def _on_message(self, session: _Session, context: int, message: dict[str, Any]) -> None:
        if message["kind"] == "cancel":
            self._forget(lambda request: (request.session, request.context, request.id) == (session, context, message["id"]))
            return
        body: dict[str, Any] = {
            "message": message, "origin": session.origins.get(context), "session": self._session,
            "pins": self._settings.pins, "account": self._settings.account, "autofill": self._settings.autofill, "waits": self._settings.waits,
        }
        request = _Request(session, context, message["id"])
        self._running.add(request)
        request.task = self._loop.create_task(self._serve(request, body))

    def _forget(self, concerns: Callable[[_Request], bool]) -> None:
        for request in [request for request in self._running if concerns(request)]:
            self._running.discard(request)
            # A cancelled task ends its request, which aborts the ceremony on the device.
            if request.task is not None:
                request.task.cancel()

    async def _serve(self, request: _Request, body: dict[str, Any]) -> None:
        answer: dict[str, Any] = {}
        try:
            given = {name: value for name, value in body.items() if value is not None}
            answer = cast("dict[str, Any]", await self._device.answer_page(given)) or _NO_PASSKEY
        except TouchstoneError as error:
            self.errors.append(error)
        self._running.discard(request)
        expression = f"touchstoneAnswer({json.dumps({'id': request.id, **answer})})"
        request.session.send("Runtime.evaluate", {"expression": expression, "contextId": request.context})


async def _made(make: Callable[[], Result]) -> Result:
    return make()
