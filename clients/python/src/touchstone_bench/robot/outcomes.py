"""Arguments and results of keywords."""

from __future__ import annotations

import json
from typing import Any, Callable, Mapping, TypeAlias, get_args, get_type_hints

from .. import models
from ..errors import CeremonyError, TouchstoneError

Request: TypeAlias = str | dict[str, Any]


def verb_of(act: type) -> str:
    """The verb of one of the acts in `models.Act`."""
    [verb] = get_args(get_type_hints(act)["verb"])
    return str(verb)


def typed_arguments(verb: str, given: Mapping[str, str]) -> dict[str, Any]:
    """The texts of a suite as the act's arguments: numbers and documents are those that the act declares."""
    [act] = [act for act in get_args(models.Act) if verb_of(act) == verb]
    declared = get_type_hints(act)["arguments"]
    kinds = get_type_hints(declared) if hasattr(declared, "__required_keys__") else {}
    return {name: _typed(name, text, kinds.get(name.replace("_", "-"), str)) for name, text in given.items()}


def _typed(name: str, text: Any, kind: Any) -> Any:
    if not isinstance(text, str):
        return text
    if kind is int:
        try:
            return int(text)
        except ValueError:
            raise TouchstoneError(f"{name} is {text}, expected a number.") from None
    return request_of(text) if kind == dict[str, Any] else text


def cause_of(outcome: models.Outcome) -> str:
    return ", ".join([outcome.get("cause", "without a cause"), *(face["text"] for face in outcome.get("faces", []))])


def request_of(options: Request) -> Mapping[str, Any]:
    if not isinstance(options, str):
        return options
    try:
        found = json.loads(options)
    except ValueError as error:
        raise TouchstoneError(f"The options are not JSON ({error}). Give the server's JSON, or a dictionary.") from None
    if not isinstance(found, dict):
        raise TouchstoneError(f"The options are {type(found).__name__}, expected an object. Give the server's JSON, or a dictionary.")
    return found


def check_failure(ceremony: Callable[[], object], error: str, cause: str | None) -> list[str]:
    try:
        ceremony()
    except CeremonyError as failure:
        if failure.name != error or cause not in (None, failure.cause):
            expected = error if cause is None else f"{error}: {cause}"
            raise AssertionError(f"The page got another error: {failure}, expected {expected}.") from None
        return [face["text"] for face in failure.faces]
    raise AssertionError(f"The page got a passkey's response, expected {error}.")
