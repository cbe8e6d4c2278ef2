"""A coding assistant's work with the tools of `touchstone mcp`, by the client of PyPI's `mcp`.

The argument is JSON: {"program", "test": a function's name, "transport": stdio or http, "mode": legacy or auto}.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from pathlib import Path
from typing import Any

from bench import Bench, connected, requested, run
from mcp.shared.exceptions import MCPError

LOCKOUT = """
name: The fingerprint unlocks at once after a lockout
devices: { phone: pixel-fingerprint }
steps:
  - verify: { person: no-match x 5, expect: { outcome: refused, cause: lockedOut.timed } }
  - verify: { person: match, expect: { outcome: ok, lockout: none } }
"""


WRONG_SELECTION = """
name: wrong-selection
extends: security-key-complete
title: A key with another status for a user who declines
faults: ["status-swapped:OPERATION_DENIED=OTHER on Selection"]
"""


async def lockout(bench: Bench) -> None:
    """A phone is locked out, its user enters the passcode, and signs in at the relying party."""
    profiles = await bench.text("list_profiles", words="iphone face")
    assert "iphone-face-id | ios | " in profiles and "pixel" not in profiles, profiles
    created = await bench.call("create_device", profile="iphone-face-id", name="phone", clock="simulated")
    assert created["lockout"] == "none"
    registered = await bench.call("register_passkey", device="phone", username="ada")
    assert registered["accepted"] and registered["username"] == "ada", registered

    await bench.call("tell_user", device="phone", acts=["no-match x 5"])
    causes = [(await bench.call("act", device="phone", verb="verify"))["cause"] for _ in range(3)]
    assert causes == ["attemptsExhausted", "attemptsExhausted", "lockedOut.permanent"], causes
    state = await bench.call("device_state", device="phone")
    assert state["lockout"] == "permanent" and state["credentials"][0]["user"] == "ada", state

    # Face ID is locked: the prompt of the sign-in asks for the passcode, and the user declines.
    await bench.call("tell_user", device="phone", acts=["cancel"])
    refused = await bench.refusal("sign_in", device="phone", username="ada")
    assert refused.code == "userCancelled" and "The page gets NotAllowedError" in refused.message, refused

    await bench.call("tell_user", device="phone", acts=["passcode"])
    signed_in = await bench.call("sign_in", device="phone")
    assert signed_in["accepted"] and signed_in["username"] == "ada", signed_in
    assert signed_in["credentialId"] == registered["credentialId"]
    state = await bench.call("device_state", device="phone")
    assert state["lockout"] == "none" and state["user"]["ignored"] == [], state
    events = await bench.call("events", device="phone")
    assert any("passcode" in event["text"] for event in events["events"]), events
    assert len(events["events"]) <= 40 and events["lastId"] > 40 > 0 < events["earlierEvents"], events

    # The relying party knows no such account, and the device has no such passkey.
    await bench.call("create_device", profile="solo-2", name="key")
    refused = await bench.refusal("sign_in", device="key", username="ada")
    assert "NotAllowedError" in refused.message, refused
    assert [device["name"] for device in await bench.call("list_devices")] == ["key", "phone"]
    await bench.call("delete_device", device="key")
    assert (await bench.refusal("device_state", device="key")).code == "device.notFound"


async def lookup(bench: Bench) -> None:
    """An error leads to its cause; a wrong call names the place."""
    found = await bench.call("look_up_error", text="LAError -8")
    assert found["causes"][0]["cause"] == "lockedOut.permanent", found
    assert found["causes"][0]["errors"][0]["name"] == "biometryLockout", found
    assert (await bench.refusal("look_up_error", text="no such thing at all")).code == "error.unknown"
    decoded = await bench.text("decode", input="0x01 a1 01 02", **{"as": "request"})
    assert "MakeCredential" in decoded and "wrong:" in decoded, decoded

    wrong: list[tuple[str, dict[str, Any], str, str]] = [
        ("create_device", {}, "json.invalidMember", "“profile” is missing"),
        ("create_device", {"profile": "iphone-face"}, "profile.invalid", "did you mean iphone-face-id"),
        ("create_device", {"profile": "solo-2", "person": "x"}, "json.invalidMember", "“person” must be one of"),
        ("act", {"device": "none", "verb": "lock"}, "device.notFound", "none"),
        ("act", {"device": "none", "verb": "lok"}, "json.invalidMember", "did you mean lock"),
        ("act", {"device": "none", "verb": "fault", "arguments": {"nam": "x"}}, "json.invalidMember",
         "“arguments.nam” is not known; expected name, times"),
        ("tell_user", {"device": "none", "acts": ["wave"]}, "json.invalidMember", "acts.0"),
        ("open_browser", {"device": "none"}, "device.notFound", "none"),
        ("run_scenario", {}, "scenario.invalid", "“text”"),
        ("run_scenario", {"text": LOCKOUT.replace("verify", "verfy", 1)}, "scenario.invalid", ":5:"),
        ("read_report", {"report": "report-9"}, "report.notFound", "report-9"),
        ("run_conformance", {"device": "virtual:solo-2", "cases": ["getInf"]}, "case.notFound", "getInfo"),
        ("run_conformance", {"device": "solo-2"}, "device.invalid", "virtual:PROFILE"),
        ("verify_response", {"response": {"id": "x"}}, "response.unreadable", ""),
    ]
    for tool, arguments, code, words in wrong:
        refused = await bench.refusal(tool, **arguments)
        assert refused.code == code and words in refused.message, (tool, arguments, str(refused))
    try:
        await bench.client.call_tool("creat_device", {})
    except MCPError as error:
        assert error.code == -32602 and "did you mean create_device?" in error.message, error
    else:
        raise AssertionError("an unknown tool was called")


async def scenario(bench: Bench) -> None:
    """A scenario fails; the answer and the report say why."""
    failed = await bench.call("run_scenario", text=LOCKOUT)
    assert failed["verdict"] == "failed" and failed["failedRuns"] == 1, failed
    (step,) = failed["failures"][0]["steps"]
    assert step["step"] == 2 and step["line"] == 6, step
    assert "outcome (line 6): expected ok, saw refused (lockedOut.timed)" in step["mismatches"], step
    (overview,) = await bench.call("read_report", report=failed["report"])
    assert overview["verdict"] == "failed" and overview["steps"] == 2
    steps = await bench.call("read_report", report=failed["report"], run=1)
    assert [step["verdict"] for step in steps] == ["passed", "failed"], steps
    observed = await bench.call("read_report", report=failed["report"], run=1, step=2)
    assert observed["cause"] == "lockedOut.timed" and "BiometricPrompt 7 ERROR_LOCKOUT" in observed["errors"], observed
    assert (await bench.refusal("read_report", report=failed["report"], run=2)).code == "run.notFound"

    repaired = LOCKOUT.replace("  - verify: { person: match", "  - wait: 30 s\n  - verify: { person: match")
    assert (await bench.call("run_scenario", text=repaired))["verdict"] == "passed"
    assert (await bench.call("run_scenario", path="user-cancel"))["verdict"] == "passed"


async def conformance(bench: Bench) -> None:
    """Cases are performed with progress; a failed one is read with its messages."""
    told: list[tuple[float, float | None, str | None]] = []

    async def note(done: float, total: float | None, message: str | None) -> None:
        told.append((done, total, message))

    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder, "wrong-selection.yaml")
        profile.write_text(WRONG_SELECTION, encoding="utf-8")
        text = await bench.text(
            "run_conformance", on_progress=note, device=f"virtual:{profile}", cases=["selection", "credBlob.none"])
    summary = json.loads(text)
    assert [done for done, _, _ in told] == [n + 1 for n in range(len(told))] and told, told
    assert sum(summary["verdicts"].values()) == told[-1][1] == len(told), summary
    failure = summary["failures"][0]
    case = await bench.call("read_report", report=summary["report"], case=failure["case"])
    assert case["exchanges"] and case["deviations"][0]["expected"] == failure["deviations"][0]["expected"], case


async def offers(bench: Bench) -> None:
    """Tools have schemas of objects; resources and prompts are read."""
    tools = {tool.name: tool for tool in (await bench.client.list_tools()).tools}
    for tool in tools.values():
        assert tool.title and tool.description and tool.annotations, tool
        schema = tool.input_schema
        assert schema["type"] == "object" and not {"anyOf", "oneOf", "allOf"} & set(schema), tool.name
    assert tools["device_state"].annotations.read_only_hint  # type: ignore[union-attr]
    assert tools["delete_device"].annotations.destructive_hint  # type: ignore[union-attr]
    verb = tools["act"].input_schema["properties"]["verb"]
    assert {"enrol", "lock-out", "passcode", "fault"} <= set(verb["enum"]), verb
    assert "enrol (template, modality?, instead-of?): enrols" in verb["description"], verb
    everything = sum(len(tool.model_dump_json(exclude_none=True)) for tool in tools.values())
    assert everything < 40_000, everything

    resources = {str(resource.uri) for resource in (await bench.client.list_resources()).resources}
    assert {"touchstone://docs/mcp", "touchstone://profiles/iphone-face-id"} <= resources, resources
    page = (await bench.client.read_resource("touchstone://docs/scenarios")).contents[0]
    assert page.mime_type == "text/markdown" and page.text.startswith("# "), page  # type: ignore[union-attr]
    profile = (await bench.client.read_resource("touchstone://profiles/solo-2")).contents[0]
    assert "name: solo-2" in profile.text, profile  # type: ignore[union-attr]
    for uri in ["touchstone://profiles/../../etc/passwd", "touchstone://docs/", "file:///etc/passwd"]:
        try:
            await bench.client.read_resource(uri)
        except MCPError as error:
            assert error.code in (-32002, -32602), error
        else:
            raise AssertionError(f"{uri} was read")
    prompt = await bench.client.get_prompt("find_out_why_a_sign_in_fails", {"error": "LAError -8"})
    assert "LAError -8" in prompt.messages[0].content.text, prompt  # type: ignore[union-attr]


async def cancel(bench: Bench) -> None:
    """A call that waits for the user ends when the client gives it up; other calls go on."""
    await bench.call("create_device", profile="iphone-face-id", name="phone", person="ask")

    async def prompt() -> Any:
        return (await bench.call("device_state", device="phone"))["user"].get("openPrompt")

    waiting = asyncio.create_task(bench.text("act", device="phone", verb="verify"))
    while await prompt() is None:
        assert not waiting.done(), waiting
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    while await prompt() is not None:
        pass
    waiting = asyncio.create_task(bench.text("act", device="phone", verb="verify"))
    while await prompt() is None:
        assert not waiting.done(), waiting
    await bench.call("tell_user", device="phone", acts=["match"])
    assert json.loads(await waiting)["done"]


async def browser(bench: Bench) -> None:
    """A script drives the browser of the bench; its page's passkey dialog is answered by the phone."""
    from playwright.async_api import async_playwright

    instructions = bench.client.instructions or ""
    sign_in = next(word for word in instructions.split() if word.startswith("http://localhost")).rstrip(".")
    # Its own page has a conditional request, beside which a browser allows no other one.
    page_of_party = sign_in.replace("/sign-in", "/bench")
    await bench.call("create_device", profile="pixel-fingerprint", name="phone")
    opened = await bench.call("open_browser", device="phone", url=page_of_party)
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.connect_over_cdp(opened["devtools"])
        pages = [page for context in chromium.contexts for page in context.pages]
        (page,) = [page for page in pages if page.url == page_of_party]
        await page.wait_for_load_state()
        made = await page.evaluate("""async () => (await navigator.credentials.create({publicKey: {
            challenge: new Uint8Array(16), rp: {name: "Bench"}, pubKeyCredParams: [{type: "public-key", alg: -7}],
            user: {id: new Uint8Array([1]), name: "ada", displayName: "Ada"},
            authenticatorSelection: {residentKey: "required"}}})).id""")
        await bench.call("tell_user", device="phone", acts=["cancel"])
        name = await page.evaluate("""() => navigator.credentials.get({publicKey: {challenge: new Uint8Array(16)}})
            .then(() => "signed in", error => error.name)""")
        assert name == "NotAllowedError", name
        # A second client stands in front of the same browser.
        attached = await bench.call("open_browser", device="phone", devtools=opened["devtools"])
        await chromium.close()
    state = await bench.call("device_state", device="phone")
    assert [one["user"] for one in state["credentials"]] == ["ada"] and made, state
    assert await bench.call("close_browser", browser=attached["browser"]) == {"closed": attached["browser"]}
    await bench.call("close_browser", browser=opened["browser"])
    assert (await bench.refusal("close_browser", browser=opened["browser"])).code == "browser.notFound"


async def test() -> None:
    async with connected(requested["transport"], requested["mode"]) as bench:
        await TESTS[requested["work"]](bench)


TESTS = {
    each.__name__: each for each in (lockout, lookup, scenario, conformance, offers, cancel, browser)
}
run({"assistant": test})
