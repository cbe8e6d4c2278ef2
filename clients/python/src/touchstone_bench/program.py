"""Finds and starts `touchstone`."""

from __future__ import annotations

import atexit
import importlib.metadata
import os
import re
import secrets
import shutil
import subprocess
import tempfile
import threading
from collections import deque
from pathlib import Path
from typing import Iterable

from .errors import ProgramError

ENVIRONMENT = "TOUCHSTONE"
_CONTROL = re.compile(r"control API on (http://\S+:\d+)")


DISTRIBUTION = "touchstone-bench"
# The packages of systems without the program have a `touchstone` that only starts another one.
_LAUNCHER = re.compile(rb"touchstone[_-]bench")


def find_program(path: str | os.PathLike[str] | None = None) -> Path:
    """The program's file: `path`, `$TOUCHSTONE`, the one that was installed with this package, `touchstone` on the path, or
    the build of a checkout around the working directory.

    Raises `ProgramError` when none of them exists.
    """
    given = path or os.environ.get(ENVIRONMENT)
    if given:
        if (found := shutil.which(given)) is None:
            raise ProgramError(f"{given} is not a program. Name the file of `touchstone`.")
        return Path(found)
    if (installed := _installed_program()) is not None:
        return installed
    for folder in os.get_exec_path():
        if (found := shutil.which("touchstone", path=folder)) is not None and not _is_launcher(Path(found)):
            return Path(found)
    here = Path.cwd()
    for folder_above in (here, *here.parents):
        for build in ("release", "debug"):
            candidate = folder_above / ".build" / build / "touchstone"
            if os.access(candidate, os.X_OK):
                return candidate
    raise ProgramError(
        "`touchstone` was not found. Packages for Linux on x86-64 include the program; build it on other systems with"
        f" `make release`, and put it on the path or name its file in ${ENVIRONMENT}.")


def _installed_program() -> Path | None:
    """The program of this package's wheel, wherever the installer put it."""
    try:
        installed = importlib.metadata.distribution(DISTRIBUTION)
    except importlib.metadata.PackageNotFoundError:
        return None
    for file in installed.files or []:
        if file.name == "touchstone":
            program = Path(os.path.abspath(file.locate()))
            if os.access(program, os.X_OK) and not _is_launcher(program):
                return program
    return None


def _is_launcher(file: Path) -> bool:
    """Whether a `touchstone` is a script of this package or of its sibling for Node, which look for the program themselves."""
    try:
        with file.open("rb") as opened:
            start = opened.read(1024)
    except OSError:
        return False
    return start.startswith(b"#!") and _LAUNCHER.search(start) is not None


class RunningProgram:
    """A running `touchstone`; `stop()` ends it, and so does the end of this process."""

    def __init__(self, arguments: list[str], listening: re.Pattern[str], environment: dict[str, str]) -> None:
        """Starts the program and waits until it listens; the first group of `listening` is its URL."""
        self.program = arguments[0]
        self._command = arguments[1]
        # Devices of other programs on this computer may have the same names.
        self._sockets = tempfile.TemporaryDirectory(prefix="touchstone-")
        environment = {**os.environ, **environment, "TOUCHSTONE_RUNTIME": self._sockets.name}
        self._process = subprocess.Popen(
            arguments, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, encoding="utf-8", errors="replace")
        self._lines: deque[str] = deque(maxlen=100)
        atexit.register(self.stop)
        try:
            self.url = self._wait_until_listening(listening)
        except BaseException:
            self.stop()
            raise
        # The pipe is read to its end: a full one would stop the program.
        threading.Thread(target=self._keep_lines, name="touchstone-stderr", daemon=True).start()

    def _wait_until_listening(self, listening: re.Pattern[str]) -> str:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self._lines.append(line.rstrip("\n"))
            if found := listening.search(line):
                return found[1]
        status = self._process.wait()
        raise ProgramError(f"`touchstone {self._command}` ended with {status}: {self.log}")

    def _keep_lines(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self._lines.append(line.rstrip("\n"))

    @property
    def log(self) -> str:
        """The last lines that the program wrote to standard error."""
        return "\n".join(self._lines)

    @property
    def process_id(self) -> int:
        """The ID of the process."""
        return self._process.pid

    def stop(self) -> None:
        """Ends the program and waits for its end."""
        atexit.unregister(self.stop)
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._sockets.cleanup()


class ControlProcess(RunningProgram):
    """A running `touchstone control` on a free port of the loopback interface; `stop()` ends it."""

    def __init__(
        self,
        program: str | os.PathLike[str] | None = None,
        *,
        trace: str | os.PathLike[str] | None = None,
        allow_origins: Iterable[str] = (),
    ) -> None:
        """Starts the program and waits until it listens.

        `trace` is the file that records the devices' traffic; pages of `allow_origins` may send requests.
        """
        self.token = secrets.token_urlsafe(32)
        self.trace = Path(trace) if trace is not None else None
        arguments = [str(find_program(program)), "control", "--port", "0"]
        if trace is not None:
            arguments += ["--trace", os.fspath(trace)]
        for origin in allow_origins:
            arguments += ["--allow-origin", origin]
        # The environment carries the token, because every process can list command lines.
        super().__init__(arguments, _CONTROL, {"TOUCHSTONE_TOKEN": self.token})
