"""Requests on the WebSocket of the control API."""

import asyncio

import pytest
from options import ORIGIN, creation, registered
from websockets.asyncio.client import connect
from websockets.asyncio.server import serve

from touchstone_bench import Control, RequestError, TouchstoneError
from touchstone_bench.browser import socket
from touchstone_bench.browser.socket import SocketControl


def connected(control):
    return SocketControl(control.url, control.token)


async def opened(control):
    return await control._transport._open()


def test_a_request_has_the_answer_that_it_has_over_http(touchstone_control):
    async def use():
        async with connected(touchstone_control) as control, await control.start_device("pixel-fingerprint") as phone:
            options = creation()
            registered(options, await phone.create(options, ORIGIN))
            assert await phone.credentials() == touchstone_control.device(phone.name).credentials()
            # A query goes over HTTP.
            assert (await phone.events(since=0))["lastId"] > 0
            with pytest.raises(RequestError) as refusal:
                await control.start_device("none")
            assert (refusal.value.status, refusal.value.code) == (422, "profile.invalid")
            await asyncio.gather(*(phone.state() for _ in range(50)))
            assert (await opened(control))._last_id > 50

    asyncio.run(use())


def test_a_request_that_is_too_large_is_refused_alone(touchstone_control):
    async def use():
        async with connected(touchstone_control) as control:
            async with await control.start_device("iphone-face-id", person="ask") as phone:
                making = asyncio.create_task(phone.create(creation(), ORIGIN))
                async for event in phone.event_stream():
                    if event["event"]["text"] == "prompt for the face":
                        break
                with pytest.raises(RequestError) as refusal:
                    await phone.get({"challenge": "A" * (1 << 20)}, ORIGIN)
                assert refusal.value.status == 413
                await phone.plan("match")
                assert "id" in await making

    asyncio.run(use())


def test_a_program_that_does_not_know_the_greeting_gets_no_request(touchstone_control):
    async def use():
        messages = []

        async def listen(connection):
            await connection.send("greeting")
            messages.extend([message async for message in connection])

        async with serve(listen, "127.0.0.1", 0) as server, connected(touchstone_control) as control:
            port = server.sockets[0].getsockname()[1]
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(socket, "connect", lambda url, **options: connect(f"ws://127.0.0.1:{port}/", **options))
                assert await control.profiles()
                assert await opened(control) is None
        assert messages == []

    asyncio.run(use())


def test_a_cancelled_request_ends_its_ceremony(touchstone_control):
    async def use():
        async with connected(touchstone_control) as control:
            async with await control.start_device("iphone-face-id", person="ask") as phone:
                making = asyncio.create_task(phone.create(creation(), ORIGIN))
                async for event in phone.event_stream():
                    if event["event"]["text"] == "prompt for the face":
                        break
                making.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await making
                while not await phone.ceremonies():
                    pass
                assert "openPrompt" not in await phone.person()

    asyncio.run(use())


def test_a_closed_connection_is_opened_again(touchstone_control):
    async def use():
        async with connected(touchstone_control) as control:
            await control.profiles()
            await (await opened(control)).aclose()
            assert await control.profiles()
            assert not (await opened(control)).is_closed

    asyncio.run(use())


def test_requests_go_over_http_where_no_websocket_can_be_opened(touchstone_control, monkeypatch):
    async def refuse(*_, **__):
        raise ConnectionRefusedError

    async def use():
        async with connected(touchstone_control) as control:
            assert await control.profiles()
            assert await opened(control) is None

    monkeypatch.setattr(socket, "connect", refuse)
    asyncio.run(use())


def test_the_end_of_the_program_ends_the_request():
    async def use():
        with Control.start() as owner:
            async with connected(owner) as control:
                phone = await control.start_device("iphone-face-id", person="ask")
                making = asyncio.create_task(phone.create(creation(), ORIGIN))
                async for event in phone.event_stream():
                    if event["event"]["text"] == "prompt for the face":
                        break
                await asyncio.to_thread(owner.process.stop)
                with pytest.raises(TouchstoneError):
                    await making
                with pytest.raises(TouchstoneError):
                    await control.profiles()

    asyncio.run(use())
