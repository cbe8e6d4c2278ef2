"""Requests to the control API."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, AsyncIterator, Mapping

import httpx

from ..errors import RequestError, TouchstoneError
from ..models import EventListEvent

if TYPE_CHECKING:
    from .device import AsyncDevice

# A ceremony waits for its user without a limit; everything else answers at once.
WAITING = httpx.Timeout(10, read=None)


class AsyncTransport:
    """Sends requests with the token, if any, and turns refusals into `RequestError`."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url
        self.token = token
        # The devices with a plan that was not checked yet, by name.
        self.planned: dict[str, AsyncDevice] = {}
        self._http = httpx.AsyncClient(
            base_url=url, headers={"Authorization": f"Bearer {token}"} if token else {}, timeout=WAITING, trust_env=False)

    async def request(
        self, method: str, path: str, body: Mapping[str, Any] | None = None,
        query: Mapping[str, int | None] | None = None,
    ) -> Any:
        """The answer's JSON; None for an answer without a body."""
        try:
            response = await self._http.request(method, path, json=body, params=_given(query))
        except httpx.TransportError as error:
            raise TouchstoneError(f"The control API at {self._http.base_url} does not answer: {error!r}") from error
        if response.is_success:
            return response.json() if response.content else None
        raise refusal(response.status_code, response.text or response.reason_phrase)

    async def stream(self, path: str, since: int | None) -> AsyncIterator[EventListEvent]:
        """Server-sent events: the kept ones, then each new one."""
        async with self._http.stream(
            "GET", path, params=_given({"since": since}), headers={"Accept": "text/event-stream"}
        ) as response:
            if not response.is_success:
                await response.aread()
                raise refusal(response.status_code, response.text or response.reason_phrase)
            kind = "message"
            async for line in response.aiter_lines():
                field, _, value = line.partition(":")
                if field == "event":
                    kind = value.strip()
                elif field == "data" and kind != "gap":
                    yield json.loads(value)
                elif not line:
                    kind = "message"

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._http.aclose()


def _given(query: Mapping[str, int | None] | None) -> dict[str, int]:
    return {name: value for name, value in (query or {}).items() if value is not None}


def refusal(status: int, text: str) -> RequestError:
    """The error of an answer."""
    try:
        answer = json.loads(text)
        if "value" in answer:
            # WebDriver's form.
            return RequestError(status, answer["value"]["error"], answer["value"]["message"])
        error = answer["error"]
        return RequestError(status, error["code"], error["message"])
    except (ValueError, KeyError, TypeError):
        return RequestError(status, "unknown", text)
