"""Runs the tests of the JavaScript client with Node, and checks its declarations."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import playwright
import pytest

CLIENT = Path(__file__).resolve().parent.parent
# The Python package carries Playwright for Node.
PLAYWRIGHT = Path(playwright.__path__[0]) / "driver" / "package"


def run(program, *arguments, **environment):
    return subprocess.run(
        [program, *map(str, arguments)], cwd=CLIENT, env={**os.environ, **environment}, capture_output=True, text=True,
        timeout=1800)


@pytest.fixture
def program(request):
    from touchstone_bench import find_program

    return str(find_program(request.config.getoption("--touchstone")).absolute())


@pytest.mark.parametrize("file", ["client.test.js", "browser.test.js", "hand-over.test.js", "playwright.test.js", "react-native.test.js", "expo.test.js"])
def test_the_tests_of_node_pass(program, file):
    environment = {"TOUCHSTONE": program, "TEST_PLAYWRIGHT": str(PLAYWRIGHT), "CHROMIUM": shutil.which("chromium")}
    ended = run("node", "--test", CLIENT / "tests" / file, **environment)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_the_types_are_in_step_with_the_openapi_document(program):
    ended = run(sys.executable, "scripts/generate.py", program, "--check")
    assert ended.returncode == 0, f"run scripts/generate.py:\n{ended.stdout}{ended.stderr}"


@pytest.mark.parametrize("module, resolution", [("es2022", "node"), ("node16", "node16")])
def test_the_declarations_hold(module, resolution):
    ended = run(
        "tsc", "--noEmit", "--strict", "--target", "es2022", "--module", module, "--moduleResolution", resolution,
        "--lib", "es2022,dom", "tests/types.ts")
    assert ended.returncode == 0, ended.stdout


def test_the_package_has_no_dependencies_and_all_its_files(tmp_path):
    described = json.loads((CLIENT / "package.json").read_text())
    assert not {"dependencies", "peerDependencies"} & described.keys()
    shutil.copytree(CLIENT / "src", tmp_path / "src")
    shutil.copyfile(CLIENT / "package.json", tmp_path / "package.json")
    ended = run("node", "--input-type=module", "-e", f"await import({json.dumps(str(tmp_path / 'src' / 'index.js'))})")
    assert ended.returncode == 0, ended.stderr
