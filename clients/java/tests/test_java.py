"""Suites of JUnit 5 with the extension, and the generated files."""

import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

CLIENT = Path(__file__).resolve().parent.parent
JARS = Path(os.environ.get("JAVA_JARS", "/usr/share/java"))
SUITES = CLIENT / "tests" / "suites"


def run(*command, **environment):
    return subprocess.run(
        [str(part) for part in command], cwd=CLIENT, env={**os.environ, **environment}, capture_output=True, text=True, timeout=1800)


@pytest.fixture
def program(request):
    from touchstone_bench import find_program

    return str(find_program(request.config.getoption("--touchstone")).absolute())


@pytest.fixture(scope="session")
def class_path(tmp_path_factory):
    folder = tmp_path_factory.mktemp("java")
    built = run("scripts/build.sh", folder)
    assert built.returncode == 0, built.stdout + built.stderr
    names = (
        "jackson-databind", "jackson-core", "jackson-annotations", "junit-jupiter-api", "junit-jupiter-engine", "junit-jupiter-params",
        "junit-platform-commons", "junit-platform-engine", "junit-platform-launcher", "junit-platform-console",
        "junit-platform-reporting", "opentest4j", "opentest4j-reporting-events", "apiguardian-api", "picocli")
    jars = [str(JARS / f"{name}.jar") for name in names]
    path = os.pathsep.join([str(folder / "touchstone-junit5.jar"), *jars])
    suites = folder / "suites"
    compiled = run("javac", "--release", "17", "-d", suites, "-cp", path, *sorted(SUITES.glob("*.java")))
    assert compiled.returncode == 0, compiled.stdout + compiled.stderr
    return os.pathsep.join([str(suites), path])


@pytest.fixture
def junit(class_path, tmp_path):
    def run_suite(suite, *options, folder=tmp_path, **environment):
        """The failure of each test, by its name; None for a test that passes."""
        ended = run(
            "java", "-cp", class_path, "org.junit.platform.console.ConsoleLauncher", "--disable-banner", "--select-class", suite,
            "--include-classname", ".*", "--reports-dir", folder, *options, **environment)
        report = folder / "TEST-junit-jupiter.xml"
        assert report.exists(), ended.stdout + ended.stderr
        results = {}
        for case in ElementTree.parse(report).iter("testcase"):
            failure = next((found for found in case if found.tag in ("failure", "error")), None)
            output = "\n".join(found.text or "" for found in case.iter("system-out"))
            results[case.get("name").split("(")[0]] = None if failure is None else (failure.text or "") + output
        return results

    return run_suite


def test_the_suite_passes(junit, program):
    results = junit("LockoutTest", "--config", f"touchstone.program={program}")
    assert len(results) == 7
    assert {name: failure for name, failure in results.items() if failure} == {}


def test_the_class_of_the_documentation_passes_and_fails_with_its_text(class_path, junit, program, tmp_path):
    page = (CLIENT.parent.parent / "docs" / "java.md").read_text(encoding="utf-8")
    sample = page.split("```java\n")[1].split("```")[0]
    for seconds, text in [(30, None), (20, "The act was refused: lockedOut.timed, BiometricPrompt 7 ERROR_LOCKOUT")]:
        file = tmp_path / str(seconds) / "UnlockTest.java"
        file.parent.mkdir()
        file.write_text(sample.replace("ofSeconds(30)", f"ofSeconds({seconds})"), encoding="utf-8")
        compiled = run("javac", "--release", "17", "-d", file.parent, "-cp", class_path, file)
        assert compiled.returncode == 0, compiled.stderr
        results = junit("UnlockTest", "-cp", file.parent, TOUCHSTONE=program, folder=file.parent)
        [failure] = results.values()
        assert (failure is None) if text is None else text in failure


FAILURES = {
    "expectsNoLockout": "The act was refused: lockedOut.timed, BiometricPrompt 7 ERROR_LOCKOUT",
    "plansWithoutEffect": "Acts of the plan had no effect. phone: No prompt asked for no-match, cancel. Remove them from the plan",
    "failsForAnotherReason": "another reason",
    "namesNoDevice": 'Write @Device("PROFILE") before it; `touchstone profiles list` lists the profiles.',
    "takesAPhoneForAKey": "iphone-face-id is a phone or computer. Take a Phone, or the profile of a security key.",
    "namesAnUnknownProfile": "iphone-face-id",
    "annotatesABench": "A Bench takes no @Device. Remove it, or take a Phone or a SecurityKey.",
    "plansAnImpossibleAct": "person.impossible",
    "expectsARefusal": "The act was done; expected a refusal: lockedOut.timed",
    "leavesAPlanToAnotherMethod": "phone: No prompt asked for cancel.",
}


def test_a_failing_test_has_the_reason_and_the_events(junit, program):
    results = junit("FailingTest", TOUCHSTONE=program)
    assert results.keys() == FAILURES.keys() | {"isNotBlamed"}
    assert results["isNotBlamed"] is None
    for name, text in FAILURES.items():
        assert results[name] is not None and text in results[name], f"{name}: {results[name]}"
    lockout = results["expectsNoLockout"]
    assert "Suppressed: events of phone" in lockout and "cause: lockedOut.timed" in lockout
    assert lockout.count("biometric-prompt: BiometricPrompt 7 ERROR_LOCKOUT") >= 1
    assert "touchstone events of phone" in lockout
    assert "events of phone\nnone" in results["plansWithoutEffect"]
    assert "No prompt asked" not in results["failsForAnotherReason"]


def test_a_control_api_that_runs_already_is_used(junit, touchstone_control, tmp_path):
    address = {"TOUCHSTONE_URL": touchstone_control.url, "TOUCHSTONE_TOKEN": touchstone_control.token}
    before = touchstone_control.events(limit=1, since=2**53)["lastId"]
    results = junit("LockoutTest", TOUCHSTONE="/missing", **address)
    assert {name: failure for name, failure in results.items() if failure} == {}
    assert touchstone_control.events(limit=1, since=2**53)["lastId"] > before
    assert touchstone_control.devices() == []


@pytest.mark.parametrize(
    "settings, text", [
        ({"TOUCHSTONE": "/missing"}, "/missing is not a program. Name the file of `touchstone`."),
        ({"TOUCHSTONE": "/bin/false"}, "`touchstone control` ended with 1"),
        ({"TOUCHSTONE_URL": "http://127.0.0.1:1"}, "needs its token. Set TOUCHSTONE_TOKEN or touchstone.token."),
        ({"TOUCHSTONE_URL": "http://127.0.0.1:1", "TOUCHSTONE_TOKEN": "0123456789abcdef0123"}, "The control API at http://127.0.0.1:1 does not answer"),
        ({"TOUCHSTONE_URL": "phone", "TOUCHSTONE_TOKEN": "0123456789abcdef0123"}, "phone is not the address of a control API. Write http://HOST:PORT."),
    ])
def test_a_program_that_does_not_run_is_an_error(junit, settings, text):
    results = junit("FailingTest", **settings)
    assert results["isNotBlamed"] is not None and text in results["isNotBlamed"]


def test_the_generated_files_are_in_step_with_the_openapi_document(program):
    ended = run(sys.executable, "scripts/generate.py", program, "--check")
    assert ended.returncode == 0, f"run scripts/generate.py:\n{ended.stdout}{ended.stderr}"


def test_the_version_is_that_of_the_other_clients():
    import touchstone_bench

    described = ElementTree.parse(CLIENT / "pom.xml").getroot()
    assert described.findtext("{http://maven.apache.org/POM/4.0.0}version") == touchstone_bench.__version__
