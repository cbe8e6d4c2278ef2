"""Requests to `touchstone mcp` that no client library sends, and the end of the server.

The argument is JSON: {"program", "test": a function's name}.
"""

from __future__ import annotations

import json
import os
import subprocess
import urllib.error
import urllib.request
from typing import Any

from bench import TOKEN, http_server, requested, run

HANDSHAKE = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
TYPED = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}


def message(method: str, id: Any = 2, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def send(
    address: str, body: Any, headers: dict[str, str] | None = None, method: str = "POST"
) -> tuple[int, dict[str, str], Any]:
    data = None if body is None else body.encode() if isinstance(body, str) else json.dumps(body).encode()
    request = urllib.request.Request(address, data=data, method=method, headers=TYPED if headers is None else headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            text = response.read().decode()
            return response.status, dict(response.headers), json.loads(text) if text.startswith("{") else text
    except urllib.error.HTTPError as error:
        text = error.read().decode()
        return error.code, dict(error.headers), json.loads(text) if text else None


async def refusals() -> None:
    """The guard of the control API stands before the endpoint, and a request that differs from its body is refused."""
    with http_server() as address:
        def without(*names: str) -> dict[str, str]:
            return {name: value for name, value in TYPED.items() if name not in names}

        modern = TYPED | {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "list_devices"}
        call = message("tools/call", name="list_devices", arguments={}, _meta=META)
        encoded = modern | {"Mcp-Name": "=?base64?bGlzdF9kZXZpY2Vz?="}
        table: list[tuple[Any, dict[str, str], int, Any]] = [
            (HANDSHAKE, without("Authorization"), 401, "token.missing"),
            (HANDSHAKE, TYPED | {"Authorization": "Bearer wrong-token-0123456789"}, 401, "token.wrong"),
            (HANDSHAKE, TYPED | {"Origin": "https://evil.example"}, 403, "origin.forbidden"),
            (HANDSHAKE, TYPED | {"Sec-Fetch-Site": "cross-site"}, 403, "site.forbidden"),
            (HANDSHAKE, TYPED | {"Host": "evil.example"}, 421, "host.unexpected"),
            (HANDSHAKE, without("Content-Type") | {"Content-Type": "text/plain"}, 415, "contentType.unsupported"),
            ("{", TYPED, 400, -32700),
            ([HANDSHAKE], TYPED, 400, -32600),
            (message("tools/list"), TYPED, 400, -32600),
            (message("tools/list"), TYPED | {"Mcp-Session-Id": "unknown"}, 404, "session.notFound"),
            (message("tools/list"), TYPED | {"MCP-Protocol-Version": "2024-11-05"}, 400, -32600),
            (call, modern, 200, None),
            (call, encoded, 200, None),
            (call, modern | {"Mcp-Name": "act"}, 400, -32020),
            (call, modern | {"Mcp-Method": "tools/list"}, 400, -32020),
            (call, modern | {"MCP-Protocol-Version": "2025-11-25"}, 400, -32020),
            (call, TYPED, 400, -32020),
            (message("no/method", _meta=META), modern | {"Mcp-Method": "no/method"}, 404, -32601),
            (message("tools/list", _meta=META | {"io.modelcontextprotocol/protocolVersion": "1900-01-01"}), modern, 400,
             -32022),
        ]
        for body, headers, status, code in table:
            found, _, answer = send(address, body, headers)
            error = (answer or {}).get("error", {})
            assert (found, error.get("code")) == (status, code), (body, headers, found, answer)
        assert send(address, None, without("Content-Type"), "GET")[0] == 405
        assert send(address, None, without("Content-Type"), "DELETE")[2]["error"]["code"] == "session.missing"

        # A session lives from its handshake to its end; its errors are carried with 200.
        status, headers, answer = send(address, HANDSHAKE)
        assert status == 200 and answer["result"]["protocolVersion"] == "2025-06-18"
        session = TYPED | {"Mcp-Session-Id": headers["Mcp-Session-Id"], "MCP-Protocol-Version": "2025-06-18"}
        initialized = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        assert send(address, initialized, session)[0] == 202
        assert len(send(address, message("tools/list"), session)[2]["result"]["tools"]) > 15
        status, _, answer = send(address, message("no/method"), session)
        assert status == 200 and answer["error"]["code"] == -32601
        # The control API of the same server has the devices.
        send(address, message("tools/call", name="create_device", arguments={"profile": "solo-2"}), session)
        devices = urllib.request.Request(address.replace("/mcp", "/v1/devices"), headers=without("Content-Type"))
        with urllib.request.urlopen(devices, timeout=60) as response:
            assert [device["name"] for device in json.load(response)] == ["solo-2"]
        assert send(address, None, session, "DELETE")[0] == 204
        assert send(address, message("tools/list"), session)[0] == 404

        # Progress comes as events before the answer.
        arguments = {"device": "virtual:solo-2", "cases": ["selection"]}
        streaming = session | {"Accept": "application/json, text/event-stream"}
        streaming["Mcp-Session-Id"] = send(address, HANDSHAKE)[1]["Mcp-Session-Id"]
        body = message("tools/call", name="run_conformance", arguments=arguments, _meta={"progressToken": "p"})
        status, headers, text = send(address, body, streaming)
        events = [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: ")]
        assert headers["Content-Type"] == "text/event-stream" and len(events) > 3, text
        assert all(event["method"] == "notifications/progress" for event in events[:-1]), events
        assert events[-1]["id"] == 2 and not events[-1]["result"]["isError"], events[-1]


async def capture() -> None:
    """A captured registration and assertion are verified, and a changed one is refused at its step."""
    with http_server() as address:
        session = TYPED | {"Mcp-Session-Id": send(address, HANDSHAKE)[1]["Mcp-Session-Id"]}

        def tool(name: str, /, **arguments: Any) -> Any:
            answer = send(address, message("tools/call", name=name, arguments=arguments), session)[2]["result"]
            assert not answer["isError"], answer
            return json.loads(answer["content"][0]["text"])

        def ceremony(kind: str, options: dict[str, Any]) -> Any:
            place = address.replace("/mcp", f"/v1/devices/phone/ceremonies/{kind}")
            return send(place, {"options": options, "origin": "https://a.example"})[2]["credential"]

        tool("create_device", profile="iphone-face-id", name="phone")
        creation = {
            "challenge": "AAECAwQFBgcICQoLDA0ODw", "rp": {"id": "a.example", "name": "A"},
            "user": {"id": "AQ", "name": "ada", "displayName": "Ada"},
            "pubKeyCredParams": [{"type": "public-key", "alg": -7}],
        }
        response = ceremony("create", creation)
        accepted = tool("verify_response", response=response, options=creation, origin="https://a.example")
        assert accepted["result"] == "accepted" and accepted["record"], accepted
        other = creation | {"challenge": "DwECAwQFBgcICQoLDA0ODw"}
        refused = tool("verify_response", response=response, options=other, origin="https://a.example")
        assert refused["result"] == "refused", refused
        assert any("challenge" in reason for reason in refused["failedSteps"][0]["reasons"]), refused
        alone = tool("verify_response", response=response)
        assert alone["result"] == "unverified" and "challenge" in alone["missing"], alone
        request = {"challenge": "AAECAwQFBgcICQoLDA0ODw", "rpId": "a.example"}
        assertion = ceremony("get", request)
        accepted = tool(
            "verify_response", response=assertion, options=request, origin="https://a.example",
            record=accepted["record"])
        assert accepted["result"] == "accepted", accepted


async def streams() -> None:
    """Only messages stand on standard output; damaged lines are refused; the end of the input ends the server."""
    lines = [
        "no JSON", "", '{"jsonrpc":"2.0","id":0,"method":"tools/list"}', "[]", json.dumps(HANDSHAKE),
        '{"jsonrpc":"2.0","method":"notifications/initialized"}', "x" * (5 << 20), '{"jsonrpc":"2.0","id":9',
        json.dumps(message("tools/call", name="create_device", arguments={"profile": "iphone-face-id"})),
        json.dumps(message("ping", 3)),
        json.dumps(message("tools/call", 4, name="no_such_tool")),
    ]
    process = subprocess.Popen(
        [requested["program"], "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    output, errors = process.communicate("\n".join(lines), timeout=120)
    assert process.returncode == 0 and errors == "", errors
    answers = [json.loads(line) for line in output.splitlines()]
    codes = [(answer["id"], answer.get("error", {}).get("code")) for answer in answers]
    assert sorted(codes, key=str) == sorted(
        [(None, -32700), (0, -32602), (None, -32600), (1, None), (None, -32600), (None, -32700), (2, None), (3, None),
         (4, -32602)], key=str), codes


async def end() -> None:
    """With the input, the server, its devices and its browsers end, also while a call waits for the user."""
    process = subprocess.Popen(
        [requested["program"], "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdin is not None and process.stdout is not None
    calls = [
        ("create_device", {"profile": "iphone-face-id", "name": "phone-at-the-end", "person": "ask"}),
        ("open_browser", {"device": "phone-at-the-end"}),
    ]
    print(json.dumps(HANDSHAKE), file=process.stdin, flush=True)
    assert "result" in json.loads(process.stdout.readline())
    for name, arguments in calls:
        print(json.dumps(message("tools/call", name=name, arguments=arguments)), file=process.stdin, flush=True)
        answer = json.loads(process.stdout.readline())
        assert not answer["result"]["isError"], answer
    waiting = message("tools/call", 5, name="act", arguments={"device": "phone-at-the-end", "verb": "verify"})
    print(json.dumps(waiting), file=process.stdin, flush=True)
    children = f"/proc/{process.pid}/task"
    browsers = [
        int(child) for task in os.listdir(children)
        for child in open(f"{children}/{task}/children", encoding="ascii").read().split()]
    assert browsers
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 0 and output == "" and errors == "", (output, errors)
    assert not any(os.path.exists(f"/proc/{browser}") for browser in browsers), browsers
    folder = os.environ.get("TOUCHSTONE_RUNTIME") or f"/run/user/{os.getuid()}/touchstone"
    left = os.listdir(folder) if os.path.isdir(folder) else []
    assert not [name for name in left if "phone-at-the-end" in name], left


run({each.__name__: each for each in (refusals, capture, streams, end)})
