"""The library of keywords."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, cast, get_args

from robot.api import logger
from robot.api.deco import keyword, library
from robot.libraries.BuiltIn import BuiltIn

from .. import __version__, models
from ..errors import IdleActsError, TouchstoneError
from ..narration import event_lines
from .devices import SuiteDevices
from .outcomes import Request, cause_of, check_failure, request_of, typed_arguments, verb_of

if TYPE_CHECKING:
    from robot.result import Keyword as KeywordResult
    from robot.result import TestCase as TestResult
    from robot.result import TestSuite as SuiteResult
    from robot.running import Keyword as RunningKeyword
    from robot.running import TestCase, TestSuite

    Verb: TypeAlias = str
else:
    # Robot Framework refuses other words, and `libdoc` lists these.
    Verb = Literal[tuple(verb_of(act) for act in get_args(models.Act))]


class _SeleniumLibrary(Protocol):
    def register_driver(self, driver: object, alias: str | None) -> str: ...

    @property
    def driver(self) -> object: ...


@library(scope="SUITE", version=__version__, auto_keywords=False, listener="SELF", doc_format="ROBOT")
class TouchstoneLibrary:
    """Simulated phones, computers and security keys for tests of passkeys and biometrics.

    The first device of a suite starts ``touchstone control``, which ends with the suite. A device that a test starts ends with
    the test; a device of a suite's setup ends with the suite. Keywords are about the *current device*, which is the one
    started last, or that of `Switch To Device`.

    | *** Settings ***
    | Library    touchstone_bench.robot.TouchstoneLibrary
    |
    | *** Test Cases ***
    | Five Wrong Fingers Lock The Sensor
    |     Start Device    pixel-fingerprint    clock=simulated
    |     Plan Acts    no-match x 5
    |     Act Should Be Refused    lockedOut.timed    verify
    |     Advance Clock    30 s
    |     Plan Acts    match
    |     Perform Act    verify

    A test fails if acts that it planned had no effect: a prompt ignored them, or no prompt asked for them. `Forget Plan` allows
    them. The log of a failing test has the events of its devices, with the errors that an app gets from its platform for each cause.
    """

    def __init__(self, program: str | None = None, url: str | None = None, token: str | None = None) -> None:
        """``program`` is the file of ``touchstone``; default: ``$TOUCHSTONE``, the path, or the build of a checkout.

        ``url`` and ``token`` are those of a control API that runs already, in place of ``program``.
        """
        if (url is None) != (token is None) or (url is not None and program is not None):
            raise ValueError("The library takes a program, or the url and the token of a running control API. Name one of the two.")
        self._program = program
        self._devices = SuiteDevices(program, None if url is None or token is None else (url, token))

    # Devices.

    @keyword(tags=["devices"])
    def start_device(
        self, profile: str, name: str | None = None, person: Literal["auto", "ask"] | None = None,
        clock: Literal["real", "simulated"] | None = None, seed: int | None = None, checks_acts: bool = True,
    ) -> str:
        """Starts a device, makes it the current one, and returns its name.

        ``profile`` is one of ``touchstone profiles list``. The user of a device with ``person=auto`` agrees without planned acts, that of
        one with ``person=ask`` waits for them. With ``checks_acts=False`` planned acts may have no effect.

        | Start Device    iphone-face-id
        | Start Device    pixel-fingerprint    name=second    clock=simulated
        """
        return self._devices.start(profile, name, person=person, clock=clock, seed=seed, checks_acts=checks_acts)

    @keyword(tags=["devices"])
    def switch_to_device(self, name: str) -> None:
        """Makes a device of this suite the current one."""
        self._devices.switch_to(name)

    @keyword(tags=["devices"])
    def stop_device(self) -> None:
        """Switches the current device off. Fails if planned acts had no effect. The device before it becomes the current one."""
        self._devices.stop()

    @keyword(tags=["devices"])
    def get_device_state(self) -> dict[str, Any]:
        """The current device's state: ``status`` has PIN, retries, sensors and the screen, ``gate`` the prompt and its rules.

        | ${state} =    Get Device State
        | Should Be Equal    ${state}[status][life][screen]    locked
        """
        return cast("dict[str, Any]", self._devices.current.state())

    @keyword(tags=["devices"])
    def lockout_should_be(self, expected: str) -> None:
        """Compares the lockout of the current device's sensor: ``none``, ``timed`` or ``permanent``, for example."""
        found = self._devices.current.state()["gate"]["lockout"]
        if found != expected:
            raise AssertionError(f"The lockout is {found}, expected {expected}.")

    # The user.

    @keyword(tags=["user"])
    def plan_acts(self, *acts: str) -> None:
        """Queues acts of the user for the open prompt or the next prompts. A word that no prompt can ask for is an error.

        | Plan Acts    no-match x 2    cancel
        """
        self._devices.current.plan(*acts)

    @keyword(tags=["user"])
    def get_possible_acts(self) -> list[str]:
        """The words of `Plan Acts` that have an effect now."""
        return self._devices.current.acts()

    @keyword(tags=["user"])
    def forget_plan(self) -> None:
        """Forgets the planned acts and those that a prompt ignored; the test does not fail because of them."""
        self._devices.current.forget_plan()

    @keyword(tags=["user"])
    def planned_acts_should_be_used(self) -> None:
        """Fails if acts that were planned on the current device had no effect. The end of a test looks at every device."""
        self._devices.current.check_acts()

    # The device.

    @keyword(tags=["device"])
    def perform_act(self, verb: Verb, **arguments: str) -> str | None:
        """Performs an act on the current device, and returns its answer, if it has one.

        Fails if the device refuses it, with the cause, and if it changes nothing. ``touchstone device do --help`` describes the acts.

        | Perform Act    enrol    template=second finger
        | Perform Act    unlock    by=biometrics
        """
        outcome = self._devices.current.act(verb, **typed_arguments(verb, arguments))
        if not outcome["done"]:
            reason = f"was refused: {cause_of(outcome)}" if "cause" in outcome else f"changed nothing: {outcome.get('explanation')}"
            raise AssertionError(f"The act {verb} {reason}.")
        return outcome.get("answer")

    @keyword(tags=["device"])
    def act_should_be_refused(self, cause: str, verb: Verb, **arguments: str) -> list[str]:
        """Performs an act on the current device, which has to refuse it with this cause.

        Returns the errors that an app gets from its platform and from SDKs. ``touchstone errors`` lists the causes.

        | Plan Acts    no-match x 5
        | ${errors} =    Act Should Be Refused    lockedOut.timed    verify
        | Should Contain    ${errors}    BiometricPrompt 7 ERROR_LOCKOUT
        """
        outcome = self._devices.current.act(verb, **typed_arguments(verb, arguments))
        if outcome["done"]:
            raise AssertionError(f"The act {verb} was done, expected a refusal: {cause}.")
        if outcome.get("cause") != cause:
            found = cause_of(outcome) if "cause" in outcome else f"no refusal: {outcome.get('explanation')}"
            raise AssertionError(f"The act {verb} has another outcome: {found}, expected {cause}.")
        return [face["text"] for face in outcome.get("faces", [])]

    @keyword(tags=["device"])
    def advance_clock(self, span: str) -> None:
        """Advances the current device's simulated clock, for example by ``30 s``. The device needs ``clock=simulated``."""
        self._devices.current.advance(span)

    @keyword(tags=["device"])
    def set_clock_back(self, span: str) -> None:
        """The user sets the current device's clock back, for example by ``1 h``."""
        self._devices.current.set_back(span)

    @keyword(tags=["device"])
    def set_client_pin(self, new: str, current: str | None = None) -> None:
        """Sets the PIN of a security key; with ``current``, changes it. Fails if the device refuses."""
        outcome = self._devices.current.set_pin(new, current)
        if not outcome["done"]:
            raise AssertionError(f"The PIN was refused: {cause_of(outcome)}.")

    # Passkeys.

    @keyword(tags=["passkeys"])
    def create_passkey(self, options: Request, origin: str) -> dict[str, Any]:
        """``navigator.credentials.create()`` with the current device: the RegistrationResponseJSON for the server.

        ``options`` are the server's PublicKeyCredentialCreationOptionsJSON, as JSON or as a dictionary.
        """
        return self._devices.current.create(request_of(options), origin)

    @keyword(tags=["passkeys"])
    def get_passkey(self, options: Request, origin: str) -> dict[str, Any]:
        """``navigator.credentials.get()`` with the current device: the AuthenticationResponseJSON for the server."""
        return self._devices.current.get(request_of(options), origin)

    @keyword(tags=["passkeys"])
    def creating_passkey_should_fail(
        self, options: Request, origin: str, error: str, cause: str | None = None
    ) -> list[str]:
        """Creates a passkey; the page has to get ``error``, such as ``NotAllowedError``, because of ``cause``, such as ``userCancelled``.

        Returns the errors that an app gets from its platform and from SDKs.
        """
        return check_failure(lambda: self._devices.current.create(request_of(options), origin), error, cause)

    @keyword(tags=["passkeys"])
    def getting_passkey_should_fail(
        self, options: Request, origin: str, error: str, cause: str | None = None
    ) -> list[str]:
        """Signs in with a passkey; the page has to get ``error``, such as ``NotAllowedError``, because of ``cause``, such as ``userCancelled``.

        | Plan Acts    no-match x 2    cancel
        | Getting Passkey Should Fail    ${options}    https://example.org    NotAllowedError    cause=userCancelled
        """
        return check_failure(lambda: self._devices.current.get(request_of(options), origin), error, cause)

    @keyword(tags=["passkeys"])
    def get_passkeys(self) -> list[dict[str, Any]]:
        """The passkeys on the current device, oldest first."""
        return cast("list[dict[str, Any]]", self._devices.current.credentials())

    # Events.

    @keyword(tags=["events"])
    def get_events(self) -> list[str]:
        """The current device's events as text."""
        return event_lines(self._devices.current.events())

    @keyword(tags=["events"])
    def log_events(self) -> None:
        """Writes the current device's events to the log. A failing test does so at its end."""
        logger.info("\n".join(self.get_events()) or "none")

    # Browsers.

    @keyword(tags=["browser"])
    def open_browser_with_device(
        self, url: str, profile: str, browser: Literal["chrome", "firefox"] = "chrome", alias: str | None = None,
        arguments: list[str] | None = None, checks_acts: bool = True,
    ) -> str:
        """Opens a browser whose pages ask a simulated device for passkeys, and makes that device the current one.

        The keywords of SeleniumLibrary, which the suite has to import, then drive the browser; its `Close Browser` also ends the device.
        ``arguments`` are those of the browser.

        | Open Browser With Device    https://localhost:3000/sign-in    iphone-face-id
        | Plan Acts    no-match x 2    cancel
        | Click Button    Sign in with a passkey
        """
        from selenium import webdriver

        from ..selenium import Remote

        library = _selenium_library()
        options = webdriver.ChromeOptions() if browser == "chrome" else webdriver.FirefoxOptions()
        for argument in arguments or []:
            options.add_argument(argument)
        driver = Remote(options, profile, program=self._program, checks_acts=checks_acts)
        self._devices.add_driver(driver)
        library.register_driver(driver, alias)
        driver.get(url)
        return self._devices.current.name

    @keyword(tags=["browser"])
    def pick_suggested_passkey(self, account: int | None = None) -> None:
        """The user picks a suggested passkey in a field of SeleniumLibrary's current browser, as soon as the page offers one."""
        self._devices.driver(_selenium_library().driver).pick_passkey(account)

    # The listener.

    def start_test(self, data: TestCase, result: TestResult) -> None:
        """A device that starts from now on ends with the test."""
        self._devices.begin_test()

    def end_keyword(self, data: RunningKeyword, result: KeywordResult) -> None:
        """Keeps the events of browsers' devices at a failure."""
        if result.failed:
            self._devices.keep_events()

    def end_test(self, data: TestCase, result: TestResult) -> None:
        """Fails a test whose planned acts had no effect, writes the events of a failing one, and ends its devices."""
        idle = self._devices.idle_acts()
        if idle and result.passed:
            result.status = "FAIL"
            result.message = str(IdleActsError(idle))
        if result.failed:
            for text in self._devices.narrated():
                logger.info(text)
        self._devices.end_test()

    def end_suite(self, data: TestSuite, result: SuiteResult) -> None:
        """Looks at the plans of the suite's teardown. The suite's status is that of its tests, so that the log gets an error."""
        if idle := self._devices.idle_acts():
            logger.error(str(IdleActsError(idle)))

    def close(self) -> None:
        """Ends the suite's devices and the program."""
        self._devices.close()


def _selenium_library() -> _SeleniumLibrary:
    try:
        return cast(_SeleniumLibrary, BuiltIn().get_library_instance("SeleniumLibrary"))
    except RuntimeError:
        raise TouchstoneError("The suite does not import SeleniumLibrary. Add `Library    SeleniumLibrary` to its settings.") from None
