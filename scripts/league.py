#!/usr/bin/env python3
"""Performs the conformance catalogue on foreign subjects and virtual twins, and writes docs/conformance/league.md.

The subjects are software authenticators of PyPI, the virtual twins of the known keys, and the sites of
Tests/Suites/ForeignPartiesTests/Sites. `make test` installs what they need; the script installs scripts/requirements-league.txt
in .build/python-league. The reports stay in .build/league, so that --only performs some subjects again. scripts/league has readings of
failed cases, an adapter, and the list of authenticators that do not run.

  league.py                          performs every subject, and writes the page
  league.py --only opensk            performs one subject, and writes the page from its new report and the kept ones
  league.py --page-only              writes the page from the kept reports
  league.py --list                   lists the subjects
"""
import argparse
import json
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "league"))
from page import Page, known_reasons  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
SITES = ROOT / "Tests/Suites/ForeignPartiesTests/Sites"
BASELINES = ROOT / "Tests/Suites/ForeignPartiesTests/Baselines"
FOREIGN = ROOT / "Tests/Suites/AuthenticatorSuiteTests/Foreign"
HELPERS = ROOT / "scripts/league"
START_SECONDS = 60
# An interrupted run first waits for the answer of its case.
END_SECONDS = 30
PIN = "1234-abcd"
VERSIONS = """
import importlib.metadata, json, platform, sys
folder, *names = sys.argv[1:]
sys.path[:0] = [folder] if folder else []
found = {name: importlib.metadata.version(name) for name in names}
print(json.dumps({**found, "Python": platform.python_version()}))
"""


class Problem(Exception):
    """What is wrong, and what to do."""


class Subject:
    """A subject of the catalogue: its name, its kind, the sentences about it and the file of readings."""

    def __init__(self, name, kind, about, readings=None):
        self.name, self.kind, self.about, self.readings = name, kind, about, readings

    def perform(self, bench):
        """Performs the catalogue; returns the versions, the options of the run and its exit status."""
        raise NotImplementedError


class Twin(Subject):
    """The virtual twin of a known key."""

    def __init__(self, name):
        super().__init__(name, "twin", [], HELPERS / f"{name}.yaml")

    def perform(self, bench):
        arguments = ["authenticator", "--device", f"virtual:{self.name}", "--seed", "1"]
        return {}, arguments, bench.conformance(self, arguments)


class Authenticator(Subject):
    """A software authenticator that a program carries over UDP."""

    def __init__(self, name, about, packages, program, options, readings=None, has_pin=False, own_environment=False):
        super().__init__(name, "authenticator", about, readings)
        self.packages, self.program, self.options = packages, program, options
        self.has_pin, self.own_environment = has_pin, own_environment

    def perform(self, bench):
        interpreter, folder = bench.authenticator_environment(self.own_environment)
        versions = bench.versions(interpreter, folder, self.packages)
        with tempfile.TemporaryDirectory(prefix="touchstone-league-") as temporary:
            shown, hidden = [], []
            if self.has_pin:
                file = Path(temporary) / "pin"
                file.write_text(PIN + "\n")
                shown, hidden = ["--pin-file", "FILE"], ["--pin-file", str(file)]
            argument = PIN if self.has_pin else folder
            with bench.running([interpreter, "-B", str(self.program), argument], self.name) as port:
                head = ["authenticator", "--device"]
                arguments = [*head, f"udp:127.0.0.1:{port}", *self.options, *hidden]
                status = bench.conformance(self, arguments)
        return versions, [*head, "udp:127.0.0.1:PORT", *self.options, *shown], status


class Site(Subject):
    """A relying party: a program in Sites with a description in relying-parties."""

    def __init__(self, name, about, packages, site, description, baseline, variant=None, root=None):
        super().__init__(name, "relying party", about, BASELINES / f"{baseline}.yaml")
        self.packages, self.site, self.description, self.root = packages, site, description, root
        self.variant = variant or {}

    def perform(self, bench):
        interpreter = bench.python
        versions = bench.versions(interpreter, "", self.packages)
        variant, options = dict(self.variant), ["--relying-party", self.description]
        if self.root:
            variant["roots"] = bench.root(self.root)
            options.append("--trusts-root")
        command = [interpreter, "-B", str(SITES / f"{self.site}.py"), json.dumps(variant)]
        with bench.running(command, self.name) as port:
            arguments = ["relying-party", f"http://localhost:{port}", *options]
            status = bench.conformance(self, arguments)
        return versions, ["relying-party", "http://localhost:PORT", *options], status


AUTHENTICATORS = [
    Authenticator(
        "ctap-keyring-device",
        ["A package of PyPI that keeps keys in the computer's keyring; here the keyring is in memory.",
         "It takes CTAP messages in process. The CTAPHID layer and the limit of message lengths are the adapter's, and their cases are "
         "left out.",
         "It asks for no touch, so that the cases that withhold one are not run."],
        ["ctap-keyring-device", "fido2"], FOREIGN / "keyring_device.py",
        ["--destructive", "--yes", "--unattended", "--always-touched", "--skip", "hid", "--skip", "general.longestMessage"],
        FOREIGN / "keyring_device.yaml"),
    Authenticator(
        "soft-fido2",
        ["A package of PyPI that makes a virtual key for Linux. Its own CTAPHID layer answers; datagrams take the place of `/dev/uhid`.",
         "A simulated user consents to each request for presence. The package sets PINs in its window and cannot be reset by CTAP, so "
         "that the run erases nothing and gets the PIN. Two runs differ in some ten cases, because an answer comes in one of them only."],
        ["soft-fido2", "cbor2", "cryptography"], HELPERS / "soft_fido2_device.py", ["--unattended", "--always-touched"],
        HELPERS / "soft-fido2.yaml", has_pin=True, own_environment=True),
]
SITES_OF_PYPI = [
    Site(
        "django-allauth",
        ["A Django site with the pages of allauth.account and allauth.mfa.",
         "The site is on http, which needs the setting `MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN`; the setting ends the comparison of "
         "origins."],
        ["django-allauth", "Django", "fido2"], "django_allauth", "django-allauth", "django-allauth", {"verification": "none"}),
    Site(
        "py_webauthn",
        ["The server interface of the FIDO conformance tests around the library, which trusts the test root.",
         "The handling of accounts and sessions is the site's."],
        ["webauthn"], "py_webauthn", "fido-conformance", "py_webauthn", root="pem"),
    Site(
        "python-fido2",
        ["The paths of the example server around the library. It asks for no attestation."],
        ["fido2"], "python_fido2", "python-fido2", "python-fido2"),
    Site(
        "python-fido2-attestation",
        ["The same server asks for attestation and trusts the test root."],
        ["fido2"], "python_fido2", "python-fido2", "python-fido2-attestation", root="der"),
]


class Bench:
    """The program, the Python environments and the folder of reports."""

    def __init__(self, options):
        self.program = str(options.program.absolute())
        self.python = str(options.environment.absolute() / "bin/python")
        self.authenticator_packages = str(options.authenticator_packages.absolute())
        self.league_environment = options.league_environment.absolute()
        self.reports = options.reports.absolute()
        self.limit = options.limit
        if not os.access(self.program, os.X_OK):
            raise Problem(f"{options.program} is not a program; run `make debug`, or name one with --program or $TOUCHSTONE")

    def output(self, command, advice):
        """The output of a short command."""
        try:
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        except OSError as error:
            raise Problem(f"{Path(command[0]).name} does not start: {error.strerror}; {advice}") from None
        if done.returncode != 0:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise Problem(f"{Path(command[0]).name} ended with status {done.returncode}: {last}; {advice}")
        return done.stdout

    def twins(self):
        answers = self.output([self.program, "conformance", "answers", "--json"], "build the program again with `make debug`")
        return [Twin(answer["key"]) for answer in json.loads(answers)]

    def root(self, form):
        pem = self.output([self.program, "attestation", "root"], "build the program again with `make debug`")
        return pem if form == "pem" else "".join(line for line in pem.split() if re.fullmatch(r"[A-Za-z0-9+/=]{17,}", line))

    def versions(self, interpreter, folder, packages):
        advice = "run `scripts/setup.sh test`, or name the environments with --environment and --authenticator-packages"
        return json.loads(self.output([interpreter, "-c", VERSIONS, folder, *packages], advice))

    def authenticator_environment(self, own):
        """The interpreter of an authenticator, and the folder of its packages."""
        if not own:
            return self.python, self.authenticator_packages
        self.prepare_league_environment()
        return str(self.league_environment / "bin/python"), ""

    def prepare_league_environment(self):
        requirements = ROOT / "scripts/requirements-league.txt"
        stamp = self.league_environment / "requirements.installed"
        if stamp.exists() and stamp.read_bytes() == requirements.read_bytes():
            return
        say(f"installing {requirements.relative_to(ROOT)}")
        advice = "run `scripts/setup.sh test`, and let this machine reach PyPI"
        self.output([self.python, "-m", "venv", "--clear", str(self.league_environment)], advice)
        pip = [str(self.league_environment / "bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        self.output([*pip, "--no-input", "--require-hashes", "-r", str(requirements)], advice)
        stamp.write_bytes(requirements.read_bytes())

    @contextmanager
    def running(self, command, name):
        """Runs the program of a subject, which prints its port and ends with its standard input."""
        with tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors)
            try:
                yield self.port(process, errors, name)
            finally:
                process.stdin.close()
                end(process)

    @staticmethod
    def port(process, errors, name):
        ready, _, _ = select.select([process.stdout], [], [], START_SECONDS)
        line = process.stdout.readline().strip() if ready else b""
        if line.isdigit():
            return int(line)
        errors.seek(0)
        last = (errors.read().decode(errors="replace").strip().splitlines() or ["no message"])[-1]
        raise Problem(f"the program of {name} does not serve: {last}; run `scripts/setup.sh test`, then --only {name}")

    def conformance(self, subject, arguments):
        """Performs the catalogue on a subject, and returns the exit status."""
        # The kept report stays until there is a new one.
        report = self.report(subject).with_suffix(".new")
        report.unlink(missing_ok=True)
        command = [self.program, "conformance", *arguments, "--report", str(report)]
        with tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)
            status = self.wait(process, subject)
            errors.seek(0)
            last = (errors.read().decode(errors="replace").strip().splitlines() or ["no message"])[-1]
        if not report.exists():
            raise Problem(f"the run on {subject.name} wrote no report: {last}; repeat it alone with --only {subject.name}")
        report.replace(self.report(subject))
        return status

    def wait(self, process, subject):
        try:
            return process.wait(self.limit)
        except subprocess.TimeoutExpired:
            say(f"{subject.name} has reached the limit of {self.limit} s; the run is interrupted")
            # An interrupted run writes its report.
            process.send_signal(signal.SIGINT)
            return end(process)
        except BaseException:
            end(process)
            raise

    def report(self, subject):
        return self.reports / f"{subject.name}.json"

    def facts(self, subject):
        return self.reports / f"{subject.name}.facts.json"

    def perform(self, subject):
        began = time.monotonic()
        versions, arguments, status = subject.perform(self)
        facts = {"versions": versions, "arguments": arguments, "status": status}
        self.facts(subject).write_text(json.dumps(facts, indent=2) + "\n")
        say(f"{subject.name}: exit status {status} after {time.monotonic() - began:.0f} s")

    def kept(self, subject):
        """The report and the facts of a subject's last run."""
        try:
            return json.loads(self.report(subject).read_text()), json.loads(self.facts(subject).read_text())
        except FileNotFoundError:
            raise Problem(f"{subject.name} has no report; run scripts/league.py --only {subject.name}") from None
        except ValueError:
            raise Problem(f"the report of {subject.name} is damaged; run scripts/league.py --only {subject.name}") from None


def end(process):
    """Waits for a process, and ends it when it takes too long; returns its exit status."""
    for stop in (None, process.terminate, process.kill):
        if stop:
            stop()
        try:
            return process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            continue
    return process.wait()


def say(text):
    print(f"league: {text}", file=sys.stderr, flush=True)


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n")[0], epilog=__doc__.split("\n\n", 1)[1],
        formatter_class=argparse.RawDescriptionHelpFormatter)
    program = Path(os.environ.get("TOUCHSTONE") or ROOT / ".build/debug/touchstone")
    parser.add_argument("--program", type=Path, default=program, metavar="FILE",
                        help="the program; default: $TOUCHSTONE, or .build/debug/touchstone")
    parser.add_argument(
        "--environment", type=Path, default=ROOT / ".build/python", metavar="FOLDER",
        help="the Python environment of `make test`; default: .build/python")
    parser.add_argument(
        "--authenticator-packages", type=Path, default=ROOT / ".build/python-authenticator", metavar="FOLDER",
        help="the packages of ctap-keyring-device; default: .build/python-authenticator")
    parser.add_argument(
        "--league-environment", type=Path, default=ROOT / ".build/python-league", metavar="FOLDER",
        help="the Python environment that the script makes; default: .build/python-league")
    parser.add_argument("--reports", type=Path, default=ROOT / ".build/league", metavar="FOLDER",
                        help="where the reports stay; default: .build/league")
    parser.add_argument("--page", type=Path, default=ROOT / "docs/conformance/league.md", metavar="FILE",
                        help="the page; default: docs/conformance/league.md")
    parser.add_argument("--date", type=date, help="the date on the page, as in 2026-11-28; default: the dates of the runs")
    parser.add_argument("--limit", type=seconds, default=7200, metavar="SECONDS",
                        help="the longest time of one run, which is then interrupted and still counts; default: 7200")
    parser.add_argument("--only", action="append", metavar="SUBJECT", help="perform this subject only. Repeatable.")
    parser.add_argument("--page-only", action="store_true", help="perform nothing; write the page from the kept reports")
    parser.add_argument("--list", action="store_true", help="list the subjects, and do nothing else")
    options = parser.parse_args()
    if options.only and options.page_only:
        parser.error("--page-only performs nothing; remove --only or --page-only")
    return options


def date(text):
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
        raise argparse.ArgumentTypeError(f"{text} is not a date; write it as 2026-11-28")
    return text


def seconds(text):
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text} is not a number of seconds; write a positive number")
    return int(text)


def chosen(subjects, names):
    known = {subject.name for subject in subjects}
    for name in names or []:
        if name not in known:
            raise Problem(f"{name} is not a subject; --list shows the subjects")
    return [subject for subject in subjects if not names or subject.name in names]


def main():
    options = arguments()
    bench = Bench(options)
    subjects = AUTHENTICATORS + bench.twins() + SITES_OF_PYPI
    if options.list:
        print("\n".join(f"{subject.name}\t{subject.kind}" for subject in subjects))
        return
    bench.reports.mkdir(parents=True, exist_ok=True)
    for subject in [] if options.page_only else chosen(subjects, options.only):
        bench.perform(subject)
    page = Page(options.date, json.loads((HELPERS / "tried.json").read_text()))
    for subject in subjects:
        report, facts = bench.kept(subject)
        readings = known_reasons(subject.readings)
        where = subject.readings.relative_to(ROOT) if subject.readings and readings else None
        page.add(subject, report, facts, readings, where)
    options.page.parent.mkdir(parents=True, exist_ok=True)
    options.page.write_text(page.text())


if __name__ == "__main__":
    try:
        main()
    except Problem as problem:
        sys.exit(f"league: {problem}")
    except KeyboardInterrupt:
        sys.exit("league: interrupted; the kept reports stay, and --only performs the missing subjects")
