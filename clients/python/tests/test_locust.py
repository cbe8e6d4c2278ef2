"""Locust without its web page: a master and two workers against the relying party of `touchstone serve`."""

import csv
import os
import re
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parent.parent / "src"
FAILING = 3
USERS, ATTEMPTS = 12, 15
LOCUSTFILE = f"USERS, ATTEMPTS = {USERS}, {ATTEMPTS}" + '''
import gevent
from locust import constant, events, runners
from locust.exception import StopUser
from locust.runners import MasterRunner
from touchstone_bench.locust import PasskeyUser, Phones

# Locust drops a worker, and a worker its master, after missed heartbeats. A busy machine misses many.
runners.HEARTBEAT_LIVENESS = runners.MASTER_HEARTBEAT_TIMEOUT = 1800

# A phone whose passkeys the passcode does not open: a locked sensor ends the sign-in.
STRICT = """
extends: pixel-fingerprint
name: strict
title: A phone without a passcode for passkeys
lockout: { timed-every: 5, permanent-at: never, credential-fallback: false }
"""


class User(PasskeyUser):
    wait_time = constant(0.05)
    population = (
        Phones("iphone-face-id", samples={"frr": "3%"}),
        Phones({"yaml": STRICT}, weight=3, samples={"frr": "60%", "badDays": {"share": "20%", "frr": "90%"}}),
        Phones("security-key-bio", pin="1234", samples={"frr": "30%"}),
    )
    attempts = 0

    def use_passkey(self):
        if self.attempts == ATTEMPTS:
            raise StopUser()
        self.attempts += 1
        super().use_passkey()


@events.init.add_listener
def end_with_the_last_attempt(environment, **_):
    # The master waits half a second for the workers' last reports; a busy machine needs longer.
    def watch():
        while sum(row.num_requests for (_, kind), row in environment.stats.entries.items() if kind == "passkey") < goal:
            gevent.sleep(0.2)
        environment.runner.quit()

    goal = USERS * ATTEMPTS
    if isinstance(environment.runner, MasterRunner):
        gevent.spawn(watch)
'''


@pytest.fixture
def relying_party(touchstone_control, tmp_path):
    """The URL, the database and the log of a `touchstone serve` whose first requests fail."""
    program = touchstone_control.process._process.args[0]
    log, database = tmp_path / "serve.log", tmp_path / "serve.sqlite"
    with log.open("w") as output:
        server = subprocess.Popen(
            [program, "serve", "--port", "0", "--user-verification", "required", "--database", str(database),
             "--failing-requests", str(FAILING)], stdout=output, stderr=subprocess.PIPE, text=True)
        try:
            line = next(line for line in server.stderr if line.startswith("listening on "))
            yield line.split()[2].rstrip(";"), database, log
        finally:
            server.terminate()
            server.communicate()


def test_the_counts_of_two_workers_agree_with_the_relying_partys(touchstone_control, relying_party, tmp_path):
    url, database, log = relying_party
    (tmp_path / "locustfile.py").write_text(LOCUSTFILE)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    environment = {
        **os.environ, "TOUCHSTONE": touchstone_control.process._process.args[0], "PYTHONPATH": str(SOURCE)}
    command = [sys.executable, "-m", "locust", "-f", "locustfile.py", "--host", url]
    master = [*command, "--master", "--master-bind-host", "127.0.0.1", "--master-bind-port", port, "--headless",
              "--expect-workers", "2", "--users", str(USERS), "--spawn-rate", str(USERS), "--stop-timeout", "20",
              "--csv", "run", "--exit-code-on-error", "0"]
    worker = [*command, "--worker", "--master-host", "127.0.0.1", "--master-port", port]
    outputs = [(tmp_path / f"locust-{index}.log").open("w") for index in range(3)]
    programs = [
        subprocess.Popen(arguments, cwd=tmp_path, env=environment, stdout=output, stderr=subprocess.STDOUT)
        for arguments, output in zip([master, worker, worker], outputs)
    ]
    try:
        statuses = [program.wait(timeout=1800) for program in programs]
    finally:
        for program, output in zip(programs, outputs):
            program.kill()
            program.wait()
            output.close()
    shown = "\n".join(Path(output.name).read_text() for output in outputs)
    assert statuses == [0, 0, 0], shown
    assert "HTTP Request" not in shown

    rows = list(csv.DictReader((tmp_path / "run_stats.csv").open()))
    counts = {row["Name"]: int(row["Request Count"]) for row in rows if row["Type"] == "passkey"}
    requests = {row["Name"]: int(row["Request Count"]) for row in rows if row["Type"] == "POST"}
    assert sum(counts.values()) == USERS * ATTEMPTS
    [total] = [row for row in rows if row["Name"] == "Aggregated"]
    assert int(total["Request Count"]) == sum(counts.values()) + sum(requests.values())

    # Only the ordered failures occurred, once as a request and once as an attempt.
    failures = list(csv.DictReader((tmp_path / "run_failures.csv").open()))
    assert sum(int(row["Occurrences"]) for row in failures) == 2 * FAILING, failures
    assert all("503" in row["Error"] for row in failures), failures
    assert counts.get("register: HTTP error", 0) + counts.get("sign in: HTTP error", 0) == FAILING

    verdicts = log.read_text()
    signed_in = len(re.findall(r"^signIn \S+ 200,", verdicts, re.M))
    assert counts["sign in: signed in"] == signed_in > 20, shown
    with sqlite3.connect(database) as connection:
        [(passkeys,)] = connection.execute("select count(*) from passkey_credentials")
    assert counts["register: registered"] == passkeys, shown
    assert requests["/api/v1/auth/passkeys/authenticate/complete"] == signed_in
    lockouts = [name for name in counts if "lockedOut" in name]
    assert lockouts, counts
