"""Requests to the control API on one WebSocket."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any, Mapping

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from .._async.control import AsyncControl
from .._async.transport import AsyncTransport, refusal
from ..errors import TouchstoneError

_Answer = tuple[int, str]
# The server ends a WebSocket with a larger message, in bytes.
_LARGEST = 1_000_000
# The status of a request beyond those that a WebSocket carries at once.
_BUSY = 429
# The time in which a WebSocket opens, in seconds.
_PATIENCE = 5.0


class SocketControl(AsyncControl):
    """A control API whose requests go on one WebSocket."""

    def __init__(self, url: str, token: str) -> None:
        super().__init__(url, token)
        self._transport = SocketTransport(url, token)


class SocketTransport(AsyncTransport):
    """Sends requests as messages of a WebSocket: an HTTP request takes longer than a ceremony.

    Where no WebSocket can be opened, such as behind a forwarded port, it sends them over HTTP.
    """

    def __init__(self, url: str, token: str) -> None:
        super().__init__(url, token)
        self._opening: asyncio.Task[RequestSocket | None] | None = None

    async def request(
        self, method: str, path: str, body: Mapping[str, Any] | None = None,
        query: Mapping[str, int | None] | None = None,
    ) -> Any:
        # `json` writes ASCII.
        text = None if body is None else json.dumps(body)
        if query or len(text or "") > _LARGEST or (socket := await self._open()) is None:
            return await super().request(method, path, body, query)
        try:
            status, answer = await socket.request(method, path, text)
        except ConnectionClosed as error:
            raise TouchstoneError(f"The control API at {self.url} has closed the connection.") from error
        if status == _BUSY:
            return await super().request(method, path, body)
        if status < 400:
            return json.loads(answer) if answer else None
        raise refusal(status, answer)

    async def aclose(self) -> None:
        """Closes the connections."""
        if self._opening is not None:
            with contextlib.suppress(TouchstoneError):
                if (socket := await self._opening) is not None:
                    await socket.aclose()
        await super().aclose()

    async def _open(self) -> RequestSocket | None:
        """The open WebSocket; None where none can be opened."""
        if self._opening is not None and self._opening.done():
            if self._opening.exception() is not None:
                self._opening = None
            elif (socket := self._opening.result()) is None or not socket.is_closed:
                return socket
            else:
                self._opening = None
        if self._opening is None:
            self._opening = asyncio.create_task(self._opened())
        # One request's end must not end the connection of the others.
        return await asyncio.shield(self._opening)

    async def _opened(self) -> RequestSocket | None:
        address = await super().request("POST", "/v1/sockets")
        try:
            async with asyncio.timeout(_PATIENCE):
                connection = await connect(
                    address["url"], proxy=None, compression=None, ping_interval=None, max_size=None)
                # Another program may have the port where the server's is not reached.
                if await connection.recv() == address["greeting"]:
                    return RequestSocket(connection)
                await connection.close()
                return None
        except (OSError, TimeoutError, WebSocketException):
            return None


class RequestSocket:
    """An open WebSocket of the control API."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._waiting: dict[int, asyncio.Future[_Answer]] = {}
        self._last_id = 0
        self._reader = asyncio.create_task(self._read())

    @property
    def is_closed(self) -> bool:
        """Whether the connection has ended."""
        return self._reader.done()

    async def request(self, method: str, path: str, text: str | None) -> _Answer:
        """The status and the body of the answer. A cancelled request ends at the server."""
        self._last_id += 1
        request = self._last_id
        line = json.dumps({"id": request, "method": method, "path": path})
        answer: asyncio.Future[_Answer] = asyncio.get_running_loop().create_future()
        self._waiting[request] = answer
        try:
            await self._connection.send(line if text is None else f"{line}\n{text}")
            return await answer
        except asyncio.CancelledError:
            with contextlib.suppress(ConnectionClosed):
                await self._connection.send(json.dumps({"cancel": request}))
            raise
        finally:
            self._waiting.pop(request, None)

    async def aclose(self) -> None:
        """Closes the connection."""
        await self._connection.close()
        await self._reader

    async def _read(self) -> None:
        ended: Exception = TouchstoneError("The control API sent a message that is not an answer; check that client and program have the same version.")
        try:
            while True:
                text: str = await self._connection.recv(decode=True)
                line, _, body = text.partition("\n")
                head = json.loads(line)
                answer = self._waiting.get(head["id"])
                if answer is not None and not answer.done():
                    answer.set_result((head["status"], body))
        except ConnectionClosed as error:
            ended = error
        except (ValueError, KeyError, TypeError):
            await self._connection.close()
        finally:
            for answer in self._waiting.values():
                if not answer.done():
                    answer.set_exception(ended)
