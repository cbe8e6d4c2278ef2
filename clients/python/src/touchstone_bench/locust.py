"""Users of passkeys for Locust, with simulated devices.

Each worker starts its own `touchstone control`. Each user has a device, registers a passkey with it and signs in again and
again. The results are rows of Locust's statistics, one for each cause.
"""

from __future__ import annotations

import itertools
import logging
import os
import random
import secrets
import time
from dataclasses import dataclass
from functools import cache
from http.cookiejar import DefaultCookiePolicy
from ssl import SSLContext, SSLWantReadError, SSLWantWriteError, create_default_context
from typing import Any, Callable, ClassVar, Sequence, cast

from gevent import spawn
from gevent.lock import Semaphore
from locust import HttpUser, between
from locust.env import Environment
from requests.adapters import HTTPAdapter

from . import models
from ._sync.control import Control
from .described import DescribedSession, Description, HTTPAnswer, Refusal
from .errors import CeremonyError, TouchstoneError

# Locust shows every logger's information, and httpx has a line for each request to the devices. The output is the load test's.
logging.getLogger("httpx").setLevel(logging.WARNING)

# Statistics have this as the method of the rows for ceremonies.
REQUEST_TYPE = "passkey"


@dataclass(frozen=True)
class Phones:
    """A part of the population: users with the same device and the same error rates.

    `samples` are the rates of the model in docs/profiles.md, such as `{"frr": "3%", "badDays": {"share": "5%", "frr":
    "50%"}}`; without them each attempt matches. `pin` is a security key's PIN, which the user enters when the key asks.
    """

    profile: str | models.DeviceStartRequestProfile
    weight: float = 1
    samples: models.DeviceStartRequestSamples | None = None
    pin: str | None = None


class Refused(Exception):
    """The relying party refused a response; the text names the ledger's failed step, or the error's code."""


class HTTPStatus(Exception):
    """The relying party answered with an error; the text is its status."""


class PasskeyUser(HttpUser):
    """A user who registers a passkey and signs in with it.

    The methods `begin_…` and `complete_…` send the requests of `touchstone serve`; a class for another relying party
    overrides them. `host` is the relying party's origin.
    """

    abstract = True
    wait_time = between(0, 1)

    population: ClassVar[Sequence[Phones]] = (
        Phones("iphone-face-id"), Phones("pixel-fingerprint"), Phones("windows-hello-face", weight=0.5))
    # The path of the relying party's API.
    api: ClassVar[str] = "/api/v1/auth"

    def on_start(self) -> None:
        self.username = f"user-{secrets.token_hex(8)}"
        self.is_registered = False
        weights = [phones.weight for phones in self.population]
        self.phones = random.choices(self.population, weights)[0]
        control = _control(self.environment)
        with _turn:
            # A lockout passes on the device's own clock.
            self.device = control.start_device(
                self.phones.profile, self.username, clock="simulated", seed=random.getrandbits(31),
                samples=self.phones.samples)
            if self.phones.pin is not None:
                self.device.set_pin(self.phones.pin)

    def on_stop(self) -> None:
        if hasattr(self, "device"):
            with _turn:
                self.device.delete()

    def use_passkey(self) -> None:
        """Registers a passkey, or signs in when there is one."""
        if self.is_registered:
            self._attempt("sign in", self.begin_sign_in, self.device.get, self.complete_sign_in, "signed in")
        else:
            self.is_registered = self._attempt(
                "register", self.begin_registration, self.device.create, self.complete_registration, "registered")

    def _act(self) -> None:
        self.use_passkey()

    # Locust calls these again and again; a subclass changes the behaviour with `use_passkey`.
    tasks = [_act]

    # The relying party.

    @property
    def origin(self) -> str:
        """The origin of the site's pages, which the devices sign."""
        return str(self.host)

    def begin_registration(self) -> dict[str, Any]:
        """Makes the account, and answers the options of `navigator.credentials.create()`."""
        if not getattr(self, "has_account", False):
            self.send("/accounts", {"username": self.username, "displayName": self.username})
            self.has_account = True
        return self.send("/passkeys/register/begin", {"userVerification": "required"})

    def complete_registration(self, credential: dict[str, Any]) -> None:
        """Hands over the registration."""
        self.send("/passkeys/register/complete", credential)

    def begin_sign_in(self) -> dict[str, Any]:
        """Answers the options of `navigator.credentials.get()`."""
        requested = {"purpose": "sign-in", "username": self.username, "userVerification": "required"}
        return self.send("/passkeys/authenticate/begin", requested)

    def complete_sign_in(self, credential: dict[str, Any]) -> None:
        """Hands over the assertion."""
        self.send("/passkeys/authenticate/complete", credential)

    def send(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Sends a POST request; raises `Refused` or `HTTPStatus` for an error."""
        with self.client.post(self.api + path, json=body, catch_response=True) as answer:
            if answer.ok:
                answer.success()
                return dict(answer.json())
            error = self.error(answer)
            answer.failure(error)
            raise error

    def error(self, answer: Any) -> Exception:
        """The error that an answer of the relying party stands for."""
        try:
            error = answer.json()["error"]
        except (KeyError, TypeError, ValueError):
            return HTTPStatus(str(answer.status_code or _trouble(answer.error)))
        if failed := [entry["step"] for entry in error.get("ledger", []) if entry["outcome"] == "failed"]:
            return Refused(f"step {failed[0]}")
        if answer.status_code >= 500:
            return HTTPStatus(str(answer.status_code))
        return Refused(str(error.get("code", answer.status_code)))

    # Results.

    def _attempt(self, name: str, begin: Any, perform: Any, complete: Any, success: str) -> bool:
        started, result = time.perf_counter(), success
        failure: Exception | None = None
        try:
            options = begin()
            with _turn:
                credential = perform(options, self.origin, pins=None if self.phones.pin is None else [self.phones.pin])
            complete(credential)
        except CeremonyError as error:
            # A device's refusal is a result of the user, and not an error of the relying party.
            result = error.device_reason or error.cause
            self._wait_for_the_lockout()
        except Refused as error:
            result, failure = "refused", error
        except HTTPStatus as error:
            result, failure = "HTTP error", error
        self.environment.events.request.fire(
            request_type=REQUEST_TYPE, name=f"{name}: {result}", response_time=(time.perf_counter() - started) * 1000,
            response_length=0, exception=failure, context=self.context())
        return result == success

    def _wait_for_the_lockout(self) -> None:
        with _turn:
            gate = self.device.state().get("gate")
            if gate is not None and gate["lockout"] == "timed":
                self.device.advance(f"{gate['policy']['timedLockoutSeconds'] + 1} s")


class DescribedUser(PasskeyUser):
    """A user of a relying party that a description names, such as `rp.yaml` (docs/your-server.md).

    `host`, where it is given, replaces the description's address.
    """

    abstract = True
    # The name of a description of the program, or the path of a file.
    relying_party: ClassVar[str]

    def __init__(self, environment: Environment) -> None:
        try:
            self.description = _description(self.relying_party, self.host)
            self.trust = _trust(self.description.authorities)
        except TouchstoneError:
            # Locust would go on without users.
            environment.process_exit_code = 1
            if environment.runner is not None:
                spawn(environment.runner.quit)
            raise
        self.host = self.description.url
        super().__init__(environment)  # type: ignore[no-untyped-call]

    def on_start(self) -> None:
        super().on_start()
        # The connection stands for one with TLS when the description says so; then cookies may be secure ones.
        self.client.cookies.set_policy(DefaultCookiePolicy(secure_protocols=("http", "https")))
        self.client.mount("https://", _Trusting(self.trust))
        account = _next_account(self.description, self.username)
        self.session = DescribedSession(
            self.description, account["name"], account.get("password", ""), self._exchange,
            lambda name: next((cookie.value for cookie in self.client.cookies if cookie.name == name), None),
            account.get("display-name"))

    def use_passkey(self) -> None:
        """Registers or signs in, and ends the session: the next sign-in begins without one."""
        super().use_passkey()
        if not self.is_registered:
            return
        try:
            self.session.sign_out()
        except (Refused, HTTPStatus):
            pass  # It is a failure in the row of its request.
        self.client.cookies.clear()

    @property
    def origin(self) -> str:
        return self.description.origin

    def begin_registration(self) -> dict[str, Any]:
        if not getattr(self, "has_account", False):
            self.session.make_account()
            self.has_account = True
        return self.session.begin("registration")

    def complete_registration(self, credential: dict[str, Any]) -> None:
        self.session.complete("registration", credential)

    def begin_sign_in(self) -> dict[str, Any]:
        return self.session.begin("sign-in")

    def complete_sign_in(self, credential: dict[str, Any]) -> None:
        self.session.complete("sign-in", credential)

    def _exchange(
        self, method: str, path: str, headers: dict[str, str], body: bytes, title: str,
        judge: Callable[[HTTPAnswer], Refusal | None],
    ) -> HTTPAnswer:
        with self.client.request(
            method, path, headers=headers, data=body, name=title, catch_response=True, allow_redirects=False,
        ) as answer:
            refusal = judge(answer)
            if refusal is None:
                answer.success()
                return cast(HTTPAnswer, answer)
            is_refusal = 0 < refusal.status < 500
            error = Refused(refusal.code) if is_refusal else HTTPStatus(str(refusal.status or _trouble(answer.error)))
            answer.failure(error)
            raise error


def _trouble(error: BaseException | None) -> str:
    """Names the first cause in the chain of errors; its text contains no address of an object."""
    while error is not None and (cause := error.__cause__ or error.__context__) is not None:
        # gevent waits for a socket while it handles such an error.
        if isinstance(cause, (SSLWantReadError, SSLWantWriteError)):
            break
        error = cause
    return "no answer" if error is None else f"no answer: {error}"


class _Trusting(HTTPAdapter):
    """Connections that trust the authorities of the system and those of a description."""

    def __init__(self, trust: SSLContext) -> None:
        self.trust = trust
        super().__init__()

    def init_poolmanager(self, *arguments: Any, **options: Any) -> None:
        super().init_poolmanager(*arguments, ssl_context=self.trust, **options)

    def cert_verify(self, conn: Any, url: Any, verify: Any, cert: Any) -> None:
        """Leaves out the authorities of requests."""
        conn.cert_reqs = "CERT_REQUIRED"


@cache
def _trust(authorities: str | None) -> SSLContext:
    context = create_default_context()
    if authorities is not None:
        try:
            context.load_verify_locations(authorities)
        except OSError as error:
            raise TouchstoneError(f"{authorities} cannot be read as certificates: {error}") from None
    return context


@cache
def _description(name: str, url: str | None) -> Description:
    return Description.read(name, url)


_users = itertools.count()


def _next_account(description: Description, username: str) -> dict[str, str]:
    """The next of the accounts that exist, in turn; otherwise one that the client makes."""
    if existing := description.existing_accounts:
        return existing[next(_users) % len(existing)]
    return {"name": f"{username}@example.com", "password": f"Touchstone-{secrets.token_hex(4)}-1"}


# The control API of this process.
_controls: dict[int, Control] = {}
_lock = Semaphore()
# Requests to it at a time: the work of httpx for each request grows with the requests that wait for a connection.
_turn = Semaphore(8)


def _control(environment: Environment) -> Control:
    with _lock:
        if os.getpid() not in _controls:
            _controls[os.getpid()] = control = Control.start()
            quit_event: Any = environment.events.quit
            quit_event.add_listener(lambda **_: control.close())
        return _controls[os.getpid()]
