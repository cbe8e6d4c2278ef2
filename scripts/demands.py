#!/usr/bin/env python3
"""Says which conformance cases examine which demand of the specifications, and writes docs/conformance/demands.md.

The demands of WebAuthn L3 §7.1, §7.2, §8 and §13 and of CTAP 2.3 §6 and §11 are in docs/conformance/demands.yaml, which says how
to write them. The catalogue is that of `touchstone conformance list`. The program is $TOUCHSTONE, or .build/debug/touchstone.
PyYAML is in scripts/requirements.txt.

  demands.py            checks the demands, and writes the page
  demands.py --check    checks the demands, and compares the page with a new one; the exit status is 1 if they differ
  demands.py --missing  checks the demands, and prints those that have neither a case nor a reason

A pattern that fits no case is an error, as is a demand with neither or more than one of cases, reason and missing. A case of these
sections needs a demand of its section that names it.
"""
import argparse
import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "docs/conformance/demands.yaml"
PAGE = ROOT / "docs/conformance/demands.md"
SUITES = {"authenticator": "authenticator", "relying party": "relying-party"}
# The sections that have to be complete, with their subsections. CTAP 2.1 has the prototypes of two commands.
SCOPE = {"WebAuthn L3": ["7.1", "7.2", "8", "13"], "CTAP 2.3": ["6", "11"], "CTAP 2.1": ["6"]}
LEVELS = ["must", "should", "may"]
MOST_WORDS = 15
SECTION_MEMBERS = {"specification", "section", "title", "by", "demands"}
DEMAND_MEMBERS = {"id", "step", "level", "by", "demand", "cases", "reason", "missing", "proposal"}


class Problem(Exception):
    """What is wrong, and what to do."""


class Demand:
    """A demand of a section, and the cases that it names."""

    def __init__(self, section, member):
        self.name = f"{section['specification']} §{section['section']} {member.get('id')}"
        self.by = member.get("by", section["by"])
        self.step = member.get("step", "")
        self.level = member.get("level")
        self.text = member.get("demand", "")
        self.patterns = member.get("cases")
        self.reason = member.get("reason")
        self.missing = member.get("missing")
        self.proposal = member.get("proposal")
        self.counts = {}

    @property
    def kind(self):
        return "cases" if self.patterns else "reason" if self.reason else "missing"

    def form_problems(self, member):
        """What is wrong with the demand alone."""
        if unknown := set(member) - DEMAND_MEMBERS:
            yield f"unknown members {', '.join(sorted(unknown))}"
        if self.level not in LEVELS:
            yield f"the level {self.level} is none of {', '.join(LEVELS)}"
        if self.by not in {*SUITES, "client"}:
            yield f"{self.by} is none of {', '.join(SUITES)} and client"
        if not self.text:
            yield "demand is missing"
        if len(self.text.split()) > MOST_WORDS:
            yield f"the demand has more than {MOST_WORDS} words"
        given = [name for name in ("cases", "reason", "missing") if member.get(name)]
        if len(given) != 1:
            yield f"exactly one of cases, reason and missing is needed; there is {' and '.join(given) or 'none'}"
        if bool(self.missing) != bool(self.proposal):
            yield "missing and proposal come together"
        if self.patterns and self.by not in SUITES:
            yield f"the {self.by} has no suite; give a reason"


def catalogue():
    """The cases of each suite: identifier, specification and section."""
    program = Path(os.environ.get("TOUCHSTONE") or ROOT / ".build/debug/touchstone")
    if not program.is_file():
        raise Problem(f"{program} does not exist; run make debug, or set TOUCHSTONE")
    cases = {}
    for by, suite in SUITES.items():
        listed = subprocess.run([program, "conformance", "list", suite, "--json"], capture_output=True, text=True, check=False)
        if listed.returncode:
            raise Problem(f"conformance list {suite} failed: {listed.stderr.strip()}")
        cases[by] = json.loads(listed.stdout)
    return cases


def in_scope(clause):
    return any(
        clause["section"] == section or clause["section"].startswith(f"{section}.")
        for section in SCOPE.get(clause["specification"], []))


def matcher(pattern):
    return re.compile(".*".join(re.escape(part) for part in str(pattern).split("*")))


def is_part(inner, outer):
    """Whether a section is another one or lies within it."""
    return inner == outer or inner.startswith(f"{outer}.")


class Demands:
    """The demands of the data file, compared with the catalogue."""

    def __init__(self, sections, cases):
        self.sections = []
        self.problems = []
        self.named = set()
        self.examined = defaultdict(set)
        seen = set()
        for section in sections:
            if wrong := set(section) ^ SECTION_MEMBERS:
                raise Problem(f"a section lacks, or should not have, {', '.join(sorted(wrong))}: {section}")
            key = (section["specification"], section["section"])
            if key in seen:
                self.problems.append(f"{' §'.join(key)} stands twice")
            seen.add(key)
            if not in_scope(section):
                self.problems.append(f"{' §'.join(key)} is outside the sections of the page")
            demands = [self.read(section, member, cases) for member in section["demands"]]
            for name, count in Counter(demand.name for demand in demands).items():
                if count > 1:
                    self.problems.append(f"{name}: {count} demands have this id")
            self.sections.append((section, demands))
        self.look_for_unnamed(cases)

    def read(self, section, member, cases):
        demand = Demand(section, member)
        self.problems += [f"{demand.name}: {problem}" for problem in demand.form_problems(member)]
        for pattern in demand.patterns or []:
            fits = matcher(pattern)
            found = {case["id"] for case in cases.get(demand.by, []) if fits.fullmatch(case["id"])}
            if not found:
                self.problems.append(f"{demand.name}: {pattern} fits no case of the suite for a {demand.by}")
            demand.counts[pattern] = len(found)
            self.named |= found
            self.examined[section["specification"], section["section"]] |= found
        return demand

    def look_for_unnamed(self, cases):
        for case in (case for suite in cases.values() for case in suite if in_scope(case["clause"])):
            clause = case["clause"]
            if not any(
                specification == clause["specification"]
                and (is_part(clause["section"], section) or is_part(section, clause["section"]))
                and case["id"] in found
                for (specification, section), found in self.examined.items()
            ):
                self.problems.append(
                    f"{case['id']}: no demand of {clause['specification']} §{clause['section']} names this case ({case['title']})")

    def all(self):
        return [demand for _, demands in self.sections for demand in demands]


def count_row(title, demands):
    kinds = Counter(demand.kind for demand in demands)
    return f"| {title} | {len(demands)} | {kinds['cases']} | {kinds['reason']} | {kinds['missing']} |"


def cell(text):
    return str(text).replace("|", "\\|")


def outcome(demand):
    """The last cell of a row: cases, a reason or the proposal of a case."""
    if demand.kind == "cases":
        return ", ".join(
            f"`{pattern}`" + (f" ({count})" if "*" in pattern else "") for pattern, count in demand.counts.items())
    return demand.reason if demand.kind == "reason" else f"**No case yet.** {demand.proposal}"


def page(demands):
    """The page about the demands."""
    lines = [
        "# Demands and cases",
        "",
        "<!-- scripts/demands.py writes this page from demands.yaml and the catalogue. -->",
        "",
        "This page lists the normative demands of WebAuthn L3 §7.1, §7.2, §8 and §13 and of CTAP 2.3 §6 and §11, in short words of this",
        "project. Each demand has the cases that examine it, a reason why no case does, or what a missing case would do. The text of the",
        "specification is decisive. A `*` in an identifier stands for any text, and the number behind it counts the cases. Steps without",
        "a number in the specification are counted in its order here.",
        "",
        "Each case of these sections is named below. Demands on clients have no cases: a client is not a subject of these suites.",
        "",
        "| specification | demands | with cases | with a reason | no case yet |",
        "|---|---|---|---|---|",
    ]
    everything = demands.all()
    for specification in SCOPE:
        for part in SCOPE[specification]:
            inside = [
                demand for section, found in demands.sections
                if section["specification"] == specification and is_part(section["section"], part) for demand in found
            ]
            lines.append(count_row(f"{specification} §{part}", inside))
    lines += [count_row("all", everything), "", f"They name {len(demands.named):,} cases of the catalogue.", ""]
    for section, found in demands.sections:
        lines += [f"## {section['specification']} §{section['section']}: {section['title']}", ""]
        others = any(demand.by != section["by"] for demand in found)
        lines += [f"Who has to do it: the {section['by']}{', unless a row names another' if others else ''}.", ""]
        lines += ["| step | demand | level | cases, or the reason |", "|---|---|---|---|"]
        for demand in found:
            text = demand.text if demand.by == section["by"] else f"{demand.text} ({demand.by})"
            lines.append(f"| {cell(demand.step)} | {cell(text)} | {demand.level} | {cell(outcome(demand))} |")
        lines.append("")
    return "\n".join(lines[:-1]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare the page with a new one")
    parser.add_argument("--missing", action="store_true", help="print the demands that have neither a case nor a reason")
    arguments = parser.parse_args()
    demands = Demands(yaml.safe_load(DATA.read_text()), catalogue())
    if demands.problems:
        print("\n".join(demands.problems), file=sys.stderr)
        return 1
    if arguments.missing:
        for demand in demands.all():
            if demand.missing:
                print(f"{demand.name}: {demand.proposal}")
        return 0
    text = page(demands)
    if arguments.check:
        if not PAGE.is_file() or PAGE.read_text() != text:
            print(f"{PAGE.relative_to(ROOT)} is out of date; run scripts/demands.py", file=sys.stderr)
            return 1
        return 0
    PAGE.write_text(text)
    print(f"{PAGE.relative_to(ROOT)}: {len(demands.all())} demands, {len(demands.named)} cases")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Problem as problem:
        print(f"demands.py: {problem}", file=sys.stderr)
        sys.exit(2)
