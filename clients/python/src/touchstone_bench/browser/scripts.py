"""The scripts that run in a browser's documents."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from importlib.resources import files
from typing import Any


@dataclass(frozen=True)
class Scripts:
    """The scripts of one attachment, with names that no page can guess."""

    # In the page's own world.
    page: str
    # In an isolated world of this name, which alone has the binding.
    relay: str
    world: str
    binding: str
    # Runs before `page` in a browser without WebAuthn.
    classes: str

    @classmethod
    def make(cls) -> Scripts:
        channel = secrets.token_hex(16)
        binding = f"touchstone{secrets.token_hex(8)}"

        def read(name: str) -> str:
            source = files(__package__).joinpath(name).read_text(encoding="utf-8")
            return source.replace("__TOUCHSTONE_CHANNEL__", channel).replace("__TOUCHSTONE_BINDING__", binding)

        return cls(read("page.js"), read("relay.js"), f"touchstone {secrets.token_hex(8)}", binding, read("classes.js"))

    def commands(self) -> list[tuple[str, dict[str, Any]]]:
        """The DevTools commands that prepare a page, or a frame with a process of its own, for the relay.

        They attach to no target themselves: a second `Target.setAutoAttach` makes Chromium close the session that Playwright
        has of a frame, and the frame's next document then runs without the page's script.
        """
        add = "Page.addScriptToEvaluateOnNewDocument"
        return [
            ("Page.enable", {}),
            ("Runtime.enable", {}),
            ("Runtime.addBinding", {"name": self.binding, "executionContextName": self.world}),
            (add, {"source": self.relay, "worldName": self.world, "runImmediately": True}),
        ]
