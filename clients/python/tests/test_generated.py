"""The generated files, and the types of all files."""

import re
import subprocess
import sys
from pathlib import Path

CLIENT = Path(__file__).resolve().parent.parent


def test_the_generated_files_are_in_step_with_the_openapi_document(touchstone_control, request):
    program = touchstone_control.process._process.args[0]
    run = subprocess.run(
        [sys.executable, str(CLIENT / "scripts" / "generate.py"), program, "--check"], capture_output=True, text=True)
    assert run.returncode == 0, f"run scripts/generate.py:\n{run.stdout}{run.stderr}"


def test_the_client_has_no_type_errors(tmp_path):
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path)], cwd=CLIENT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


def test_every_operation_has_a_method(touchstone_control):
    """The document's paths, each of which the source of the client names."""
    source = "".join((CLIENT / "src/touchstone_bench/_async" / name).read_text() for name in ("control.py", "device.py"))
    # WebDriver's clients, the panel's page and the transport of browsers ask for these themselves.
    others = ("/session", "/status", "/v1/panel/sessions", "/v1/sockets")
    paths = [path for path in touchstone_control.openapi()["paths"] if not path.startswith(others)]
    missing = []
    for path in paths:
        runs = re.split(r"\{[^}]*\}", path.removeprefix("/v1/devices/{device}").removesuffix("/create").removesuffix("/get"))
        if not all(re.search(f'{re.escape(run.rstrip("/"))}["/{{]', source) for run in runs if run.strip("/")):
            missing.append(path)
    assert not missing
