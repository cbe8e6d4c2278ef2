"""Events as text, for the reports of failing tests."""

from __future__ import annotations

from . import models


def event_lines(listed: models.EventList) -> list[str]:
    """A line for each event, followed by its cause and by the errors that apps get for it."""
    lines = []
    for entry in listed["events"]:
        event = entry["event"]
        lines.append(f"{event['at']:.3f} {event['kind']}: {event['text']}")
        if cause := event.get("cause"):
            lines.append(f"    cause: {cause}" + (f" ({event['reason']})" if "reason" in event else ""))
        lines += [f"    {face['layer']}: {face['text']}" for face in event.get("faces", [])]
    return lines
