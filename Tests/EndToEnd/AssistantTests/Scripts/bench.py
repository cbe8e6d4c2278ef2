"""Clients of `touchstone mcp` for the scripts beside this file: over standard streams, and over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx2
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

requested = json.loads(sys.argv[1])
TOKEN = "token-of-the-tests-0123456789"


class Failure(Exception):
    """A tool's failure: its code and its sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


class Bench:
    """The tools of a connected client."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def text(self, tool: str, /, *, on_progress: Any = None, **arguments: Any) -> str:
        result = await self.client.call_tool(tool, arguments, progress_callback=on_progress)
        assert len(result.content) == 1, result
        text = result.content[0].text  # type: ignore[union-attr]
        if not result.is_error:
            return text
        error = (result.structured_content or {})["error"]
        assert text == f"{error['code']}: {error['message']}", text
        raise Failure(error["code"], error["message"])

    async def call(self, tool: str, /, **arguments: Any) -> Any:
        return json.loads(await self.text(tool, **arguments))

    async def refusal(self, tool: str, /, **arguments: Any) -> Failure:
        try:
            answer = await self.text(tool, **arguments)
        except Failure as failure:
            return failure
        raise AssertionError(f"{tool} was not refused: {answer}")


@contextlib.contextmanager
def http_server() -> Iterator[str]:
    """Runs `touchstone mcp --http`; gives its address."""
    environment = os.environ | {"TOUCHSTONE_TOKEN": TOKEN}
    with subprocess.Popen(
        [requested["program"], "mcp", "--http", "--port", "0"], stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stderr is not None
        try:
            line = process.stderr.readline()
            address = line.split(" on ")[1].split(";")[0].strip()
            assert TOKEN not in line
            yield address
        finally:
            process.terminate()
            process.wait(60)
        rest = process.stderr.read()
        assert process.returncode == 0 and rest == "", rest


@contextlib.asynccontextmanager
async def connected(transport: str, mode: str) -> AsyncIterator[Bench]:
    """A client with the handshake (legacy) or with the revision in each request (auto)."""
    if transport == "stdio":
        parameters = StdioServerParameters(command=requested["program"], args=["mcp"], env=dict(os.environ))
        async with Client(stdio_client(parameters), mode=mode) as client:
            yield Bench(client)
        return
    with http_server() as address:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with httpx2.AsyncClient(headers=headers, timeout=300) as http:
            async with Client(streamable_http_client(address, http_client=http), mode=mode) as client:
                yield Bench(client)


def run(tests: dict[str, Any]) -> None:
    """Runs the requested test, and prints the summary."""
    asyncio.run(asyncio.wait_for(tests[requested["test"]](), 500))
    print("{}")
