"""Selenium with simulated devices, through `touchstone webdriver`.

```python
from selenium import webdriver
from touchstone_bench.selenium import Remote

driver = Remote(webdriver.ChromeOptions(), "iphone-face-id")
driver.passkey_device.plan("no-match x 2", "cancel")
```
"""

from __future__ import annotations

import copy
import os
import re
import threading
import time
from typing import Any, Mapping

from selenium import webdriver
from selenium.webdriver.common.options import BaseOptions

from ._sync.device import Device, check_plans
from ._sync.transport import Transport
from .errors import CeremonyError, RequestError, TouchstoneError
from .program import RunningProgram, find_program

_DEVICE = "touchstone:device"
_LISTENING = re.compile(r"WebDriver on (http://[^\s,]+)")
_HOW_LONG = 30.0


class WebDriverProcess(RunningProgram):
    """A running `touchstone webdriver` on a free port of the loopback interface; `stop()` ends it and its browsers."""

    def __init__(self, program: str | os.PathLike[str] | None = None, *, driver: str | None = None) -> None:
        """Starts the program and waits until it listens; `driver` is the driver behind it, such as `geckodriver`."""
        arguments = [str(find_program(program)), "webdriver", "--port", "0"]
        if driver is not None:
            arguments += ["--driver", driver]
        super().__init__(arguments, _LISTENING, {})


_lock = threading.Lock()
_shared: dict[str, WebDriverProcess] = {}


def _server(program: str | os.PathLike[str] | None) -> str:
    """The URL of this process's server, which ends with the process."""
    name = str(find_program(program))
    with _lock:
        if name not in _shared:
            _shared[name] = WebDriverProcess(name)
        return _shared[name].url


class Remote(webdriver.Remote):
    """A session whose pages are answered by a simulated device.

    `device` is a profile's name, or an object with the members that docs/browser.md lists; None for a session that gets
    virtual authenticators. `server` is the URL of a running `touchstone webdriver`; without it the first session of this
    process starts one. With `checks_acts` False planned acts may have no effect; otherwise `quit` raises `IdleActsError`.
    """

    def __init__(
        self, options: BaseOptions, device: str | Mapping[str, Any] | None = None, *, server: str | None = None,
        program: str | os.PathLike[str] | None = None, checks_acts: bool = True,
    ) -> None:
        self._checks_acts = checks_acts
        # The caller may open another session with the same options.
        options = copy.deepcopy(options)
        if device is not None:
            options.set_capability(_DEVICE, device)
        if options.capabilities.get("browserName") == "firefox":
            # Its pages are reached over WebDriver BiDi.
            options.set_capability("webSocketUrl", True)
        self._passkey_server = server if server is not None else _server(program)
        self._passkey_transport: _SessionTransport | None = None
        super().__init__(self._passkey_server, options=options)

    @property
    def _passkeys(self) -> _SessionTransport:
        if self._passkey_transport is None:
            self._passkey_transport = _SessionTransport(
                self._passkey_server, str(self.session_id), self.capabilities.get(_DEVICE, ""))
        return self._passkey_transport

    @property
    def passkey_device(self) -> Device:
        """The session's device: its state, its user, its clock, its events."""
        if not self.capabilities.get(_DEVICE):
            raise TouchstoneError("The session has no device. Name one when the session opens.")
        return Device(self._passkeys, self.capabilities[_DEVICE], checks_acts=self._checks_acts)

    def pick_passkey(self, account: int | None = None) -> None:
        """The user picks a suggested passkey in a field, as soon as a page offers one.

        Raises `CeremonyError` when the ceremony fails; the page's request then goes on waiting.
        """
        body = {} if account is None else {"account": account}
        deadline = time.monotonic() + _HOW_LONG
        while True:
            try:
                answer = self._passkeys.session_request("POST", "/pick", body)
                break
            except RequestError as error:
                if error.status != _NOT_PENDING or time.monotonic() > deadline:
                    raise
                time.sleep(0.02)
        if "error" in answer:
            raise CeremonyError(answer["error"], 0)

    def quit(self) -> None:
        """Ends the session, its browser and its device. Raises `IdleActsError` afterwards if planned acts had no effect."""
        transport = self._passkey_transport
        try:
            if transport is not None:
                check_plans(transport)
        finally:
            super().quit()
            if transport is not None:
                transport.close()

    def __exit__(self, *error: Any) -> None:
        if error[0] is not None and self._passkey_transport is not None:
            # That error says more than the acts that were left.
            self._passkey_transport.planned.clear()
        super().__exit__(*error)


# No page waits for a suggestion.
_NOT_PENDING = 409


class _SessionTransport(Transport):
    """Requests about the session's device, which WebDriver carries."""

    def __init__(self, url: str, session: str, device: str) -> None:
        super().__init__(url, "")
        self._root = f"/session/{session}/touchstone"
        self._device = f"/v1/devices/{device}"

    def request(
        self, method: str, path: str, body: Mapping[str, Any] | None = None,
        query: Mapping[str, int | None] | None = None,
    ) -> Any:
        return self.session_request(method, path.removeprefix(self._device), body, query)

    def session_request(
        self, method: str, path: str, body: Mapping[str, Any] | None = None,
        query: Mapping[str, int | None] | None = None,
    ) -> Any:
        """A command below `/session/ID/touchstone`."""
        answer = super().request(method, self._root + path, body, query)
        return None if answer is None else answer["value"]
