"""The synchronous and the asynchronous client, against a running control API."""

import asyncio
import os
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from options import ORIGIN, creation, registered, request, signed_in

import touchstone_bench
from touchstone_bench import AsyncControl, CeremonyError, Control, IdleActsError, ProgramError, RequestError, TouchstoneError


def test_a_passkey_is_registered_and_signs_in(passkey_device):
    phone = passkey_device("pixel-fingerprint")
    options = creation()
    registration = registered(options, phone.create(options, ORIGIN))
    options = request()
    signed_in(options, phone.get(options, ORIGIN), registration)
    assert [credential["userName"] for credential in phone.credentials()] == ["ada"]
    assert [(ceremony["kind"], ceremony["rpId"]) for ceremony in phone.ceremonies()] == [
        ("get", "example.org"), ("create", "example.org")]


def test_the_address_of_the_panel_opens_it(touchstone_control):
    page = httpx.get(touchstone_control.panel_url())
    assert page.status_code == 200 and page.headers["content-type"].startswith("text/html")


def test_the_asynchronous_client_does_the_same(touchstone_control):
    async def use():
        async with AsyncControl(touchstone_control.url, touchstone_control.token) as control:
            async with await control.start_device("iphone-face-id", person="ask") as phone:
                options = creation()
                making = asyncio.create_task(phone.create(options, ORIGIN))
                async for event in phone.event_stream():
                    if event["event"]["text"] == "prompt for the face":
                        break
                assert (await phone.person())["openPrompt"]["rpId"] == "example.org"
                acts = await phone.acts()
                assert "match" in acts and "passcode" not in acts
                await phone.plan("match")
                registered(options, await making)
            return [device["name"] for device in await control.devices()]

    assert "iphone-face-id" not in asyncio.run(use())


def test_a_failed_ceremony_says_what_the_page_gets_and_why(passkey_device):
    phone = passkey_device("iphone-face-id")
    phone.plan("no-match x 2", "cancel")
    with pytest.raises(CeremonyError) as failure:
        phone.create(creation(), ORIGIN)
    assert failure.value.name == "NotAllowedError"
    assert failure.value.cause == "userCancelled"
    assert failure.value.reason == "ctap.operationDenied"
    assert failure.value.device_reason.endswith("userCancelled")
    assert failure.value.ctap_status == 0x27


def test_the_acts_that_have_an_effect_now_are_listed(passkey_device):
    phone = passkey_device("iphone-face-id")
    assert {"match", "passcode", "fallback"} <= set(phone.acts())
    assert not {"choose:N", "sample:STATUS"} & set(phone.acts())
    with pytest.raises(RequestError) as refused:
        phone.plan("match:fingerprint")
    assert refused.value.code == "person.impossible" and "it has face" in str(refused.value)

    assert "match" not in passkey_device("security-key-pin").acts()


def test_a_conditional_request_waits_until_the_user_picks(passkey_device):
    phone = passkey_device("pixel-fingerprint")
    registration = registered(options := creation(), phone.create(options, ORIGIN))
    options = request()
    assert phone.start_conditional(options, ORIGIN, passwords={"ada": "correct horse"})["isPending"]
    with pytest.raises(CeremonyError) as refused:
        phone.get(options, ORIGIN)
    assert refused.value.cause == refused.value.reason == "client.requestPending"
    signed_in(options, phone.pick(), registration)
    phone.start_conditional(options, ORIGIN, passwords={"ada": "correct horse"})
    assert phone.pick(password="ada") == {"name": "ada", "password": "correct horse"}
    phone.start_conditional(options, ORIGIN)
    assert phone.abort_conditional()["error"]["name"] == "AbortError"
    assert not phone.offer_conditional(False)["isAvailable"]
    with pytest.raises(CeremonyError) as unavailable:
        phone.start_conditional(options, ORIGIN)
    assert unavailable.value.name == "TypeError"
    assert not phone.conditional()["isPending"]


def test_the_user_picks_a_passkey_for_a_browsers_conditional_request(passkey_device):
    phone = passkey_device("pixel-fingerprint")
    made = [phone.create(creation(user), ORIGIN)["id"] for user in ("ada", "bea")]
    options = request()
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(phone.add_browser_request, options, ORIGIN)
        while not (listed := phone.browser_requests()) and not waiting.done():
            pass
        phone.pick_passkey(listed[0]["number"], made[0])
        assert waiting.result() == made[0]
    assert [passkey["credentialId"] for passkey in listed[0]["passkeys"]] == made
    for picked in made:
        assert phone.get(options, ORIGIN, credential_id=picked)["id"] == picked


def test_a_signal_deletes_and_renames_passkeys(passkey_device):
    phone = passkey_device("iphone-face-id")
    options = creation()
    phone.create(options, ORIGIN)
    user = options["user"]["id"]
    phone.signal_current_user_details(options["rp"]["id"], user, "countess", "Ada")
    [credential] = phone.credentials()
    assert credential["userName"] == "countess"
    phone.signal_all_accepted_credentials(options["rp"]["id"], user, [credential["credentialId"]])
    phone.signal_unknown_credential("example.com", credential["credentialId"])
    assert len(phone.credentials()) == 1
    phone.signal_unknown_credential(options["rp"]["id"], credential["credentialId"])
    assert phone.credentials() == []


def test_a_lockout_ends_on_the_simulated_clock(passkey_device):
    phone = passkey_device("pixel-fingerprint", clock="simulated")
    phone.plan("no-match x 5", "cancel")
    with pytest.raises(CeremonyError):
        phone.create(creation(), ORIGIN)
    assert phone.state()["gate"]["lockout"] != "none"
    phone.advance("31 s")
    assert phone.state()["gate"]["lockout"] == "none"
    assert phone.act("enrol", template="second", instead_of=phone.state()["status"]["enrolled"][0])["done"]
    assert phone.state()["status"]["enrolled"] == ["second"]


def test_a_device_returns_to_its_snapshot_and_shares_its_passkeys(passkey_device):
    phone, other = passkey_device("iphone-face-id"), passkey_device("iphone-face-id")
    phone.take_snapshot("empty")
    phone.create(creation(), ORIGIN)
    assert phone.share(other)["done"]
    phone.restore("empty")
    assert phone.credentials() == []
    [credential] = other.credentials()
    other.delete_credential(credential["credentialId"])
    assert other.credentials() == []


def test_an_account_syncs_passkeys(touchstone_control, passkey_device):
    phone, laptop = passkey_device("iphone-face-id"), passkey_device("macbook-touch-id")
    touchstone_control.open_account("ada", [phone, laptop])
    phone.create(creation(), ORIGIN)
    assert len(laptop.credentials()) == 1
    touchstone_control.close_account("ada")


def test_a_refused_request_carries_status_code_and_sentence(touchstone_control, passkey_device):
    with pytest.raises(RequestError) as missing:
        touchstone_control.device("nowhere").state()
    assert (missing.value.status, missing.value.code) == (404, "device.notFound")
    with pytest.raises(RequestError) as unknown:
        passkey_device("iphone-face-idd")
    assert "iphone-face-id" in unknown.value.message


def test_the_end_of_a_device_and_of_its_control_tells_the_acts_without_effect(request, touchstone_control):
    with pytest.raises(IdleActsError, match="No prompt asked for cancel") as left:
        with touchstone_control.start_device("iphone-face-id", "left") as phone:
            phone.plan("cancel")
    assert left.value.acts["left"]["planned"] == ["cancel"]
    assert "left" not in [device["name"] for device in touchstone_control.devices()]
    with pytest.raises(IdleActsError, match="one: .* two: "):
        with Control.start(request.config.getoption("--touchstone")) as control:
            for name in ("one", "two"):
                control.start_device("iphone-face-id", name).plan("match")
            control.start_device("iphone-face-id", checks_acts=False).plan("match")
    assert control.process._process.poll() is not None
    with pytest.raises(KeyError):
        with touchstone_control.start_device("iphone-face-id") as phone:
            phone.plan("cancel")
            raise KeyError


def test_the_asynchronous_client_tells_the_acts_without_effect(touchstone_control):
    async def use():
        async with AsyncControl(touchstone_control.url, touchstone_control.token) as control:
            async with await control.start_device("iphone-face-id") as phone:
                await phone.plan("cancel")

    with pytest.raises(IdleActsError, match="No prompt asked for cancel"):
        asyncio.run(use())


def test_the_program_ends_with_the_client(request):
    with Control.start(request.config.getoption("--touchstone")) as control:
        process = control.process
        assert [profile["name"] for profile in control.profiles()]
        device = control.start_device("security-key-pin")
        assert device.set_pin("1234")["done"]
    assert process._process.poll() is not None
    with pytest.raises(TouchstoneError):
        with Control(control.url, control.token) as gone:
            gone.devices()


def test_cancelling_a_waiting_ceremony_aborts_it(touchstone_control):
    async def use():
        async with AsyncControl(touchstone_control.url, touchstone_control.token) as control:
            async with await control.start_device("iphone-face-id", person="ask") as phone:
                making = asyncio.create_task(phone.create(creation(), ORIGIN))
                prompted = False
                async for event in phone.event_stream():
                    if event["event"]["text"] == "prompt for the face":
                        prompted = True
                        making.cancel()
                    elif prompted and event["event"]["kind"] == "answer":
                        return "openPrompt" in await phone.person()

    assert asyncio.run(use()) is False


def test_a_program_that_does_not_exist_is_named(monkeypatch, tmp_path):
    with pytest.raises(ProgramError, match="nowhere"):
        touchstone_bench.find_program(tmp_path / "nowhere")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("TOUCHSTONE", raising=False)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ProgramError, match="was not found"):
        touchstone_bench.find_program()


def test_a_program_that_does_not_listen_is_quoted(tmp_path):
    program = tmp_path / "touchstone"
    program.write_text("#!/bin/sh\necho no port is free >&2\nexit 3\n")
    program.chmod(0o755)
    with pytest.raises(ProgramError, match="ended with 3: no port is free"):
        Control.start(program)


def test_a_thread_may_answer_a_prompt_of_another(passkey_device):
    phone = passkey_device("iphone-face-id", person="ask")
    options, made = creation(), []
    making = threading.Thread(target=lambda: made.append(phone.create(options, ORIGIN)))
    making.start()
    for event in phone.event_stream():
        if event["event"]["text"] == "prompt for the face":
            break
    phone.plan("match")
    making.join()
    registered(options, made[0])


def test_the_relying_party_and_its_services_change(request, tmp_path):
    program = touchstone_bench.find_program(request.config.getoption("--touchstone"))
    token = "0123456789abcdef0123"
    server = subprocess.Popen(
        [str(program), "serve", "--port", "0", "--control"], env={**os.environ, "TOUCHSTONE_TOKEN": token},
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        line = next(line for line in server.stderr if line.startswith("control API on "))
        with Control(line.split()[3].rstrip(";"), token) as control:
            assert control.change_server({"failingRequests": 2})["failingRequests"] == 2
            assert control.server()["failingRequests"] == 2
            assert control.change_service("bankid", {"outage": "unavailable"})["outage"] == "unavailable"
            assert control.service("bankid")["service"] == "bankid"
    finally:
        server.terminate()
        server.communicate()


def test_two_programs_have_devices_of_the_same_name(request):
    program = request.config.getoption("--touchstone")
    with Control.start(program) as one, Control.start(program) as other:
        for control in (one, other):
            assert control.start_device("pixel-fingerprint", "phone").name == "phone"
