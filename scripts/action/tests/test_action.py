"""The action for GitHub: its description, and its scripts in a job's environment."""

import base64
import hashlib
import http.server
import os
import re
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[3]
ACTION = ROOT / "action.yml"
SCRIPTS = ROOT / "scripts" / "action"
BIN = Path(sys.executable).parent
SCENARIO = """\
name: Five wrong fingers lock the sensor
devices: { phone: pixel-fingerprint }
steps:
  - verify: { person: no-match x 5, expect: { outcome: refused, cause: lockedOut.timed } }
  - wait: SPAN
  - verify: { person: match, expect: { outcome: ok, lockout: none } }
"""


@pytest.fixture(scope="session")
def program(request):
    from touchstone_bench import find_program

    return find_program(request.config.getoption("--touchstone")).absolute()


@pytest.fixture
def job(tmp_path, program):
    """Runs a script as a step of a job does: with inputs, in a workspace, with files for outputs."""
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "touchstone").symlink_to(program)
    for name in ("temp", "path", "output", "summary"):
        (tmp_path / name).mkdir() if name == "temp" else (tmp_path / name).touch()

    class Job:
        folder = workspace

        def run(self, script, *, path=f"{tools}:{os.environ['PATH']}", **inputs):
            environment = {
                "PATH": path, "HOME": str(tmp_path), "RUNNER_TEMP": str(tmp_path / "temp"), "GITHUB_PATH": str(tmp_path / "path"),
                "GITHUB_OUTPUT": str(tmp_path / "output"), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
                **{f"INPUT_{name.upper()}": str(value) for name, value in inputs.items()},
            }
            return subprocess.run(
                ["/bin/bash", SCRIPTS / f"{script}.sh"], cwd=workspace, env=environment, capture_output=True, text=True, timeout=1800)

        @property
        def outputs(self):
            return dict(line.split("=", 1) for line in (tmp_path / "output").read_text().splitlines())

        @property
        def paths(self):
            return (tmp_path / "path").read_text().splitlines()

        @property
        def summary(self):
            return (tmp_path / "summary").read_text()

        def scenario(self, name, span):
            (workspace / name).write_text(SCENARIO.replace("SPAN", span))

    return Job()


# The description.


def check(*command, folder=ROOT):
    return subprocess.run([str(part) for part in command], cwd=folder, capture_output=True, text=True)


def test_the_action_has_the_form_that_github_expects(tmp_path):
    checked = check(BIN / "check-jsonschema", "--builtin-schema", "vendor.github-actions", ACTION)
    assert checked.returncode == 0, checked.stdout
    wrong = tmp_path / "action.yml"
    wrong.write_text(ACTION.read_text().replace("using: composite", "using: composit"))
    assert check(BIN / "check-jsonschema", "--builtin-schema", "vendor.github-actions", wrong).returncode == 1


def test_the_action_and_the_workflow_of_the_documentation_are_without_findings(tmp_path):
    checked = check(BIN / "jactionlint", ACTION)
    assert checked.returncode == 0, checked.stdout
    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    workflow = next(block for block in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL) if "uses: OWNER/touchstone" in block)
    (tmp_path / ".github" / "workflows").mkdir(parents=True)
    (tmp_path / "touchstone").mkdir()
    # The root of a repository.
    (tmp_path / ".git").mkdir()
    (tmp_path / "touchstone" / "action.yml").write_text(ACTION.read_text())
    # The linter reads the inputs of an action in the repository.
    text = re.sub(r"OWNER/touchstone@\S+", "./touchstone", workflow)
    file = tmp_path / ".github" / "workflows" / "passkeys.yml"
    file.write_text(f"name: passkeys\non: push\npermissions: {{}}\n{text}")
    linter = (BIN / "jactionlint", "--profile", "correctness", file)
    checked = check(*linter, folder=tmp_path)
    assert checked.returncode == 0, checked.stdout
    file.write_text(file.read_text().replace("sha256:", "sha265:"))
    checked = check(*linter, folder=tmp_path)
    assert checked.returncode == 1 and "sha265" in checked.stdout


def test_each_input_reaches_a_script_and_each_output_comes_from_one():
    action = yaml.safe_load(ACTION.read_text())
    passed = {}
    for step in action["runs"]["steps"]:
        passed |= step.get("env", {})
    for name, value in passed.items():
        wanted = name.removeprefix("INPUT_").lower().replace("_", "-")
        assert value == f"${{{{ inputs.{wanted} }}}}"
        assert any(name in script.read_text() for script in SCRIPTS.glob("*.sh")), name
    used = {name.removeprefix("INPUT_").lower().replace("_", "-") for name in passed}
    assert action["inputs"].keys() == used | {"artifact"}
    written = "".join(script.read_text() for script in SCRIPTS.glob("*.sh"))
    for name, output in action["outputs"].items():
        assert f'"{name}=$' in written and output["value"].endswith(f".outputs.{name} }}}}")
    assert all(entry.get("description") for entry in [*action["inputs"].values(), *action["outputs"].values()])


# Installing.


def wheel(folder, program):
    """A wheel whose program starts the one under test."""
    name = "touchstone_bench-0.1.0"
    file = folder / f"{name}-py3-none-any.whl"
    script = f"#!/bin/sh\nexec '{program}' \"$@\"\n"
    info = f"{name}.dist-info"
    contents = {
        f"{name}.data/scripts/touchstone": script,
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: touchstone-bench\nVersion: 0.1.0\nRequires-Dist: httpx\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    lines = [
        f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b'=').decode()},{len(text)}"
        for path, text in contents.items()
    ]
    contents[f"{info}/RECORD"] = "\n".join([*lines, f"{info}/RECORD,,", ""])
    with zipfile.ZipFile(file, "w") as archive:
        for path, text in contents.items():
            entry = zipfile.ZipInfo(path)
            entry.external_attr = 0o100755 << 16
            archive.writestr(entry, text)
    return file


def installed(job, ended):
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert re.fullmatch(r"\d+\.\d+\.\d+", job.outputs["version"])
    [path] = job.paths
    found = subprocess.run([f"{path}/touchstone", "--version"], capture_output=True, text=True)
    assert found.stdout.strip() == job.outputs["version"]


def test_the_program_of_the_path_is_taken(job):
    installed(job, job.run("install"))


def test_a_program_is_taken(job, program):
    installed(job, job.run("install", package=program))


def test_a_wheel_is_installed_without_a_registry(job, program):
    file = wheel(job.folder, program)
    installed(job, job.run("install", package=file.name, sha256=hashlib.sha256(file.read_bytes()).hexdigest().upper()))


@pytest.fixture
def server(tmp_path):
    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments):
            super().__init__(*arguments, directory=str(tmp_path / "workspace"))

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_wheel_of_an_address_is_compared_and_installed(job, program, server):
    file = wheel(job.folder, program)
    address = f"{server}/{file.name}?download=1"
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    installed(job, job.run("install", package=address, sha256=digest))
    refused = job.run("install", package=address, sha256="0" * 64)
    assert refused.returncode == 2 and f"has another SHA-256, {digest}." in refused.stdout
    missing = job.run("install", package=f"{server}/none.whl", sha256=digest)
    assert missing.returncode == 2 and "cannot be downloaded. Check the address." in missing.stdout


def test_a_debian_package_is_installed_with_apt(job, tmp_path, program):
    tools = tmp_path / "apt"
    tools.mkdir()
    (tools / "apt-get").write_text(f"#!/bin/sh\necho \"$@\" >>'{tmp_path}/calls'\n[ \"$1\" != install ] || ln -s '{program}' '{tools}/touchstone'\n")
    (tools / "sudo").write_text('#!/bin/sh\nshift\nexec "$@"\n')
    for tool in tools.iterdir():
        tool.chmod(0o755)
    package = job.folder / "touchstone_0.1.0_amd64.deb"
    package.touch()
    installed(job, job.run("install", package=package.name, path=f"{tools}:/usr/bin:/bin"))
    assert (tmp_path / "calls").read_text().splitlines() == ["update -q", f"install -y -q -- {package}"]


@pytest.mark.parametrize(
    "inputs, text", [
        ({"path": "/usr/bin:/bin"}, "touchstone is not on the path. Name a package of a release."),
        ({"package": "none.whl"}, "none.whl was not found. Name a wheel, a Debian package or the program."),
        ({"package": "notes.txt"}, "notes.txt is neither a wheel, nor a Debian package, nor a program."),
        ({"package": "broken.whl"}, "pip cannot install broken.whl."),
        ({"package": "broken"}, "does not start on this system."),
        ({"package": "http://127.0.0.1:1/x.whl"}, "A package from an address needs its sha256."),
        ({"sha256": "0" * 64}, "sha256 has no effect without a package."),
        ({"package": "notes.txt", "sha256": "0" * 64}, "notes.txt has another SHA-256"),
    ])
def test_a_wrong_package_is_an_error_of_the_job(job, inputs, text):
    (job.folder / "notes.txt").write_text("notes")
    (job.folder / "broken.whl").write_text("no archive")
    (job.folder / "broken").write_text("#!/bin/sh\nexit 127\n")
    (job.folder / "broken").chmod(0o755)
    ended = job.run("install", **inputs)
    assert ended.returncode == 2
    assert any(line.startswith("::error title=Touchstone is not installed::") and text in line for line in ended.stdout.splitlines())
    assert job.paths == []


# Running.


def test_a_scenario_that_passes_has_reports(job):
    job.scenario("a lockout.yaml", "30 s")
    ended = job.run("run", files="\n  a lockout.yaml  \n", arguments="--seed\n7")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert job.outputs == {
        "status": "0", "result": "passed", "html": "touchstone-reports/touchstone.html", "junit": "touchstone-reports/touchstone.xml"}
    assert "<html" in (job.folder / job.outputs["html"]).read_text()
    assert "::error" not in ended.stdout
    assert job.summary == "**Touchstone, scenarios:** passed (exit status 0)\n"


def test_a_scenario_that_fails_is_annotated_at_its_line(job):
    (job.folder / "passkeys").mkdir()
    job.scenario("passkeys/good.yaml", "30 s")
    job.scenario("passkeys/bad.yaml", "20 s")
    ended = job.run("run", files="passkeys", reports="out/deep")
    assert ended.returncode == 1
    annotations = [line for line in ended.stdout.splitlines() if line.startswith("::error ")]
    assert annotations and all("file=passkeys/bad.yaml,line=6" in line for line in annotations)
    assert any("expected ok, saw refused (lockedOut.timed)" in line for line in annotations)
    assert job.outputs["result"] == "failed" and job.outputs["status"] == "1"
    assert "<failure" in (job.folder / job.outputs["junit"]).read_text() and job.outputs["html"] == "out/deep/touchstone.html"


def test_an_authenticator_is_judged(job):
    ended = job.run(
        "run", run="conformance-authenticator", device="virtual:solo-2", arguments="--case\nmakeCredential.excludeList")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert job.outputs["result"] == "passed" and (job.folder / job.outputs["html"]).exists()


def test_a_case_that_fails_is_annotated(job):
    ended = job.run(
        "run", run="conformance-authenticator", device="virtual:solo-1", arguments="--profile\nfido2.1-security-key\n--case\ngetInfo")
    assert ended.returncode == 1, ended.stdout + ended.stderr
    annotations = [line for line in ended.stdout.splitlines() if line.startswith("::error title=getInfo.")]
    assert annotations and all("expected" in line for line in annotations)


def test_a_relying_party_is_judged(job, program):
    serving = subprocess.Popen([program, "serve", "--port", "0"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    try:
        url = next(found[0] for line in serving.stderr if (found := re.search(r"http://\S+:\d+", line)))
        url = f"http://localhost:{url.rsplit(':', 1)[1]}"
        common = {"relying_party": "touchstone", "url": url, "wait": "10s"}
        judged = job.run("run", run="conformance-relying-party", arguments="--case\nregistration.clientData.utf16", **common)
        assert judged.returncode == 0, judged.stdout + judged.stderr
        absent = job.run("run", **{**common, "url": "http://localhost:1", "wait": "1s"})
        assert absent.returncode == 3 and job.outputs["result"] == "error"
    finally:
        serving.terminate()
        serving.communicate()


@pytest.mark.parametrize(
    "inputs, text", [
        ({"run": "scenario"}, "run is scenario. Write scenarios, conformance-relying-party or conformance-authenticator."),
        ({"device": "usb"}, "device has no effect for scenarios. Remove it."),
        ({"wait": "10s"}, "wait has no effect without a relying party. Name one, or remove it."),
        ({"url": "http://localhost:1"}, "url has no effect without a relying party."),
        ({"run": "conformance-authenticator"}, "conformance-authenticator needs a device, such as virtual:solo-2."),
        ({"run": "conformance-authenticator", "device": "usb", "files": "x"}, "files has no effect for conformance-authenticator."),
        ({"run": "conformance-relying-party", "device": "usb"}, "device has no effect for conformance-relying-party."),
    ])
def test_an_input_without_effect_is_an_error(job, inputs, text):
    ended = job.run("run", **inputs)
    assert ended.returncode == 2
    assert any(line.startswith("::error title=Touchstone::") and text in line for line in ended.stdout.splitlines())
    assert not (job.folder / "touchstone-reports").exists()


def test_a_missing_file_is_an_error(job):
    ended = job.run("run", files="none.yaml")
    assert ended.returncode == 2 and job.outputs["result"] == "error" and "none.yaml" in ended.stderr
