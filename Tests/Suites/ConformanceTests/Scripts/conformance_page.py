"""Reads the report of conformance runs in Chromium, as a reader does."""

import json
import shutil
import sys

from playwright.sync_api import expect, sync_playwright

requested = json.loads(sys.argv[1])

with sync_playwright() as playwright:
    browser = playwright.chromium.launch(
        executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
    page = browser.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(requested["url"])
    expect(page.locator("html[data-ready]")).to_have_count(1)
    expect(page.locator("#verdict")).to_have_text("✗ 4 of 5 cases failed")
    expect(page.locator("#origins")).to_have_text("Sample, aaguid 00, Touchstone 1")
    # Failures with one observation are one failure, and come first.
    expect(page.locator("#failures-title")).to_have_text("2 failures, in 4 cases")
    cards = page.locator("#failure-list > li")
    expect(cards.locator("strong")).to_have_text(["a fall in 3 cases", "leap.3: A leap succeeds."])
    expect(cards.nth(0)).to_contain_text("First in leap.1: A leap succeeds.")
    expect(cards.nth(0)).to_contain_text("Clauses: CTAP 2.3 §6.1, CTAP 2.3 §6.2, CTAP 2.3 §6.3.")
    cards.nth(0).get_by_role("button", name="show 3 cases").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("expected a jump, saw a fall")).to_be_visible()
    dialog.get_by_role("button", name="Next case (1 of 3)").click()
    expect(dialog.get_by_role("heading", name="leap.2: A leap succeeds.")).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    # A clause that does not apply is shown to a reader who looks for it.
    expect(page.locator("#matrix tbody th[scope=row]")).to_have_count(4)
    expect(page.locator("#count")).to_have_text(
        "4 clauses and 4 cases shown. 1 clause not applicable: choose that result to see it.")
    page.get_by_label("Result", exact=True).select_option("not applicable")
    expect(page.locator("#count")).to_have_text("1 clause and 1 case shown.")
    assert not errors, errors
    browser.close()
print("{}")
