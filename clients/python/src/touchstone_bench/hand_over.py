"""A device's passkeys and a browser's sign-in, which one test makes and other tests start with."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
import warnings
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Iterable

from .errors import HandOverError, TouchstoneWarning

_KIND = "touchstone hand-over"
_VERSION = 1
# The members of a file and their types.
_FORM: dict[str, tuple[type, ...]] = {
    "profile": (str,), "state": (str,), "digest": (str,), "createdAt": (int, float), "storageState": (dict, type(None)),
}


@dataclass(frozen=True)
class HandOver:
    """A device's state with its private keys, and the cookies and storage of a browser context.

    `Device.hand_over` makes one, `Control.start_device` starts a device with it, and `storage_state` is the argument of Playwright's
    `new_context`. Every device that starts with it has the same passkeys.
    """

    profile: str
    state: str
    storage_state: Any
    created_at: float

    @classmethod
    def made(cls, profile: str, state: str, storage_state: dict[str, Any] | None) -> HandOver:
        """A hand-over of now."""
        return cls(profile, state, storage_state, time.time())

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes a file that only its owner can read; a reader sees a whole file or none."""
        text = json.dumps({
            "kind": _KIND, "version": _VERSION, "createdAt": self.created_at, "profile": self.profile, "state": self.state,
            "digest": _digest(self.state), "storageState": self.storage_state,
        }, indent=2)
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = target.with_name(f"{target.name}.{os.getpid()}.new")
        try:
            with open(os.open(temporary, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(temporary, target)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, max_age: timedelta | None = None) -> HandOver:
        """Reads a file of `write`.

        Raises `HandOverError` for a file that is missing, damaged, of another version, older than `max_age`, or whose cookies have all
        expired.
        """
        try:
            text = Path(path).read_text(encoding="utf-8")
        except FileNotFoundError:
            raise HandOverError(f"{path} was not found. Run the test that writes it first.") from None
        except (OSError, UnicodeDecodeError) as error:
            raise HandOverError(f"{path} is not readable: {error}. Delete it and register again.") from None
        try:
            found = json.loads(text)
        except ValueError as error:
            raise HandOverError(f"{path} is damaged: {error}. Delete it and register again.") from None
        if not isinstance(found, dict) or found.get("kind") != _KIND:
            raise HandOverError(f"{path} is not a hand-over of Touchstone. Name the file that HandOver.write wrote.")
        if found.get("version") != _VERSION:
            raise HandOverError(
                f"{path} has the version {found.get('version')}, and this package reads version {_VERSION}. Register again with this package.")
        for name, kinds in _FORM.items():
            if name not in found or not isinstance(found[name], kinds):
                raise HandOverError(f"{path} is damaged: {name} is missing or of another type. Delete it and register again.")
        if _digest(found["state"]) != found["digest"]:
            raise HandOverError(f"{path} is damaged: the device's state has changed since it was written. Delete it and register again.")
        made = cls(found["profile"], found["state"], found["storageState"], found["createdAt"])
        made._check_age(path, max_age)
        return made

    def _check_age(self, path: str | os.PathLike[str], max_age: timedelta | None) -> None:
        age = timedelta(seconds=round(time.time() - self.created_at))
        if max_age is not None and age > max_age:
            raise HandOverError(f"{path} is {age} old, and at most {max_age} is allowed. Register again.")
        cookies = (self.storage_state or {}).get("cookies", [])
        # A cookie of a session has no end.
        ends = [cookie.get("expires", -1) for cookie in cookies]
        if ends and all(0 < end < time.time() for end in ends):
            raise HandOverError(f"{path} is stale: its cookies have expired, so that no user is signed in. Register again.")


def warn_of_counters(device: str, accounts: Iterable[str]) -> None:
    """Warns of passkeys whose signatures count."""
    warnings.warn(
        f"Passkeys of {device} count signatures: {', '.join(accounts)}. Start one device with this hand-over: a relying party takes "
        "the second one for a clone. Passkeys of iphone-face-id or pixel-fingerprint do not count.",
        TouchstoneWarning, stacklevel=3)


def _digest(state: str) -> str:
    return hashlib.sha256(state.encode()).hexdigest()
