"""The wheel, built and used in a clean environment."""

import os
import subprocess
import sys
import venv
from pathlib import Path

CLIENT = Path(__file__).resolve().parent.parent
# `scripts/setup.sh test` keeps the wheels of the dependencies there.
WHEELS = CLIENT.parent.parent / ".build" / "wheels"
TEST = """
    def test_a_device_starts(passkey_device):
        assert passkey_device("pixel-fingerprint").state()["status"]["profile"] == "pixel-fingerprint"
"""
# The carrier of an installed package has the scripts of a browser's documents.
CARRIER = """
import touchstone_bench as t
from touchstone_bench.browser.carrier import Carrier
from touchstone_bench.browser.settings import Settings
with t.Control.start() as control, control.start_device("iphone-face-id") as phone:
    carrier = Carrier(control.url, control.token, phone.name, Settings())
    for name, part in [("page", "CredentialsContainer"), ("relay", "touchstoneAnswer"), ("classes", "PublicKeyCredential")]:
        print(part in carrier.scripts[name])
    carrier.stop()
"""


def run(*command, **options):
    finished = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout


def test_the_wheel_works_in_a_clean_environment(tmp_path, touchstone_control):
    program = touchstone_control.process._process.args[0]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIP_"))}
    run(sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", tmp_path, CLIENT,
        env=environment)
    [wheel] = tmp_path.glob("touchstone_bench-*.whl")
    venv.create(tmp_path / "clean", with_pip=True)
    python = tmp_path / "clean" / "bin" / "python"
    run(python, "-m", "pip", "install", "--no-index", "--find-links", WHEELS, f"{wheel}[pytest]", env=environment)
    (tmp_path / "test_use.py").write_text("\n".join(line[4:] for line in TEST.splitlines()))
    shown = run(python, "-m", "pytest", "-q", f"--touchstone={program}", "test_use.py", cwd=tmp_path, env=environment)
    assert "1 passed" in shown
    script = "import touchstone_bench as t\nwith t.Control.start() as c: print(len(c.profiles()))"
    environment["TOUCHSTONE"] = program
    assert int(run(python, "-c", script, cwd=tmp_path, env=environment)) > 10
    assert run(python, "-c", CARRIER, cwd=tmp_path, env=environment).splitlines() == ["True"] * 3
