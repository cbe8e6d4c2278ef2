"""The accounts of a server that lets no client make one."""

import subprocess
import sys
from pathlib import Path

CLIENT = Path(__file__).resolve().parent.parent
# Locust changes the standard library, so it runs in a process of its own.
PROGRAM = """
from touchstone_bench.described import Description
from touchstone_bench.locust import _next_account

document = {"url": "http://localhost", "origin": "http://localhost", "existing-accounts": EXISTING}
description = Description(document)
print([_next_account(description, "user-1")["name"] for _ in range(3)])
"""


def names(existing):
    program = PROGRAM.replace("EXISTING", repr(existing))
    return subprocess.run(
        [sys.executable, "-c", program], env={"PYTHONPATH": str(CLIENT / "src"), "PATH": ""}, capture_output=True,
        text=True, check=True).stdout.strip()


def test_users_take_turns():
    assert names([{"name": "ada", "password": "p"}, {"name": "bob"}]) == "['ada', 'bob', 'ada']"


def test_without_them_a_user_makes_its_own():
    assert names([]) == "['user-1@example.com', 'user-1@example.com', 'user-1@example.com']"
