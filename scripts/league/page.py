"""The page of the league: the counts and the deviations of each subject, grouped by cause."""
import html
import re
from collections import Counter, defaultdict

VERDICTS = ["passed", "failed", "warning", "not run", "not applicable"]
# An answer that does not come may be a crash, and so may an internal error.
CRASH = re.compile(r"did not answer|^no answer|was lost|is lost|closed the connection|reset the connection|→ 50\d\b")
# A channel of CTAPHID, which is another one in each run.
CHANNEL = r"[0-9a-f]{8}"
# Seconds since 1970.
TIME = r"\b1\d{9}\b"
# The exit status of a run that lost its subject.
LOST = 3
MOST_EXPECTATIONS = 2
MOST_SECTIONS = 8
MOST_REASONS = 6
KINDS = [
    ("authenticator", "Authenticators", "Software authenticators of PyPI. Debian has none."),
    ("twin", "Virtual twins of known keys",
     "A twin is Touchstone's simulation of a key that `hardware/keys` and `profiles` describe from public sources. The twin shows the "
     "deviations that its profile reproduces; a key in the hand may differ. The run has every permission and needs no person."),
    ("relying party", "Relying parties",
     "The sites of `Tests/Suites/ForeignPartiesTests/Sites`, which answer as the libraries do. They run on http://localhost."),
]


def known_reasons(file):
    """The reasons of a file of known failures, by case."""
    if file is None or not file.exists():
        return {}
    return dict(re.findall(r'^  ([\w.]+): "(.*)"$', file.read_text(), re.M))


def counted(number, noun):
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def code(text):
    """Text as code in Markdown."""
    text = " ".join(text.split())
    mark = "``" if "`" in text else "`"
    pad = " " if "`" in text else ""
    return f"{mark}{pad}{text}{pad}{mark}"


def plain(text):
    """What was seen, without the time, the port, the folder and the channel of one run."""
    if re.fullmatch(CHANNEL, text):
        return "another channel"
    times = [int(time) for time in re.findall(TIME, text)]
    text = re.sub(TIME, lambda time: f"TIME+{int(time[0]) - times[0]}".removesuffix("+0"), text)
    text = re.sub(r"(localhost|127\.0\.0\.1):\d+", r"\1:PORT", text)
    return re.sub(r"/tmp/[\w./-]+", "FILE", text)


def expectation(text):
    """What was expected, without the request of one case after the statuses."""
    if re.fullmatch(CHANNEL, text):
        return "the same channel"
    statuses = re.match(r"((?:one of )?(?:CTAP[12]_\w+ \(0x[0-9A-F]{2}\)(?:, )?)+) for ", text)
    return statuses[1] if statuses else plain(text)


def tree(names):
    heads = defaultdict(list)
    for head, *rest in names:
        heads[head].append(rest)
    return heads


def shortened(identifiers):
    """The identifiers, with common beginnings written once: a.b and a.c are a.{b,c}."""
    return ", ".join(branches([identifier.split(".") for identifier in identifiers]))


def branches(names):
    found = []
    for head, rests in tree(names).items():
        below = branches([rest for rest in rests if rest])
        if [] in rests:
            below = ["", *("." + item for item in below)]
            found.append(head if below == [""] else f"{head}{{{','.join(below)}}}")
        elif len(below) == 1:
            found.append(f"{head}.{below[0]}")
        else:
            found.append(f"{head}.{{{','.join(below)}}}")
    return found


def clauses(cases):
    """The clauses of cases, in the order of the catalogue."""
    sections = {}
    for case in cases:
        clause = case["clause"]
        sections.setdefault(clause["specification"], {})[clause["section"]] = None
    parts = []
    for specification, found in sections.items():
        shown = [section if section.startswith("§") else f"§{section}" for section in list(found)[:MOST_SECTIONS]]
        more = len(found) - len(shown)
        parts.append(f"{specification} {', '.join(shown)}" + (f" and {more} more" if more else ""))
    return "; ".join(parts)


class Observation:
    """Cases in which the same was seen."""

    def __init__(self, seen):
        self.seen, self.cases, self.expected = seen, [], {}

    def add(self, case, deviations):
        self.cases.append(case)
        for deviation in deviations:
            self.expected[expectation(deviation["expected"])] = None

    @property
    def identifiers(self):
        return [case["id"] for case in self.cases]

    def line(self):
        shown = list(self.expected)[:MOST_EXPECTATIONS]
        more = len(self.expected) - len(shown)
        expected = " or ".join(code(text) for text in shown)
        expected += f" and {counted(more, 'other expectation')}" if more else ""
        number = counted(len(self.cases), "case")
        return f"- seen {code(self.seen)}, expected {expected}; {clauses(self.cases)}. {number}: {code(shortened(self.identifiers))}"


class Cause:
    """Failed cases with the same reading; without one, those with the same observation."""

    def __init__(self, title):
        self.title, self.observations = title, {}

    def add(self, seen, case, deviations):
        self.observations.setdefault(seen, Observation(seen)).add(case, deviations)

    @property
    def size(self):
        return sum(len(observation.cases) for observation in self.observations.values())

    def lines(self):
        yield from ["<details>", f"<summary>{counted(self.size, 'case')}: {html.escape(self.title, quote=False)}</summary>", ""]
        yield from (observation.line() for observation in self.observations.values())
        yield from ["", "</details>", ""]


class Run:
    """The report of a subject, divided into groups; a possible crash is in none of them."""

    def __init__(self, report, reasons):
        self.cases = {case["id"]: case for case in report["cases"]}
        self.results = report["results"]
        self.counts = Counter(result["verdict"] for result in self.results)
        self.reasons = reasons
        self.crashes = Counter(result["verdict"] for result in self.results if self.is_crash(result))

    @staticmethod
    def is_crash(result):
        return any(CRASH.search(deviation["seen"]) for deviation in result["deviations"])

    def observed(self, verdict):
        """What was seen in each case of a verdict, with the case and the deviations."""
        for result in self.results:
            if result["verdict"] != verdict or self.is_crash(result):
                continue
            musts = [deviation for deviation in result["deviations"] if deviation["level"] == "must"]
            deviations = musts if verdict == "failed" and musts else result["deviations"]
            seen = " and ".join(dict.fromkeys(plain(deviation["seen"]) for deviation in deviations))
            yield seen, self.cases[result["id"]], deviations

    def causes(self):
        """The causes of the failed cases, the largest first."""
        found = {}
        for seen, case, deviations in self.observed("failed"):
            reason = self.reasons.get(case["id"])
            title = reason or f"seen {seen}"
            found.setdefault(title, Cause(title)).add(seen, case, deviations)
        return sorted(found.values(), key=lambda cause: -cause.size)

    def warnings(self):
        found = {}
        for seen, case, deviations in self.observed("warning"):
            found.setdefault(seen, Observation(seen)).add(case, deviations)
        return sorted(found.values(), key=lambda observation: -len(observation.cases))

    def reasons_of(self, verdict):
        found = Counter()
        for result in self.results:
            if result["verdict"] == verdict:
                reason = plain(result.get("reason") or "no reason")
                found["a possible crash, which is left out" if CRASH.search(reason) else reason] += 1
        return found.most_common()

    @property
    def read(self):
        """The failed cases that have a judgement."""
        return sum(1 for _, case, _ in self.observed("failed") if case["id"] in self.reasons)


class Page:
    """The page, subject by subject."""

    def __init__(self, date, tried):
        self.date, self.tried = date, tried
        self.entries, self.dates, self.versions = [], set(), set()

    def add(self, subject, report, facts, reasons, where):
        self.entries.append((subject, report, facts, Run(report, reasons), where))
        self.dates.add(report["began"][:10])
        self.versions.add(report["version"])

    def text(self):
        lines = [*self.head(), *self.summary()]
        for kind, title, about in KINDS:
            lines += [f"## {title}", "", about, ""]
            for entry in self.entries:
                if entry[0].kind == kind:
                    lines += self.section(*entry)
            if kind == "authenticator":
                lines += self.tried_lines()
        return "\n".join(lines).rstrip("\n") + "\n"

    def head(self):
        dates = self.date or " to ".join(sorted({min(self.dates), max(self.dates)}))
        return f"""# The league

The conformance catalogue, performed on open authenticators, on the virtual twins of known keys and on relying parties. The page has
no score and no ranking: the subjects support different parts of the specifications, and the counts of two subjects do not compare.

`scripts/league.py` made this page with Touchstone {', '.join(sorted(self.versions))}; date of the runs: {dates}.
To change the page, run the script again.

A failed case deviates from a "must" of its clause; [conformance runs](../conformance.md#verdicts) explains the verdicts. Each section
says how many of its failed cases were read a second time. A reading is the title of its cases; without one, the observation is the
title. Such a case is the suite's observation only, and may be an error of the suite or of the adapter.

**Left out:** a case in which the subject gave no answer or an internal error may show a crash. The page does not describe it; a crash
is reported to the project first.
""".split("\n")

    def summary(self):
        yield "| subject | passed | failed | of these left out | warnings | of these left out | not run | not applicable |"
        yield "|---|---|---|---|---|---|---|---|"
        for subject, _, _, run, _ in self.entries:
            counts = [run.counts["passed"]]
            for verdict in ["failed", "warning"]:
                counts += [run.counts[verdict], run.crashes[verdict]]
            counts += [run.counts["not run"], run.counts["not applicable"]]
            anchor = re.sub(r"[^\w\- ]", "", subject.name.lower()).replace(" ", "-")
            yield f"| [{subject.name}](#{anchor}) | " + " | ".join(f"{count:,}" for count in counts) + " |"
        yield ""

    def section(self, subject, report, facts, run, where):
        yield f"### {subject.name}"
        yield ""
        yield from self.facts(subject, report, facts, run)
        yield " ".join([*subject.about, self.reading(run, where)])
        yield ""
        if run.crashes:
            nouns = [("failed", "failed case"), ("warning", "warning")]
            parts = [counted(run.crashes[verdict], noun) for verdict, noun in nouns if run.crashes[verdict]]
            yield f"Left out: {' and '.join(parts)} without an answer or with an internal error, which is reported to the project first."
            yield ""
        if facts["status"] == LOST:
            yield "The run lost the subject and ended early. This is reported to the project first."
            yield ""
        for cause in run.causes():
            yield from cause.lines()
        yield from self.warnings(run)
        yield from self.others(run)

    @staticmethod
    def facts(subject, report, facts, run):
        versions = [f"{name} {version}" for name, version in facts["versions"].items()]
        told = report["subject"].get("facts", {})
        yield f"- version: {'; '.join(versions) or report['subject']['title']}"
        if subject.kind != "relying party" and told:
            yield f"- getInfo: {'; '.join(f'{name} {value}' for name, value in sorted(told.items()))}"
        yield f"- run: {code(' '.join(['touchstone conformance', *facts['arguments']]))}"
        counts = [f"{run.counts[verdict]:,} {verdict}" for verdict in VERDICTS]
        counts[VERDICTS.index("warning")] = counted(run.counts["warning"], "warning")
        yield f"- {counted(len(run.results), 'case')}: {', '.join(counts)}"
        yield ""

    @staticmethod
    def reading(run, where):
        failed = run.counts["failed"] - run.crashes["failed"]
        if failed == 0:
            return "No case failed." if run.counts["failed"] == 0 else ""
        if run.read == 0:
            return "The failed cases were not read a second time."
        number = "All failed cases below were" if run.read == failed else f"{run.read:,} of the {failed:,} failed cases were"
        return f"{number} read a second time: [{where.name}](../../{where})."

    @staticmethod
    def warnings(run):
        groups = run.warnings()
        if not groups:
            return
        number = sum(len(group.cases) for group in groups)
        yield "<details>"
        yield f"<summary>{counted(number, 'warning')}, by observation</summary>"
        yield ""
        for group in groups:
            cases = group.identifiers
            first = code(cases[0]) if len(cases) == 1 else f"{counted(len(cases), 'case')}, first {code(cases[0])}"
            yield f"- {code(group.seen)}: {first}; {clauses(group.cases)}"
        yield ""
        yield "</details>"
        yield ""

    @staticmethod
    def others(run):
        lines = []
        for verdict in ["not run", "not applicable"]:
            reasons = run.reasons_of(verdict)
            lines += [f"- {number:,} {verdict}: {reason}" for reason, number in reasons[:MOST_REASONS]]
            rest = reasons[MOST_REASONS:]
            if rest:
                lines.append(f"- {sum(number for _, number in rest):,} {verdict} for {counted(len(rest), 'other reason')}")
        if lines:
            yield from ["<details>", "<summary>Cases that were not run or not applicable, by reason</summary>", ""]
            yield from [*lines, "", "</details>", ""]

    def tried_lines(self):
        yield "### Authenticators that do not run here"
        yield ""
        yield self.tried["about"]
        yield ""
        yield "| authenticator | from | reason |"
        yield "|---|---|---|"
        for item in self.tried["authenticators"]:
            yield f"| {item['name']} | {item['from']} | {item['reason']} |"
        yield ""
