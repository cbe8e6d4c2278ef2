"""The library for Robot Framework, in runs of its own."""

import http.server
import os
import subprocess
import sys
import threading
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

CLIENT = Path(__file__).resolve().parent.parent
LIBRARY = "touchstone_bench.robot.TouchstoneLibrary"
PAGE = b"""<!doctype html><title>passkeys</title><button>Make a passkey</button><p id="result"></p><script>
document.querySelector("button").onclick = async () => {
    result.textContent = "";
    try {
        await navigator.credentials.create({ publicKey: {
            rp: { name: "Test", id: "localhost" }, user: { id: new Uint8Array(3), name: "ada", displayName: "Ada" },
            challenge: new Uint8Array(16), pubKeyCredParams: [{ type: "public-key", alg: -7 }] } });
        result.textContent = "made";
    } catch (error) { result.textContent = error.name; }
};
</script>"""


class Site(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_):
        pass


@pytest.fixture
def run(touchstone_control, tmp_path):
    program = touchstone_control.process._process.args[0]
    def run(suite, *options, program=program):
        """Runs a suite of this folder, or the one in a file."""
        file = suite if isinstance(suite, Path) else CLIENT / "tests" / "robot" / f"{suite}.robot"
        environment = {**os.environ, "PYTHONPATH": str(CLIENT / "src"), "TOUCHSTONE": os.path.abspath(program)}
        ended = subprocess.run(
            [sys.executable, "-m", "robot", "-d", str(tmp_path), *options, str(file)],
            env=environment, capture_output=True, text=True, timeout=1800)
        output = tmp_path / "output.xml"
        assert output.exists(), ended.stdout + ended.stderr
        results = {}
        for test in ElementTree.parse(output).iter("test"):
            status = test.find("status")
            results[test.get("name")] = (
                status.get("status"), status.text or "", "\n".join(message.text or "" for message in test.findall("msg")))
        return results

    return run


def test_the_keywords_of_a_passing_suite_do_what_they_say(run):
    results = run("lockout")
    assert {name: message for name, (status, message, _) in results.items() if status != "PASS"} == {}
    assert len(results) == 4


def test_a_failing_suite_says_why_and_shows_the_events(run):
    results = run("failing")
    status, message, log = results["Expects No Lockout"]
    assert status == "FAIL"
    assert message.startswith("The act verify was refused: lockedOut.timed, BiometricPrompt 7 ERROR_LOCKOUT")
    assert "Events of phone:" in log and "cause: lockedOut.timed" in log and "prompt for the fingerprint" in log
    status, message, log = results["Plans Acts Without Effect"]
    assert status == "FAIL" and "phone: No prompt asked for cancel." in message
    assert "Events of phone:" in log and "fingerprint" not in log
    assert results["Is Not Blamed"][0] == "PASS"


def test_a_browser_has_the_device_beside_the_keywords_of_selenium(run):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        results = run("browser", "--variable", f"URL:http://localhost:{server.server_port}/")
    finally:
        server.shutdown()
        server.server_close()
    assert results["A Page Gets The Error Of A Cancelled Prompt"][:2] == ("PASS", "")
    status, message, log = results["A Failing Test Shows The Events Of Its Browser"]
    assert status == "FAIL" and "should have contained text 'made' but its text was 'NotAllowedError'" in message
    assert "Events of iphone-face-id" in log and "cause: userCancelled" in log


def test_the_suite_of_the_documentation_passes(run, tmp_path):
    page = (CLIENT.parent.parent / "docs" / "robot-framework.md").read_text(encoding="utf-8")
    suite = tmp_path / "page.robot"
    suite.write_text(page.split("```robotframework\n")[1].split("```")[0], encoding="utf-8")
    assert run(suite)["Five Wrong Fingers Lock The Sensor"][:2] == ("PASS", "")


def test_a_program_that_is_not_one_is_an_error_of_the_first_keyword(run, tmp_path):
    results = run("failing", "--test", "Is Not Blamed", program=str(tmp_path / "missing"))
    assert results["Is Not Blamed"][0] == "FAIL" and "is not a program. Name the file of `touchstone`." in results["Is Not Blamed"][1]


def test_the_documentation_of_the_keywords_builds(tmp_path):
    page = tmp_path / "keywords.html"
    ended = subprocess.run(
        [sys.executable, "-m", "robot.libdoc", LIBRARY, str(page)], env={**os.environ, "PYTHONPATH": str(CLIENT / "src")},
        capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    text = page.read_text(encoding="utf-8")
    assert "Act Should Be Refused" in text and "theft-protection" in text


def test_every_keyword_has_documentation_and_no_other_method_is_one():
    from robot.libdocpkg import LibraryDocumentation

    documented = LibraryDocumentation(LIBRARY)
    names = {keyword.name for keyword in documented.keywords}
    assert {"Start Device", "Plan Acts", "Perform Act", "Open Browser With Device"} <= names
    assert not {"End Test", "Close", "Start Test"} & names
    assert [keyword.name for keyword in documented.keywords if not keyword.doc] == []
