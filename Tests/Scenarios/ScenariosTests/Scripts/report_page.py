"""Uses the report of scenarios in Chromium, as a reader does, and checks its accessibility with axe."""

import json
import shutil
import sys

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

requested = json.loads(sys.argv[1])
WCAG = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}


def check_axe(page, place):
    results = Axe().run(page, options=WCAG)
    found = [(v["id"], [n["html"][:200] for n in v["nodes"]][:3]) for v in results.response["violations"]]
    assert not found, f"{place}: {found}"


def use(page, place):
    page.goto(requested["url"])
    expect(page.locator("html[data-ready]")).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_have_text("Passkeys of Example Bank")
    # The first screen says how many failed, and why.
    expect(page.locator("#verdict")).to_have_text("✗ 2 of 5 runs failed, 3 requirements pending")
    expect(page.locator("#summary")).to_contain_text("5 runs: 3 passed, 2 failed, in ")
    # A green page does not hide what no run has looked at.
    expect(page.locator("#summary")).to_contain_text(" requirements: 1 holds, 1 fails, 3 pending, ")
    expect(page.locator("#summary")).to_contain_text(" without a run. 1 identifier not in the list.")
    failures = page.locator("#failure-list > li")
    expect(failures).to_have_count(2)
    expect(page.locator("#failures-title")).to_have_text("2 failures")
    # A failure tells what was not as expected from what was, and names its place.
    expect(failures.nth(0).get_by_role("list", name="Not as expected").get_by_role("listitem")).to_have_text([
        "✗ passkeys: expected 3, saw 1" + "passkeys: The number of passkeys that the relying party lists." + "s.yaml, line 12"])
    expect(failures.nth(0)).to_contain_text("Step 3: lists the passkeys")
    expect(failures.nth(0)).to_contain_text("A15 ")
    expect(failures.nth(0)).to_contain_text("In 1 of its 3 runs: on pixel-fingerprint, peer-mentor.")
    expect(failures.nth(1)).to_contain_text("As expected: outcome ok.")
    assert failures.nth(0).bounding_box()["y"] < page.viewport_size["height"]
    # A reader who has never seen the program learns which devices these are, and that they are simulated.
    expect(page.locator("#origins")).to_have_text(
        "Touchstone simulates the devices and their users: no phone and no security key takes part."
        "Made on a day by a program, seed 1")
    expect(page.locator("#device-list")).to_contain_text("iphone-face-idiPhone with Face ID, passkeys in iCloud Keychain")
    # A requirement says at how many devices it holds.
    expect(page.locator("#matrix .held")).to_have_text(["Holds on 1 of 2 devices", "Passes on 0 of 1 device"])
    legend = page.locator("#legend")
    expect(legend).to_contain_text("✓ passed · ✗ failed · ")
    expect(legend).to_contain_text("pending: no run yet")
    # A matrix that goes on at the side says so; on a phone each cell is a line with its device.
    is_cut = page.evaluate("(one => one.scrollWidth > one.clientWidth + 1)(document.querySelector('.scroll'))")
    assert not is_cut or page.viewport_size["width"] > 720
    expect(page.locator("#more")).to_be_visible(visible=is_cut)
    # The matrix has the rows that this run looks at, and the pending ones with their reasons.
    expect(page.locator("#count")).to_have_text(
        "5 requirements (3 pending), 1 unknown identifier, 1 scenario without a requirement and 5 runs shown.")
    pending = page.locator("#matrix tbody tr", has=page.locator(".tag", has_text="pending"))
    expect(pending).to_have_count(3)
    for reason in pending.locator(".reason").all():
        assert reason.inner_text().strip() and reason.is_visible()
    heads = page.locator("#matrix tbody th[scope=rowgroup]").all_inner_texts()
    assert len(heads) == len(set(heads)) and heads[-1] == "Without a requirement", heads
    rows = page.locator("#matrix tbody th[scope=row]").all_inner_texts()
    unknown = next(index for index, row in enumerate(rows) if row.startswith("A99"))
    assert "not in the list" in rows[unknown], rows[unknown]
    check_axe(page, place)

    # A failure opens its run at the step that failed.
    failures.nth(0).get_by_role("button").click()
    expect(page.get_by_role("dialog").get_by_text("expected 3, saw 1")).to_be_in_viewport()
    # The keyboard's focus is there too, and the dialog's heading stays in sight.
    failed = page.locator("#run .step", has=page.locator(".bad"))
    expect(failed).to_be_focused()
    expect(failed).to_be_in_viewport()
    head, step = page.locator("#dialog .head").bounding_box(), failed.bounding_box()
    assert step["y"] >= head["y"] + head["height"] - 1, (head, step)
    # Nothing is cut off at the side, and the columns' heads stay in sight where the width has room for columns.
    measures = page.evaluate("[dialog.scrollWidth, dialog.clientWidth, dialog.scrollLeft]")
    assert measures[0] <= measures[1] and measures[2] == 0, measures
    reason = page.locator("#run td.bad").first.bounding_box()
    assert 0 <= reason["x"] and reason["x"] + reason["width"] <= page.viewport_size["width"], reason
    if page.viewport_size["width"] > 720:
        columns = page.locator("#run thead th").first.bounding_box()
        assert head["y"] + head["height"] - 2 <= columns["y"], (head, columns)
        assert columns["y"] + columns["height"] <= step["y"] + 2, (columns, step)
    expect(page.get_by_role("button", name="Close")).to_be_in_viewport()
    # A word is explained where it comes first.
    expect(page.locator("#run .meaning", has_text="passkeys: ")).to_have_count(1)
    link = page.url
    page.get_by_role("button", name="Close").click()
    # A link to a run opens it at the same place.
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator("#run .step", has=page.locator(".bad"))).to_be_focused()
    page.get_by_role("button", name="Close").click()

    # What the run had looked at before it failed is green.
    expect(page.get_by_role("button", name="A3, pixel-fingerprint, peer-mentor: 1 run passed")).to_be_visible()

    # A red cell opens the run that failed, with the difference and every lane.
    page.get_by_role("button", name="A15, pixel-fingerprint, peer-mentor: 1 run failed").click()
    dialog = page.get_by_role("dialog", name="A15, pixel-fingerprint, peer-mentor")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_text("expected 3, saw 1")).to_be_visible()
    timeline = dialog.get_by_role("table", name="Timeline")
    rows = timeline.get_by_role("row")
    assert rows.count() > 10, rows.count()
    for lane in ["User", "Sensor", "CTAP", "HTTP"]:
        filled = timeline.locator(f"td[data-lane={lane}]:not(:empty)")
        assert filled.count() > 0, lane
    # The timeline has the step's requirement and the expectations that were met.
    expect(timeline.locator(".step .tag").filter(has_text="A15")).to_have_count(1)
    expect(timeline.locator(".met li").first).to_contain_text("✓ ")
    # The run's name would be markup.
    assert page.evaluate("window.injected") is None
    expect(dialog.get_by_role("heading", name="<img src=x")).to_be_visible()
    check_axe(page, f"{place}, timeline")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()

    # The keyboard reaches a cell and opens it.
    cell = page.get_by_role("button", name="A3, iphone-face-id, coordinator: 1 run passed")
    cell.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.get_by_role("button", name="Close").click()

    # Search and filters shorten the matrix.
    page.get_by_label("Search", exact=True).fill("list has exactly")
    expect(page.locator("#count")).to_have_text("1 requirement and 3 runs shown.")
    page.get_by_label("Search", exact=True).fill("stolen")
    expect(page.locator("#count")).to_have_text("0 requirements, 1 scenario without a requirement and 1 run shown.")
    page.get_by_label("Search", exact=True).fill("other-1.yaml")
    expect(page.locator("#count")).to_have_text("0 requirements, 1 unknown identifier and 1 run shown.")
    page.get_by_label("Search", exact=True).fill("iphone-face-id")
    expect(page.locator("#count")).to_have_text("2 requirements and 2 runs shown.")
    # Role and style are those of the app where no parameter has them.
    page.get_by_label("Search", exact=True).fill("hello-face")
    page.get_by_role("button", name="Stolen phone, windows-hello-face, coordinator, boolean-gate: 1 run failed").click()
    expect(page.get_by_role("dialog").get_by_text("no requirement")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    page.get_by_label("Search", exact=True).fill("")
    page.get_by_label("Result", exact=True).select_option("failed")
    expect(page.locator("#count")).to_have_text(
        "1 requirement, 1 scenario without a requirement and 2 runs shown.")
    # A filter keeps the cells with its result alone.
    expect(page.locator("#matrix button.bad")).to_have_count(2)
    expect(page.locator("#matrix tbody button")).to_have_count(2)
    page.get_by_label("Result", exact=True).select_option("pending")
    expect(page.locator("#count")).to_have_text("3 requirements (3 pending) and 0 runs shown.")
    page.get_by_label("Result", exact=True).select_option("")
    page.get_by_label("Role", exact=True).select_option("coordinator")
    expect(page.locator("#matrix thead")).not_to_contain_text("peer-mentor")


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(
        executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
    for scheme in ["light", "dark"]:
        for width in [390, 1280]:
            context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 844})
            page = context.new_page()
            errors = []
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.on("console", lambda message: message.type == "error" and errors.append(message.text))
            use(page, f"{scheme}, {width} px")
            assert not errors, errors
            context.close()
    browser.close()
print("{}")
