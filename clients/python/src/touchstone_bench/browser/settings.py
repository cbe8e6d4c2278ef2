"""The user of an attached device."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Settings:
    """How the user of an attached device behaves in the browser."""

    # The PINs that the user enters, in order.
    pins: tuple[str, ...] | None = None
    # The place of the account that the user chooses among several.
    account: int | None = None
    # Whether the user picks a suggested passkey as soon as a field offers one.
    autofill: bool = False
    # Whether a conditional request without a passkey waits for one.
    waits: bool = True
