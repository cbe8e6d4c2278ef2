"""The tests of the package, with the changed modules in place of the others."""
import os
import re
import subprocess
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

from .build import ROOT

# A test takes seconds; a mutant may wait for ever.
LIMIT = 600
# The variable that names the mutation to the program, and to the compiler of the key library.
MUTATION = "MUTATION"


class TestRunner:
    """Answers the orders of rows with tests as `Runner` answers the others; each order has a process of its own."""

    def __init__(self, program):
        self.program = program

    def ask(self, order):
        names = order["tests"]
        environment = {name: value for name, value in os.environ.items() if name != MUTATION}
        if "mutation" in order:
            environment[MUTATION] = order["mutation"]
        if "compiler" in order:
            environment["CC"] = order["compiler"]
        if "compiler" in order and (problem := library_problem(environment)):
            return {"error": problem}
        filters = [word for name in names for word in ("--filter", f"^{re.escape(name)}\\(")]
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "report.xml"
            try:
                done = subprocess.run(
                    [self.program, "--testing-library", "swift-testing", "--xunit-output", report, *filters], cwd=ROOT,
                    env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                    timeout=LIMIT)
            except subprocess.TimeoutExpired:
                return {"error": f"the tests did not end within {LIMIT} s"}
            if done.returncode < 0:
                # A crash is noticed like a failure.
                return {"red": names}
            if not report.exists():
                return {"error": f"no report: {done.stderr[-500:]}"}
            results = outcomes(report.read_text())
        if missing := [name for name in names if name not in results]:
            return {"error": f"no test is named {', '.join(missing)}"}
        return {"red": [name for name in names if results[name]]}

    def close(self):
        pass


def library_problem(environment):
    """The reason why the key library does not build; none when it does."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [ROOT / "scripts/key-library.sh", Path(folder) / "library.so"], env=environment, capture_output=True, text=True)
    return done.stderr[-500:] or "the key library does not build" if done.returncode else None


def outcomes(report):
    """Whether each test failed, by its name as rows write it: TARGET.SUITE/FUNCTION."""
    results = {}
    for case in xml.fromstring(report).iter("testcase"):
        function = case.get("name", "").partition("(")[0]
        target, _, suites = case.get("classname", "").partition(".")
        name = f"{target}.{'/'.join([*suites.split('.'), function] if suites else [function])}"
        results[name] = results.get(name, False) or case.find("failure") is not None
    return results
