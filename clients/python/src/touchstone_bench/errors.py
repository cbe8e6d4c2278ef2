"""The errors of the client."""

from __future__ import annotations

from typing import Mapping

from .models import CeremonyFailureError, CeremonyFailureFace, Person


class TouchstoneError(Exception):
    """The base of all errors of this package."""


class TouchstoneWarning(UserWarning):
    """A use of this package without the effect that its caller expects."""


class ProgramError(TouchstoneError):
    """The program `touchstone` was not found, or its control API did not start."""


class RequestError(TouchstoneError):
    """The control API refused a request.

    `status` is the HTTP status, `code` a stable name such as `device.notFound`.
    """

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(f"{message} ({status} {code})")
        self.status = status
        self.code = code
        self.message = message


class HandOverError(TouchstoneError):
    """The file of a hand-over is missing, damaged, stale or of another version."""


class IdleActsError(TouchstoneError):
    """Planned acts of the user had no effect.

    `acts` has for each device the acts that a prompt `ignored`, with the reason, and the `planned` ones, which no prompt
    asked for.
    """

    def __init__(self, acts: Mapping[str, Person]) -> None:
        self.acts = dict(acts)
        lines = [f"{device}: {_described(person)}" for device, person in acts.items()]
        super().__init__(
            "Acts of the plan had no effect. " + " ".join(lines)
            + " Remove them from the plan, or call forget_plan() where the test means them.")


def _described(person: Person) -> str:
    by_reason: dict[str, list[str]] = {}
    for ignored in person["ignored"]:
        by_reason.setdefault(ignored["reason"], []).append(ignored["act"])
    sentences = [f"The prompt ignored {', '.join(acts)}: {reason}." for reason, acts in by_reason.items()]
    if person["planned"]:
        sentences.append(f"No prompt asked for {', '.join(person['planned'])}.")
    return " ".join(sentences)


class CeremonyError(TouchstoneError):
    """A ceremony failed. The page gets `name`; the other attributes give the reason, which the page does not receive.

    `cause` is a word of scenarios such as `userCancelled`, `reason` the client's own reason, `device_reason` the device's,
    and `faces` the errors that an app gets from its platform and from SDKs.
    """

    def __init__(
        self, failure: CeremonyFailureError, elapsed_seconds: float, faces: list[CeremonyFailureFace] | None = None
    ) -> None:
        self.name = failure["name"]
        self.cause = failure["cause"]
        self.reason = failure["reason"]
        self.clause = failure["clause"]
        self.ctap_status = failure.get("ctapStatus")
        self.detail = failure.get("detail")
        self.device_reason = failure.get("deviceReason")
        self.elapsed_seconds = elapsed_seconds
        self.faces = faces or []
        reason = f", {self.device_reason}" if self.device_reason else ""
        super().__init__(f"{self.name}: {self.cause}{reason} ({self.clause})")
