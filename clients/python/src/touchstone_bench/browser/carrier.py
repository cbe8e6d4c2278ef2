"""Carries requests of a browser's documents to a device, and the answers back."""

from __future__ import annotations

import asyncio
import json
import threading
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Callable, Coroutine, TypeVar, cast

from ..errors import CeremonyError, TouchstoneError
from .scripts import Scripts
from .settings import Settings
from .socket import SocketControl

Result = TypeVar("Result")
Send = Callable[[str, dict[str, Any]], None]


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
    kind: str
    origin: str
    top_origin: str | None
    options: dict[str, Any]
    mediation: str | None
    task: asyncio.Task[None] | None = None


class Carrier:
    """Serves the documents of a browser in a thread of its own.

    A browser's connection calls `open`, `event` and `close`; the carrier calls the connection's `send` from its thread.
    """

    def __init__(self, url: str, token: str, device: str, settings: Settings) -> None:
        self.scripts = Scripts.make()
        self.settings = settings
        # The failures without an answer of the device, such as a control API that ended.
        self.errors: list[TouchstoneError] = []
        self._running: set[_Request] = set()
        self._conditional: list[_Request] = []
        self._sessions: dict[object, _Session] = {}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="touchstone-browser", daemon=True)
        self._thread.start()
        self._control = self._do(_made(lambda: SocketControl(url, token))).result()
        self._device = self._control.device(device)

    def _do(self, work: Coroutine[Any, Any, Result]) -> Future[Result]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    # Called by the connection, in any thread.

    def open(self, key: object, send: Send) -> None:
        """A page or a frame is attached."""
        self._loop.call_soon_threadsafe(self._sessions.__setitem__, key, _Session(send))

    def event(self, key: object, method: str, params: dict[str, Any]) -> None:
        """The session sent an event."""
        self._loop.call_soon_threadsafe(self._on_event, key, method, params)

    def close(self, key: object) -> None:
        """The session ended."""
        self._loop.call_soon_threadsafe(self._on_close, key)

    def has_conditional_request(self) -> bool:
        """Whether a document waits for the user to pick a suggestion."""
        return bool(self._conditional)

    def pick(self, account: int | None) -> None:
        """The user picks a suggested passkey; raises `CeremonyError` when that fails, and the request goes on waiting."""
        self._do(self._pick(account)).result()

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
                if context["name"] == self.scripts.world:
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
                if params["name"] == self.scripts.binding:
                    self._on_message(session, params["executionContextId"], json.loads(params["payload"]))

    def _on_message(self, session: _Session, context: int, message: dict[str, Any]) -> None:
        if message["kind"] == "cancel":
            self._forget(lambda request: (request.session, request.context, request.id) == (session, context, message["id"]))
            return
        origin = session.origins.get(context)
        if origin is None or origin != message["origin"]:
            # The browser's word for the context is the only one that counts; opaque origins differ.
            error = {"name": "NotAllowedError", "message": "The origin of the document is not known."}
            self._answer(session, context, {"id": message["id"], "error": error})
            return
        ancestors = message["ancestors"]
        top_origin = ancestors[-1] if any(ancestor != origin for ancestor in ancestors) else None
        request = _Request(
            session, context, message["id"], message["kind"], origin, top_origin, message.get("options", {}),
            message.get("mediation"))
        if request.mediation == "conditional" and request.kind == "get":
            self._running.add(request)
            self._conditional.append(request)
            if self.settings.autofill:
                request.task = self._loop.create_task(self._autofill(request))
            return
        self._running.add(request)
        request.task = self._loop.create_task(self._serve(request, message))

    def _forget(self, concerns: Callable[[_Request], bool]) -> None:
        for request in [request for request in self._running if concerns(request)]:
            self._running.discard(request)
            if request in self._conditional:
                self._conditional.remove(request)
            # A cancelled task ends its request, which aborts the ceremony on the device.
            if request.task is not None:
                request.task.cancel()

    def _answer(self, session: _Session, context: int, answer: dict[str, Any]) -> None:
        expression = f"touchstoneAnswer({json.dumps(answer)})"
        session.send("Runtime.evaluate", {"expression": expression, "contextId": context})

    async def _serve(self, request: _Request, message: dict[str, Any]) -> None:
        try:
            answer = {"value": await self._value(request, message)}
        except CeremonyError as failure:
            answer = {"error": _page_error(failure)}
        except TouchstoneError as error:
            self.errors.append(error)
            answer = {"error": {"name": "NotAllowedError", "message": "The device cannot be reached."}}
        self._running.discard(request)
        self._answer(request.session, request.context, {"id": request.id, **answer})

    async def _value(self, request: _Request, message: dict[str, Any]) -> Any:
        match request.kind:
            case "create" | "get":
                return await self._ceremony(request, self.settings.account)
            case "capabilities":
                return await self._capabilities()
            case "signal":
                await self._signal(message["signal"], request.options)
                return None
            case kind:
                raise TouchstoneError(f"a document asks for {kind!r}")

    async def _ceremony(self, request: _Request, account: int | None) -> dict[str, Any]:
        user: dict[str, Any] = {"top_origin": request.top_origin, "pins": self.settings.pins, "account": account}
        if request.kind == "get":
            return await self._device.get(request.options, request.origin, **user)
        return await self._device.create(request.options, request.origin, mediation=request.mediation, **user)

    async def _autofill(self, request: _Request) -> None:
        try:
            stored = await self._device.credentials()
            rp_id = request.options.get("rpId", request.origin.split("://")[1].split(":")[0])
            if any(entry["rpId"] == rp_id and entry["isDiscoverable"] for entry in stored):
                await self._pick(self.settings.account, request)
        except CeremonyError:
            # The page learns nothing of a refusal; the request goes on waiting.
            return
        except TouchstoneError as error:
            self.errors.append(error)

    async def _pick(self, account: int | None, picked: _Request | None = None) -> None:
        request = picked or (self._conditional[-1] if self._conditional else None)
        if request is None:
            raise TouchstoneError("No document waits for a suggestion.")
        value = await self._ceremony(request, account)
        self._running.discard(request)
        if request in self._conditional:
            self._conditional.remove(request)
            self._answer(request.session, request.context, {"id": request.id, "value": value})

    async def _capabilities(self) -> dict[str, bool]:
        """The capabilities of the browser with this device (WebAuthn L3 §5.1.7)."""
        state, page = await asyncio.gather(self._device.state(), self._device.conditional())
        profile = next(
            (entry for entry in await self._control.profiles() if entry["name"] == state["status"]["profile"]), None)
        transports = cast("list[str]", profile.get("transports", [])) if profile else []
        is_platform = "internal" in transports
        gate = state.get("gate")
        return {
            "conditionalCreate": page["isCreateAvailable"],
            "conditionalGet": page["isAvailable"],
            "hybridTransport": "hybrid" in transports,
            "passkeyPlatformAuthenticator": is_platform,
            "relatedOrigins": False,
            "signalAllAcceptedCredentials": True,
            "signalCurrentUserDetails": True,
            "signalUnknownCredential": True,
            "userVerifyingPlatformAuthenticator": is_platform and gate is not None and gate["isConfigured"],
        }

    async def _signal(self, name: str, options: dict[str, Any]) -> None:
        """The device forgets or renames the passkeys that the relying party names (WebAuthn L3 §5.1.10)."""
        stored = [entry for entry in await self._device.credentials() if entry["rpId"] == options["rpId"]]
        match name:
            case "signalUnknownCredential":
                gone = [entry for entry in stored if entry["credentialId"] == options["credentialId"]]
            case "signalAllAcceptedCredentials":
                gone = [
                    entry for entry in stored
                    if entry["userHandle"] == options["userId"]
                    and entry["credentialId"] not in options["allAcceptedCredentialIds"]
                ]
            case _:
                names = {
                    entry["userName"] for entry in stored
                    if entry["userHandle"] == options["userId"] and "userName" in entry
                }
                for account in names - {options["name"]}:
                    await self._device.act(
                        "rename-passkey", relying_party=options["rpId"], account=account, to=options["name"])
                return
        for entry in gone:
            await self._device.delete_credential(entry["credentialId"])


async def _made(make: Callable[[], Result]) -> Result:
    return make()


def _page_error(failure: CeremonyError) -> dict[str, str]:
    """A page learns the error's name only."""
    return {"name": failure.name, "message": "The operation timed out or was not allowed."
            if failure.name == "NotAllowedError" else "The operation failed."}
