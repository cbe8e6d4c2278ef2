"""The tables of mutations, and their results for the suites."""
import re
import textwrap
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "Tests"
SOURCES = ROOT / "Sources"
FOLDER = ROOT / "Tests/Mutation/Tables"
SUITES = {"authenticator": "the suite for authenticators", "relying-party": "the suite for relying parties"}
SUBJECTS = {"authenticator": "virtual authenticator", "relying-party": "verifier and relying party"}
# The keys of a row: the place of the change, and the tests that notice it.
PLACE = {"file", "original", "member", "replacement", "added", "rewritten"}
OUTCOME = {"scenario", "noScenario", "tests", "profile", "run", "red", "equivalent", "survives"}
FAMILY = {"places", "named_in", "declared_in", "declared_as", "except"}
LOWEST_SCORE = 0.95
FEWEST_CHANGES = {"authenticator": 200, "relying-party": 100, "scenario": 60, "tests": 50}


class Place:
    """A text of the sources, which stands once in its file, and the text that a mutation puts in its place.

    - `replacement`: an expression for the one between « and », or for the whole original; empty removes a statement.
    - `added`: statements that follow the original.
    - `rewritten`: the text as it is written, in which MUTATED is whether the mutation is made. In a family, MUTATED(X) is
      whether it is made for the member X.
    """

    # The Swift function that says whether a mutation is made.
    selector = "Mutant.isMade"

    def __init__(self, entry, name, is_family):
        self.name, self.is_family = name, is_family
        self.file, original = entry["file"], entry["original"]
        self.member = entry.get("member")
        self.kind, self.text = next((key, entry[key]) for key in ("replacement", "added", "rewritten") if key in entry)
        before, _, rest = original.partition("«")
        inner, closed, after = rest.partition("»")
        self.original = before + inner + after if closed else original
        self.marked = (len(before), len(before) + len(inner)) if closed else (0, len(original))

    @property
    def condition(self):
        if self.is_family:
            return f'{self.selector}("{self.name}", {self.member})'
        return f'{self.selector}("{self.name}")'

    def made_in(self, text):
        """A file's text with the mutation alone; for sources without a selector."""
        at = text.index(self.original)
        start, end = (at + offset for offset in self.marked)
        if self.kind == "added":
            start = end
        return text[:start] + self.text + text[end:]

    def written(self):
        """The text of `rewritten` and `added`, with the selector's calls."""
        text = self.text
        if self.is_family:
            return text.replace("MUTATED(", f'{self.selector}("{self.name}", ')
        return text.replace("MUTATED", f'{self.selector}("{self.name}")')


class Row:
    """A mutation: its places, unless its family has them, and its outcomes."""

    def __init__(self, name, entry, table):
        self.name, self.table = name, table
        self.suite, self.outcomes = table.get("suite"), table["outcomes"]
        self.unknown = set(entry) - PLACE - OUTCOME - {"places"}
        entries = entry.get("places") or ([entry] if "file" in entry else [])
        self.places = [Place(place, name, False) for place in entries]
        self.scenario, self.no_scenario = entry.get("scenario"), entry.get("noScenario")
        # Tests of the package, as TARGET.SUITE/FUNCTION.
        self.tests = entry.get("tests", [])
        self.profile, self.run, self.red = entry.get("profile"), entry.get("run", []), entry.get("red", [])
        self.equivalent, self.survives = entry.get("equivalent"), entry.get("survives")
        self.has_cases = any([self.red, self.equivalent, self.survives])

    def problems(self):
        if self.unknown:
            yield f"has an unknown key {', '.join(sorted(self.unknown))}"
        if "scenario" in self.outcomes and (self.scenario is None) == (self.no_scenario is None):
            yield "needs one of scenario and noScenario"
        if "tests" in self.outcomes and not self.tests:
            yield "needs tests"
        decided = sum(bool(outcome) for outcome in (self.red, self.equivalent, self.survives))
        if decided > 1 or ("cases" in self.outcomes and decided != 1):
            yield "needs one of red, equivalent and survives"
        if self.scenario and not (ROOT / f"scenarios/{self.scenario}.yaml").exists():
            yield f"names scenarios/{self.scenario}.yaml, which does not exist"
        if self.profile and not (ROOT / f"profiles/{self.profile}.yaml").exists():
            yield f"names profiles/{self.profile}.yaml, which does not exist"


class Family:
    """Mutations that share their places, one for each member."""

    def __init__(self, prefix, entry):
        self.prefix, self.entry = prefix, entry
        self.places = [Place(place, prefix, True) for place in entry["places"]]

    def problems(self, members):
        if unknown := set(self.entry) - FAMILY:
            yield f"has an unknown key {', '.join(sorted(unknown))}"
        if not members:
            yield "has no row"
        if folders := self.entry.get("named_in"):
            words = set()
            for folder in folders:
                for file in (SOURCES / folder).rglob("*.swift"):
                    words.update(re.findall(r"\w+", file.read_text()))
            for member in members:
                if member.rpartition(".")[2] not in words:
                    yield f"has a row for {member}, which no source names"
        if folder := self.entry.get("declared_in"):
            for label in sorted(self.declared(folder) - set(self.entry["except"]) - set(members)):
                yield f"has no row for {label}, which {folder} declares"
            for label in sorted(set(self.entry["except"]) & set(members)):
                yield f"has a row for {label}, which is an exception"

    def declared(self, folder):
        labels = set()
        for file in (SOURCES / folder).rglob("*.swift"):
            labels.update(re.findall(self.entry["declared_as"], file.read_text()))
        return labels


class Tables:
    def __init__(self):
        self.rows, self.families, self.prepared, self.repeated = [], {}, [], []
        names = set()
        for file in sorted(FOLDER.rglob("*.toml")):
            table = tomllib.loads(file.read_text())
            for prefix, entry in table.pop("families", {}).items():
                self.families[prefix] = Family(prefix, entry)
            # Texts that several rows need.
            self.prepared += [Place(entry, file.name, False) for entry in table.pop("prepared", [])]
            for name, entry in table.items():
                if not isinstance(entry, dict):
                    continue
                if name in names:
                    self.repeated.append(name)
                names.add(name)
                self.rows.append(Row(name, entry, table))

    def family(self, row):
        """The family of a row without places of its own."""
        prefixes = [] if row.places else [prefix for prefix in self.families if row.name.startswith(prefix)]
        return max(prefixes, key=len, default=None)

    def members(self, prefix):
        return [row.name.removeprefix(prefix) for row in self.rows if self.family(row) == prefix]

    @property
    def places(self):
        return self.prepared + [place for holder in [*self.rows, *self.families.values()] for place in holder.places]

    def problems(self):
        """The mistakes in the tables, as far as the sources tell."""
        found = [f"{name}: stands in two tables" for name in self.repeated]
        texts = {}
        for place in self.places:
            path = SOURCES / place.file
            if place.file not in texts:
                texts[place.file] = path.read_text() if path.exists() else None
            text = texts[place.file]
            if text is None:
                found.append(f"{place.name}: Sources/{place.file} does not exist")
            elif (count := text.count(place.original)) != 1:
                where = "is not in" if count == 0 else f"stands {count} times in"
                found.append(f"{place.name}: the original {where} Sources/{place.file}: {place.original!r}")
        for row in self.rows:
            found += [f"{row.name}: {problem}" for problem in row.problems()]
            if row.places and all(place.kind == "rewritten" and "MUTATED" not in place.text for place in row.places):
                found.append(f"{row.name}: MUTATED is missing in the rewritten text")
            if not row.places and not self.family(row) and not row.name.startswith(("fault.", "quirk.")):
                found.append(f"{row.name}: has no place in the sources")
        found += self.unknown_tests()
        for prefix, family in self.families.items():
            found += [f"{prefix}…: {problem}" for problem in family.problems(self.members(prefix))]
        for suite in [*SUITES, "scenario", "tests"]:
            rows, caught = self.changes(suite)
            if len(rows) < FEWEST_CHANGES[suite] or len(caught) < LOWEST_SCORE * len(rows):
                found.append(f"{suite}: {len(caught)} of {len(rows)} changes are noticed, too few")
        return found

    def unknown_tests(self):
        """The tests of rows whose function no source of their target has."""
        functions = {}
        for file in TESTS.rglob("*Tests/**/*.swift"):
            target = file.relative_to(TESTS).parts[1]
            functions.setdefault(target, set()).update(re.findall(r"func (\w+)", file.read_text()))
        for row in self.rows:
            for name in row.tests:
                if name.rpartition("/")[2] not in functions.get(name.partition(".")[0], ()):
                    yield f"{row.name}: no test is named {name}"

    def stale(self, catalogue):
        """The mistakes in the tables, as the program tells."""
        found = []
        known = {suite: {b for case in cases for b in beginnings(case)} for suite, cases in catalogue["cases"].items()}
        for row in self.rows:
            for name in [name for name in {*row.run, *row.red} if name not in known[row.suite]]:
                found.append(f"{row.name}: no case is named {name}")
        expected = dict(catalogue["families"])
        reasons = self.families["verifier.ignores:"]
        declared = reasons.declared(reasons.entry["declared_in"]) - set(reasons.entry["except"])
        expected["verifier.ignores:"] = declared | set(catalogue["composedLabels"])
        actual = {prefix: self.members(prefix) for prefix in expected}
        faults = [row.name.removeprefix("fault.") for row in self.rows if row.name.startswith("fault.")]
        actual["fault."], expected["fault."] = [re.split("[: ]", fault)[0] for fault in faults], catalogue["faults"]
        quirks = [row.name.removeprefix("quirk.") for row in self.rows if row.name.startswith("quirk.")]
        actual["quirk."], expected["quirk."] = quirks, catalogue["quirks"]
        for prefix, members in expected.items():
            found += [f"{prefix}{member}: has no row" for member in sorted(set(members) - set(actual[prefix]))]
            found += [f"{prefix}{member}: does not exist" for member in sorted(set(actual[prefix]) - set(members))]
        return found

    # MARK: scores and pages

    def changes(self, suite):
        """The rows that change the behaviour, and those of them that are noticed."""
        if suite == "scenario":
            rows = [row for row in self.rows if row.scenario]
            return rows, rows
        if suite == "tests":
            rows = [row for row in self.rows if row.tests]
            return rows, rows
        rows = [row for row in self.rows if row.suite == suite and row.has_cases and not row.equivalent]
        return rows, [row for row in rows if row.red]

    def scores(self):
        for suite, title in [*SUITES.items(), ("scenario", "scenarios"), ("tests", "tests")]:
            rows, caught = self.changes(suite)
            yield f"{title} notice{'s' if suite in SUITES else ''} {len(caught)} of {len(rows)} changes ({percent(caught, rows)} %)"

    def page(self, suite, usual_profile):
        rows, caught = self.changes(suite)
        of_suite = [row for row in self.rows if row.suite == suite and row.has_cases]
        remark = ""
        if suite == "authenticator":
            remark = f"\nA row names up to six cases. A change is made on `{usual_profile}` where the table names no other profile."

        def table(heading, cells):
            lines = [f"| change | {heading} |", "|---|---|", *(f"| `{row.name}` | {cell} |" for row, cell in cells)]
            return "\n".join(lines)

        return f"""# Mutations of the {suite.replace("-", " ")}

{len(of_suite)} single changes of Touchstone's own {SUBJECTS[suite]}, each made in a copy of the sources.
{len(rows)} of them change the behaviour; {SUITES[suite]} notices {len(caught)} ({percent(caught, rows)} %). `scripts/mutate.py run` makes each change,
runs the cases of its clause, and compares those that turn red with this table.{remark}

{table("cases that turn red", [(row, ", ".join(f"`{case}`" for case in row.red)) for row in caught])}

## Changes that no case notices

{table("reason", [(row, row.survives) for row in of_suite if row.survives])}

## Changes without an effect

{table("reason", [(row, row.equivalent) for row in of_suite if row.equivalent])}
"""


def percent(caught, rows):
    return f"{100 * len(caught) / max(1, len(rows)):.1f}"


def beginnings(case):
    """The names of a case: its identifier, and the beginnings that end at a dot, the shortest first."""
    words = case.split(".")
    return [".".join(words[:count]) for count in range(1, len(words) + 1)]


def shortened(cases, suite):
    """The shortest names for cases: the beginning of their identifiers where it names no other case of the suite."""
    green = {name for case in set(suite) - set(cases) for name in beginnings(case)}
    names = []
    for case in cases:
        name = next((name for name in beginnings(case)[1:] if name not in green), case)
        if not names or names[-1] != name:
            names.append(name)
    return names


def listing(key, items):
    line = f"{key} = [" + ", ".join(f'"{item}"' for item in items) + "]"
    if len(line) <= 120:
        return line
    text = ", ".join(f'"{item}"' for item in items) + ","
    return f"{key} = [\n" + textwrap.indent(textwrap.fill(text, 116, break_on_hyphens=False), "    ") + "\n]"
