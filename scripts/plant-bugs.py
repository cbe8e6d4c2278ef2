#!/usr/bin/env python3
"""Writes the example app with planted bugs, each behind a condition: plant-bugs.py OUTPUT EXAMPLE TESTS.

EXAMPLE is the folder of the example's package, TESTS that of the suite which plants the bugs. TESTS/Bugs has the tables: a file
of the app, an original text that stands once in it, and the change, as in the tables of mutations. OUTPUT receives

- the app's sources, with each bug behind `Flaw.isPlanted("NAME")`;
- the example's tests, for the same module;
- PlantedSuites.swift, with the bugs and the tests of both suites by their names.

The build plugin PlantBugs runs it.
"""
import re
import sys
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from mutation import guards, tables  # noqa: E402

# `effect` is what the user or the owner of the app sees, `source` a public report of such a bug, and `fakes` whether the tests on
# fakes notice it.
KEYS = tables.PLACE | {"places", "effect", "source", "fakes"}
TEST = re.compile(r'@Test\(("(?:[^"\\]|\\.)*")(.*?)\)\s+func (\w+)\(\)([^{]*)\{', re.S)
SUITE = re.compile(r"^(?:@MainActor )?(?:final )?(?:struct|class) (\w+Tests)\b", re.M)


class Bug(tables.Place):
    selector = "Flaw.isPlanted"


def fail(problem):
    sys.exit(f"plant-bugs: {problem}")


def read_bugs(folder):
    """The rows of the tables by name, each with its places."""
    rows = {}
    for file in sorted(folder.glob("*.toml")):
        for name, entry in tomllib.loads(file.read_text()).items():
            if name in rows:
                fail(f"{file}: {name} is repeated")
            if unknown := set(entry) - KEYS:
                fail(f"{file}: {name} has an unknown key {', '.join(sorted(unknown))}")
            if missing := {"effect", "source"} - set(entry):
                fail(f"{file}: {name} has no {', '.join(sorted(missing))}")
            entry["places"] = [Bug(place, name, False) for place in entry.get("places", [entry])]
            rows[name] = entry
    return rows


def planted(text, file, bugs):
    places = [place for bug in bugs.values() for place in bug["places"] if place.file == file]
    for place in places:
        if (count := text.count(place.original)) != 1:
            fail(f"{place.name}: the original stands {count} times in {file}; it must stand once")
    return guards.guarded(text, places, imports="")


def tests(files):
    """The tests of suites: their titles and calls."""
    for file in files:
        text = file.read_text()
        suite = SUITE.search(text)
        found = TEST.findall(text) if suite else []
        if len(found) != text.count("@Test"):
            fail(f"{file}: a test without a title, or outside a suite")
        for title, more, function, effects in found:
            if more:
                fail(f"{file}: {function} has traits or arguments, with which it cannot be called")
            call = f"{suite[1]}().{function}()"
            call = f"await {call}" if "async" in effects else call
            yield title, f"try {call}" if "throws" in effects else call


def written(name, comment, rows):
    lines = "".join(f"    ({title}, {{ {call} }}),\n" for title, call in rows)
    return f"/// {comment}\nlet {name}: [(title: String, body: @MainActor () async throws -> Void)] = [\n{lines}]\n\n"


def main(output, example, suite):
    bugs = read_bugs(suite / "Bugs")
    sources = sorted((example / "Sources").rglob("*.swift"))
    names = {file.name for file in sources}
    for bug in bugs.values():
        for place in bug["places"]:
            if place.file not in names:
                fail(f"{place.name}: the app has no file {place.file}")
    for file in sources:
        (output / file.name).write_text(planted(file.read_text(), file.name, bugs))
    own = sorted((example / "Tests").rglob("*.swift"))
    for file in own:
        (output / file.name).write_text(re.sub(r"^(@testable )?import SignIn\n", "", file.read_text(), flags=re.M))
    rows = "".join(
        f'    PlantedBug(name: "{name}", isNoticedByFakes: {str(bug.get("fakes", False)).lower()}),\n'
        for name, bug in bugs.items())
    (output / "PlantedSuites.swift").write_text(
        f"/// The bugs, in the order of their tables.\nlet plantedBugs: [PlantedBug] = [\n{rows}]\n\n"
        + written("phoneTests", "The example's tests, on a simulated phone.", tests(own))
        + written("fakeTests", "The usual tests, on fakes.", tests(sorted((suite / "Fakes").glob("*.swift")))))


main(*map(Path, sys.argv[1:]))
