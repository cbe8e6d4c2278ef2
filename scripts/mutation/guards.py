"""Writes sources in which each mutation is guarded by a selector."""


class Conflict(Exception):
    pass


def guarded(text, places, imports="internal import Mutants\n"):
    """A file's text with all its mutations, after the imports that their selector needs."""
    # Mutations of one expression share a guard; statements that are added after one text follow each other.
    edits = {}
    for place in places:
        at = text.index(place.original)
        start, end = (at + offset for offset in place.marked)
        if place.kind == "added":
            start = end = at + len(place.original)
        edits.setdefault((start, end), []).append(place)
    result, done = [], 0
    for (start, end), group in sorted(edits.items()):
        if start < done:
            raise Conflict(f"{group[0].name} overlaps another mutation in {group[0].file}")
        result += [text[done:start], guard(text[start:end], group)]
        done = end
    return imports + "".join(result) + text[done:]


def guard(original, places):
    kinds = {place.kind for place in places}
    if len(kinds) > 1 or (len(places) > 1 and kinds != {"added"} and not all(place.text for place in places)):
        raise Conflict(f"{', '.join(place.name for place in places)} change one text in ways that exclude each other")
    if kinds == {"added"}:
        return "".join(f"\nif {place.condition} {{ {place.written()} }}" for place in places)
    if kinds == {"rewritten"}:
        if len(places) > 1:
            raise Conflict(f"{', '.join(place.name for place in places)} rewrite one text")
        return places[0].written()
    if not places[0].text:
        return f"if !{places[0].condition} {{ {original} }}"
    for place in places:
        original = f"({place.condition} ? ({place.text}) : ({original}))"
    return original
