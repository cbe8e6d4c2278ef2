"""Windows whose first, empty document lives shortly: frames that a script inserts, and pop-ups."""

import json

import pytest
from test_page_script import CREATE, GET

# Calls the page's function in another window, as a script of that window does.
ASK = f"""const ask = (window) => window.eval({json.dumps(f"({GET})")})({{rpId: "localhost"}});"""


@pytest.mark.parametrize("source", ["", "srcdoc", "src"])
@pytest.mark.parametrize("is_early", [False, True])
def test_a_frame_that_a_script_inserts(way, pages, source, is_early):
    pages.content["/frame"] = "<p>frame</p>"
    page = way()
    made = page.evaluate(CREATE, {"rpId": "localhost"})
    got = page.evaluate(f"""async ([source, isEarly]) => {{
        {ASK}
        const frame = document.createElement("iframe");
        if (source) frame[source] = {{srcdoc: "<p>frame</p>", src: "/frame"}}[source];
        const loaded = new Promise((done) => {{ frame.onload = done; }});
        document.body.append(frame);
        // The empty document's request ends with it; the window lives on.
        if (isEarly) ask(frame.contentWindow);
        await loaded;
        return ask(frame.contentWindow);
    }}""", [source, is_early and source != ""])
    assert got.get("id") == made["id"] and got["clientData"]["origin"] == pages.local


def test_a_popup_that_its_opener_writes(way, pages):
    page = way()
    made = page.evaluate(CREATE, {"rpId": "localhost"})
    got = page.evaluate(f"""() => {{
        {ASK}
        const popup = globalThis.popup = open("");
        popup.document.write("<p>written</p>");
        popup.document.close();
        return ask(popup);
    }}""")
    assert got.get("id") == made["id"] and got["clientData"]["origin"] == pages.local
    assert page.evaluate(f"() => {{ {ASK} return ask(popup); }}")["id"] == made["id"]


@pytest.mark.parametrize("is_early", [False, True])
def test_a_popup_with_an_address(way, pages, is_early):
    pages.content["/popup"] = "<p>popup</p>"
    page = way()
    made = page.evaluate(CREATE, {"rpId": "localhost"})
    got = page.evaluate(f"""async (isEarly) => {{
        {ASK}
        const popup = open("/popup");
        if (isEarly) ask(popup);
        while (popup.location.pathname !== "/popup" || popup.document.readyState !== "complete") {{
            await new Promise((done) => setTimeout(done, 5));
        }}
        return ask(popup);
    }}""", is_early)
    assert got["id"] == made["id"]
