"""The pytest plugin: simulated devices that end with their test, and a failing test's events and traffic.

A test fails if acts that it planned had no effect.

```python
def test_unlocks(passkey_device):
    phone = passkey_device("pixel-fingerprint")
```
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Generator, Iterator, Protocol

import pytest

from . import models
from ._once import alone
from ._sync.control import Control
from ._sync.device import Device
from .errors import IdleActsError, TouchstoneError
from .hand_over import HandOver
from .narration import event_lines

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext


class DeviceFactory(Protocol):
    """Starts a device that is switched off at the end of the test; the arguments are those of `Control.start_device`."""

    def __call__(
        self, profile: str | models.DeviceStartRequestProfile | HandOver, name: str | None = None, **settings: Any
    ) -> Device:
        ...


class HandOverFactory(Protocol):
    """Makes a hand-over once for all workers of the test session.

    `register` gets a new device of the profile, which answers the pages of a new context, and that context; it registers the user.
    `new_context` is the `new_context` of Playwright's browser. Without both a hand-over has the device only, after `register(device)`.
    """

    def __call__(
        self, name: str, profile: str | models.DeviceStartRequestProfile, register: Callable[..., object],
        new_context: Callable[[], BrowserContext] | None = None, **settings: Any,
    ) -> HandOver:
        ...


@dataclass
class _Running:
    """A device of the running test, and the devices before it."""

    device: Device
    since: int


@dataclass
class _Test:
    """The data for a failing test's report."""

    control: Control
    trace_start: int
    devices: list[_Running] = field(default_factory=list)


_TEST = pytest.StashKey[_Test]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("touchstone", "simulated devices for passkeys")
    group.addoption(
        "--touchstone", metavar="PROGRAM",
        help="the program `touchstone`; default: $TOUCHSTONE, the path, or the build of a checkout")


@pytest.fixture(scope="session")
def touchstone_control(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Control]:
    """A `touchstone control` of this test session."""
    trace = tmp_path_factory.mktemp("touchstone") / "trace.jsonl"
    with Control.start(request.config.getoption("--touchstone"), trace=trace) as control:
        yield control


@pytest.fixture
def passkey_device(request: pytest.FixtureRequest, touchstone_control: Control) -> Iterator[DeviceFactory]:
    """Starts devices: `passkey_device("pixel-fingerprint")`. They end with the test."""
    test = _Test(touchstone_control, _trace_size(touchstone_control))
    request.node.stash[_TEST] = test

    def start(
        profile: str | models.DeviceStartRequestProfile | HandOver, name: str | None = None, **settings: Any
    ) -> Device:
        since = touchstone_control.events(limit=1, since=_LATEST)["lastId"]
        device = touchstone_control.start_device(profile, name, **settings)
        test.devices.append(_Running(device, since))
        return device

    yield start
    idle: dict[str, models.Person] = {}
    for running in reversed(test.devices):
        try:
            running.device.delete()
        except IdleActsError as error:
            # Another fixture planned them, after the test.
            idle.update(error.acts)
        except TouchstoneError:
            # The test deleted the device itself, or ended the program.
            continue
    if idle:
        pytest.fail(str(IdleActsError(idle)), pytrace=False)


@pytest.fixture(scope="session")
def passkey_hand_over(touchstone_control: Control, tmp_path_factory: pytest.TempPathFactory) -> HandOverFactory:
    """Registers a user once: `passkey_hand_over("ada", "iphone-face-id", register, browser.new_context)`.

    With pytest-xdist one worker registers, and the others read the file of its hand-over.
    """
    folder = tmp_path_factory.getbasetemp()
    # The folders of workers lie in that of the session.
    shared = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder

    def make(
        name: str, profile: str | models.DeviceStartRequestProfile, register: Callable[..., object],
        new_context: Callable[[], BrowserContext] | None = None, **settings: Any,
    ) -> HandOver:
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
            raise ValueError(f"{name!r} is not the name of a hand-over. Take letters, digits, '.', '_' and '-'.")
        file = shared / f"touchstone-{name}.json"
        with alone(file.with_suffix(".lock")):
            if not file.exists():
                _registered(touchstone_control, profile, register, new_context, settings).write(file)
        return HandOver.read(file)

    return make


def _registered(
    control: Control, profile: str | models.DeviceStartRequestProfile, register: Callable[..., object],
    new_context: Callable[[], BrowserContext] | None, settings: dict[str, Any],
) -> HandOver:
    with control.start_device(profile, **settings) as device:
        if new_context is None:
            register(device)
            return device.hand_over()
        context = new_context()
        try:
            device.attach(context)
            register(device, context)
            return device.hand_over(context)
        finally:
            context.close()


# No event has this ID yet, so the list is empty and names the last event.
_LATEST = 2**53


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    try:
        result = yield
    except BaseException:
        if (control := _control_of(item)) is not None:
            _forget_plans(control)
        raise
    if (control := _control_of(item)) is not None:
        try:
            control.check_acts()
        except IdleActsError as error:
            pytest.fail(str(error), pytrace=False)
    return result


def _control_of(item: pytest.Item) -> Control | None:
    """The control API of a test; a test suite may have a fixture `touchstone_control` of its own."""
    if (test := item.stash.get(_TEST, None)) is not None:
        return test.control
    control = getattr(item, "funcargs", {}).get("touchstone_control")
    return control if isinstance(control, Control) else None


def _forget_plans(control: Control) -> None:
    """Forgets the plans of a test that fails anyway: its error says more than the acts that were left."""
    for device in list(control._transport.planned.values()):
        try:
            device.forget_plan()
        except TouchstoneError:
            continue  # The device is gone, and its plan with it.


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    test = item.stash.get(_TEST, None)
    if test is not None and report.failed and call.when == "call":
        for running in test.devices:
            report.sections.append((f"touchstone events of {running.device.name}", _events(running)))
        report.sections.append(("touchstone trace", _trace(test)))
    return report


def _events(running: _Running) -> str:
    try:
        listed = running.device.events(since=running.since)
    except TouchstoneError as error:
        return f"not readable: {error}"
    return "\n".join(event_lines(listed)) or "none"


def _trace_path(control: Control) -> Path | None:
    return control.process.trace if control.process is not None else None


def _trace_size(control: Control) -> int:
    path = _trace_path(control)
    return path.stat().st_size if path is not None and path.exists() else 0


def _trace(test: _Test) -> str:
    """The requests and answers of the test's devices, one line for each; `touchstone trace show` decodes the file."""
    path = _trace_path(test.control)
    if path is None or not path.exists():
        return "not recorded"
    names = {running.device.name for running in test.devices}
    with path.open("rb") as file:
        file.seek(test.trace_start)
        entries = [json.loads(line) for line in file if line.endswith(b"\n")]
    lines = [f"{path} from byte {test.trace_start}"]
    for entry in entries:
        if entry.get("device") in names and entry["kind"] in ("request", "response"):
            words = [entry.get("command"), entry.get("subcommand"), entry.get("statusName"), entry.get("raw")]
            arrow = "→" if entry["kind"] == "request" else "←"
            lines.append(f"{entry['at']:.3f} {entry['device']} {arrow} " + " ".join(str(word) for word in words if word))
    return "\n".join(lines)
