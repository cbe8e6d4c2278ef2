"""Locust against sites that a description names: a Django site with django-allauth, python-fido2's example server."""

import json
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

CLIENT = Path(__file__).resolve().parent.parent
SITES = CLIENT.parents[1] / "Tests" / "Suites" / "ForeignPartiesTests" / "Sites"
USERS, ATTEMPTS = 3, 4
LOCUSTFILE = f"USERS, ATTEMPTS = {USERS}, {ATTEMPTS}" + '''
import json
import os

from locust import constant, events
from locust.exception import StopUser
from touchstone_bench.locust import DescribedUser, Phones


class User(DescribedUser):
    wait_time = constant(0)
    relying_party = os.environ["RELYING_PARTY"]
    population = (Phones("iphone-face-id"), Phones("security-key-bio", pin="1234"))
    attempts = 0

    def use_passkey(self):
        if self.attempts == ATTEMPTS:
            raise StopUser()
        self.attempts += 1
        super().use_passkey()

    def on_stop(self):
        super().on_stop()
        self.environment.runner.ended = getattr(self.environment.runner, "ended", 0) + 1
        if self.environment.runner.ended == USERS:
            self.environment.runner.quit()


@events.quitting.add_listener
def write_counts(environment, **_):
    rows = {f"{kind} {name}": [row.num_requests, row.num_failures] for (name, kind), row in environment.stats.entries.items()}
    errors = {failure.name: str(failure.error) for failure in environment.stats.errors.values()}
    with open("counts.json", "w") as file:
        json.dump({"rows": rows, "errors": errors}, file)
'''


@contextmanager
def serving(name, options):
    """The port of a server of the sites."""
    served = subprocess.Popen(
        [sys.executable, "-B", str(SITES / f"{name}.py"), json.dumps(options)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield int(served.stdout.readline())
    finally:
        # The end of its standard input ends it.
        served.communicate()


@pytest.fixture
def site(request):
    """The address of a site."""
    with serving(request.param, {"verification": "none"}) as port:
        yield f"http://localhost:{port}"


def run(touchstone_control, folder, party, *arguments):
    (folder / "locustfile.py").write_text(LOCUSTFILE)
    environment = {
        **os.environ, "TOUCHSTONE": touchstone_control.process._process.args[0], "PYTHONPATH": str(CLIENT / "src"),
        "RELYING_PARTY": party}
    ended = subprocess.run(
        [sys.executable, "-m", "locust", "-f", "locustfile.py", "--headless", "--users", str(USERS), "--spawn-rate",
         str(USERS), *arguments],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=1800)
    counts = folder / "counts.json"
    return ended, json.loads(counts.read_text()) if counts.exists() else None


@pytest.mark.parametrize(
    "site, party", [("django_allauth", "django-allauth"), ("python_fido2", "python-fido2")], indirect=["site"])
def test_users_register_and_sign_in(touchstone_control, tmp_path, site, party):
    ended, counts = run(touchstone_control, tmp_path, party, "--host", site)
    assert ended.returncode == 0, ended.stderr
    attempts = {name: row for name, row in counts["rows"].items() if name.startswith("passkey ")}
    assert attempts == {
        "passkey register: registered": [USERS, 0], "passkey sign in: signed in": [USERS * (ATTEMPTS - 1), 0]}, ended.stderr


@pytest.mark.parametrize("site", ["python_fido2"], indirect=True)
def test_a_refusal_is_a_failure(touchstone_control, tmp_path, site):
    # No server has these paths.
    ceremony = '{ begin: { path: /none }, complete: { path: /none, body: "{credential}" } }'
    description = tmp_path / "rp.yaml"
    description.write_text(f"name: A site\nurl: {site}\nregistration: {ceremony}\nsign-in: {ceremony}\n")
    ended, counts = run(touchstone_control, tmp_path, str(description))
    assert ended.returncode == 1, ended.stderr
    assert counts["rows"] == {
        "GET /none": [USERS * ATTEMPTS] * 2, "passkey register: refused": [USERS * ATTEMPTS] * 2}, ended.stderr
    assert all("http.404" in error for error in counts["errors"].values()), counts


@pytest.mark.parametrize("site", ["python_fido2"], indirect=True)
@pytest.mark.parametrize("is_trusted", [True, False])
def test_the_certificate_needs_a_known_authority(touchstone_control, tmp_path, site, is_trusted):
    authority = tmp_path / "authority.pem"
    with serving("tls_proxy", {"port": urlsplit(site).port, "authority": str(authority)}) as port:
        description = tmp_path / "rp.yaml"
        shipped = (CLIENT.parents[1] / "relying-parties" / "python-fido2.yaml").read_text()
        further = f"certificate-authorities: {authority.name}\n" if is_trusted else ""
        description.write_text(f"{shipped}\norigin: {site}\n{further}")
        ended, counts = run(touchstone_control, tmp_path, "rp.yaml", "--host", f"https://localhost:{port}")
    rows = {name: row for name, row in counts["rows"].items() if name.startswith("passkey ")}
    if is_trusted:
        assert ended.returncode == 0, ended.stderr
        assert rows["passkey sign in: signed in"] == [USERS * (ATTEMPTS - 1), 0], ended.stderr
    else:
        assert ended.returncode == 1, ended.stderr
        assert rows == {"passkey register: HTTP error": [USERS * ATTEMPTS] * 2}, ended.stderr
        assert any("CERTIFICATE_VERIFY_FAILED" in error for error in counts["errors"].values()), counts


def test_an_unreadable_authority_ends_the_run(touchstone_control, tmp_path):
    shipped = (CLIENT.parents[1] / "relying-parties" / "python-fido2.yaml").read_text()
    (tmp_path / "rp.yaml").write_text(f"{shipped}\ncertificate-authorities: none.pem\n")
    ended, _ = run(touchstone_control, tmp_path, "rp.yaml", "--host", "https://localhost:1")
    assert ended.returncode == 1 and "none.pem does not exist" in ended.stderr, ended.stderr


def test_a_wrong_description_ends_the_run(touchstone_control, tmp_path):
    ended, _ = run(touchstone_control, tmp_path, "no-such-party")
    assert ended.returncode == 1 and "no-such-party" in ended.stderr, ended.stderr
