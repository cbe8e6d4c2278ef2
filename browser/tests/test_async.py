"""The asynchronous client with Playwright's asynchronous interface."""

import asyncio
import shutil
from concurrent.futures import ThreadPoolExecutor

from playwright.async_api import async_playwright
from test_page_script import CREATE, GET

from touchstone_bench import AsyncControl


def test_a_passkey_is_registered_suggested_and_aborted(pages, touchstone_control):
    async def use():
        async with AsyncControl(touchstone_control.url, touchstone_control.token) as control, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            context = await browser.new_context()
            async with await control.start_device("pixel-fingerprint", person="ask") as phone:
                attachment = await phone.attach(context)
                page = await context.new_page()
                await page.goto(pages.local)
                making = asyncio.create_task(page.evaluate(CREATE, {"rpId": "localhost"}))
                await prompted(phone, 0)
                await phone.plan("match")
                made = await making

                await page.evaluate(f"() => {{ globalThis.got_it = ({GET})({{rpId: 'localhost', mediation: 'conditional'}}); }}")
                await phone.plan("match")
                await attachment.pick()
                assert (await page.evaluate("got_it"))["id"] == made["id"]

                # Leaving the page closes its prompt.
                last = (await phone.events())["lastId"]
                await page.evaluate(f"() => {{ ({GET})({{rpId: 'localhost'}}); }}")
                await prompted(phone, last)
                await page.goto(pages.foreign)
                async for event in phone.event_stream(since=last):
                    if event["event"]["kind"] == "answer" and "ClientPIN: KEEPALIVE_CANCEL" in event["event"]["text"]:
                        break
                assert "openPrompt" not in await phone.person()
                assert attachment.errors == []
            await browser.close()

    async def prompted(phone, since):
        async for event in phone.event_stream(since=since):
            if event["event"]["text"].startswith("prompt for"):
                return

    # The synchronous interface of the other tests keeps the loop of their thread.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, asyncio.wait_for(use(), 60)).result()
