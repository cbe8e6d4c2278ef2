"""The devices of a suite, of its tests and of its browsers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from robot.api import logger

from .. import models
from .._sync.control import Control
from .._sync.device import Device
from ..errors import IdleActsError, TouchstoneError
from ..narration import event_lines

if TYPE_CHECKING:
    from ..selenium import Remote

# No event has this ID yet, so the list is empty and names the last event.
_LATEST = 2**53
# A device that a test stopped, and one whose browser is closed, with its connection.
_ENDED = (TouchstoneError, RuntimeError)


@dataclass
class _Running:
    """A device, the last event before it or before the test, and whether a test started it."""

    device: Device
    since: int
    ends_with_test: bool
    driver: Remote | None = None
    # The events at the latest failure: a teardown may close the browser, and its device with it.
    lines: list[str] | None = None

    def last_event(self) -> int:
        try:
            return self.device.events(limit=1, since=_LATEST)["lastId"]
        except _ENDED:
            return self.since

    def events(self) -> list[str] | None:
        """The events of the test, or the kept ones of a device that has ended."""
        try:
            return event_lines(self.device.events(since=self.since))
        except _ENDED:
            return self.lines


class SuiteDevices:
    """The devices that a suite started; `current` is the one that keywords are about."""

    def __init__(self, program: str | None, address: tuple[str, str] | None) -> None:
        self._program = program
        self._address = address
        self._control: Control | None = None
        self._running: list[_Running] = []
        self._current: Device | None = None
        self._is_in_test = False

    @property
    def current(self) -> Device:
        """The current device. Raises `TouchstoneError` without one."""
        if self._current is None:
            raise TouchstoneError("The test has no device. Begin with `Start Device` or `Open Browser With Device`.")
        return self._current

    def start(self, profile: str, name: str | None, **settings: Any) -> str:
        """Starts a device, and the program before the first one."""
        if self._control is None:
            self._control = Control(*self._address) if self._address is not None else Control.start(self._program)
        since = self._control.events(limit=1, since=_LATEST)["lastId"]
        device = self._control.start_device(profile, name, **settings)
        return self._add(_Running(device, since, self._is_in_test))

    def add_driver(self, driver: Remote) -> None:
        """Adds the device of a browser."""
        self._add(_Running(driver.passkey_device, 0, self._is_in_test, driver))

    def driver(self, driver: object) -> Remote:
        """The driver, if a device of the suite belongs to it."""
        for running in self._running:
            if running.driver is not None and running.driver is driver:
                return running.driver
        raise TouchstoneError("The current browser has no device. Open it with `Open Browser With Device`.")

    def switch_to(self, name: str) -> None:
        """Makes a device the current one."""
        for running in self._running:
            if running.device.name == name:
                self._current = running.device
                return
        names = ", ".join(running.device.name for running in self._running) or "none"
        raise TouchstoneError(f"{name} is not a device of this suite. Name one of its devices: {names}.")

    def stop(self) -> None:
        """Switches the current device off."""
        device = self.current
        [running] = [running for running in self._running if running.device is device]
        if running.driver is not None:
            raise TouchstoneError(f"{device.name} is the device of a browser. Close the browser with `Close Browser`.")
        self._forget(running)
        device.delete()

    def begin_test(self) -> None:
        """The devices from now on end with the test, and a failure shows the events from now on."""
        self._is_in_test = True
        for running in self._running:
            running.since = running.last_event()
            running.lines = None

    def keep_events(self) -> None:
        """Keeps the events of browsers' devices."""
        for running in self._running:
            if running.driver is not None:
                running.lines = running.events()

    def idle_acts(self) -> dict[str, models.Person]:
        """The acts of plans that had no effect, by device; afterwards they are forgotten."""
        acts: dict[str, models.Person] = {}
        for running in self._running:
            try:
                running.device.check_acts()
            except IdleActsError as error:
                acts.update(error.acts)
            except _ENDED as error:
                logger.debug(f"{running.device.name} had ended: {error}")
        return acts

    def narrated(self) -> list[str]:
        """The events of each device as text."""
        return ["\n".join([f"Events of {running.device.name}:", *(running.events() or ["none"])]) for running in self._running]

    def end_test(self) -> None:
        """Ends the devices of the test."""
        self._is_in_test = False
        for running in [running for running in self._running if running.ends_with_test]:
            self._end(running)

    def close(self) -> None:
        """Ends all devices and the program."""
        for running in list(self._running):
            self._end(running)
        if self._control is not None:
            self._control.close()
            self._control = None

    def _add(self, running: _Running) -> str:
        self._running.append(running)
        self._current = running.device
        return running.device.name

    def _forget(self, running: _Running) -> None:
        self._running.remove(running)
        if self._current is running.device:
            self._current = self._running[-1].device if self._running else None

    def _end(self, running: _Running) -> None:
        self._forget(running)
        try:
            if running.driver is None:
                running.device.delete()
            else:
                running.driver.quit()
        except Exception as error:
            # The test stopped the device, closed the browser or ended the program.
            logger.debug(f"{running.device.name} had ended: {error}")
