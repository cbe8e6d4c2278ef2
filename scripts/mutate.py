#!/usr/bin/env python3
"""Proves that the tests notice errors: makes one change of the sources at a time, and looks for what turns red.

The changes are the rows of Tests/Mutation/Tables. `run` guards each original in a copy of its module, compiles the copies, and
links them with the objects of the debug build into a program, which makes the change that it is told, and with those of the tests
into another one.

  mutate.py check               the tables, against the sources; no build
  mutate.py run [NAME ...]      makes every change, or those whose names begin with a NAME
  mutate.py run --sample N      makes a sample of N, which --seed chooses
  mutate.py search NAME ...     runs the whole suite with each change, and prints the cases for new rows
  mutate.py report [SUITE]      prints the tables as a page
"""
import argparse
import random
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from mutation import build, tables  # noqa: E402
from mutation.runner import Runner  # noqa: E402
from mutation.suite import TestRunner  # noqa: E402

ROOT = build.ROOT
USUAL_PROFILE = "security-key-complete"
PROCESSES = 2


def fail(problems):
    for problem in problems:
        print(f"mutate: {problem}", file=sys.stderr)
    sys.exit(1)


def checked_tables():
    known = tables.Tables()
    problems = known.problems()
    if problems:
        fail(problems)
    return known


# MARK: work


class Task:
    """A change and one of its outcomes: a scenario, cases of a suite, or tests of the package."""

    def __init__(self, row, kind):
        self.row, self.kind = row, kind
        self.order = {"work": kind}
        if kind == "scenario":
            self.order |= {"scenario": f"scenarios/{row.scenario}.yaml"}
        elif kind == "tests":
            self.order |= {"tests": row.tests}
            if any(place.file.endswith(".c") for place in row.places):
                self.order |= {"compiler": str(ROOT / "scripts/mutation/cc.py")}
        else:
            self.order |= {"cases": row.run or row.red}
        if kind == "authenticator":
            self.order |= {"profile": row.profile or USUAL_PROFILE}
        if row.name.startswith("fault."):
            self.order |= {"fault": row.name.removeprefix("fault.")}
        elif row.name.startswith("quirk."):
            self.order |= {"keepsFaults": True}
        else:
            self.order |= {"mutation": row.name}

    def problem(self, answer, cases):
        """The reason why the outcome is not that of the row; none when it is."""
        if "error" in answer:
            return answer["error"]
        red = answer["red"]
        if self.kind == "scenario":
            return None if red else f"{self.row.scenario} stays green"
        if self.kind in ("authenticator", "tests"):
            green = [case for case in (self.row.tests if self.kind == "tests" else self.row.red) if case not in red]
            return f"stays green: {', '.join(green)}" if green else None
        short = tables.shortened(red, cases)
        return None if short == self.row.red else f"turns red: {', '.join(short) or 'nothing'}"


def tasks_of(rows):
    for row in rows:
        if row.scenario:
            yield Task(row, "scenario")
        if row.tests:
            yield Task(row, "tests")
        # The suite for relying parties also shows that the other changes turn no case red.
        if row.red or (row.suite == "relying-party" and row.run):
            yield Task(row, row.suite)


def sampled(tasks, count, seed):
    """Some tasks of each kind, in proportion."""
    chance = random.Random(seed)
    kinds = Counter(task.kind for task in tasks)
    chosen = []
    for kind, number in sorted(kinds.items()):
        of_kind = [task for task in tasks if task.kind == kind]
        chosen += chance.sample(of_kind, min(number, max(1, round(count * number / len(tasks)))))
    return chosen


def perform(tasks, cases, program, tests):
    """Performs tasks in several processes, each with its share; returns the problems."""
    problems, done = [], []
    waiting = list(reversed(tasks))

    def work(_):
        runner, suite, own = Runner(program), TestRunner(tests), []
        while waiting:
            try:
                task = waiting.pop()
            except IndexError:
                break
            answer = (suite if task.kind == "tests" else runner).ask(task.order)
            own.append(task)
            done.append(task)
            if problem := task.problem(answer, cases[task.kind]):
                problems.append(f"{task.row.name}: {problem}")
                print(f"mutate: {problems[-1]}", file=sys.stderr)
            elif len(done) % 100 == 0:
                print(f"mutate: {len(done)} of {len(tasks)}")
        # A change must leave nothing behind in its process.
        for order in unchanged(own):
            answer = (suite if order["work"] == "tests" else runner).ask(order)
            if red := answer.get("error") or ", ".join(answer["red"]):
                problems.append(f"red without a change: {red}")
                print(f"mutate: {problems[-1]}", file=sys.stderr)
        runner.close()

    with ThreadPoolExecutor(PROCESSES) as pool:
        list(pool.map(work, range(PROCESSES)))
    return problems


def unchanged(tasks):
    """The orders that repeat the cases of tasks without their changes."""
    cases = {}
    if tests := sorted({name for task in tasks for name in task.order.get("tests", [])}):
        yield {"work": "tests", "tests": tests}
    for task in tasks:
        if task.kind not in ("scenario", "tests") and not task.row.name.startswith("quirk."):
            cases.setdefault((task.kind, task.order.get("profile")), set()).update(task.row.red)
    for (kind, profile), names in sorted(cases.items(), key=str):
        if names:
            yield {"work": kind, "cases": sorted(names)} | ({"profile": profile} if profile else {})


# MARK: commands


def run(options):
    known = checked_tables()
    rows = [row for row in known.rows if not options.names or row.name.startswith(tuple(options.names))]
    if not rows:
        fail([f"no row is named {', '.join(options.names)}"])
    started = time.monotonic()
    program, tests = build.programs(known, any(row.tests for row in rows))
    built = time.monotonic()
    catalogue = Runner.catalogue(program)
    if problems := known.stale(catalogue):
        fail(problems)
    tasks = list(tasks_of(rows))
    if options.sample:
        seed = options.seed or subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
        tasks = sampled(tasks, options.sample, seed)
        print(f"mutate: a sample; --sample {options.sample} --seed {seed} repeats it")
    problems = perform(tasks, catalogue["cases"] | {"scenario": [], "tests": []}, program, tests)
    count = Counter(task.kind for task in tasks)
    print(f"mutate: {', '.join(f'{number} for {kind}' for kind, number in sorted(count.items()))}; "
          f"built in {built - started:.0f} s, run in {time.monotonic() - built:.0f} s")
    scores(known)
    if problems:
        fail([f"{len(problems)} of {len(tasks)} changes have another outcome", *sorted(problems)])


def scores(known):
    for line in known.scores():
        print(f"mutate: {line}")


def search(options):
    known = checked_tables()
    rows = [row for row in known.rows if row.suite and row.name.startswith(tuple(options.names))]
    program, _ = build.programs(known, with_tests=False)
    runner, usual = Runner(program), {}
    cases = Runner.catalogue(program)["cases"]
    for row in rows:
        task = Task(row, row.suite)
        task.order["cases"] = row.run
        key = str({name: task.order.get(name) for name in ["work", "cases", "profile"]})
        if key not in usual:
            usual[key] = runner.ask({name: value for name, value in task.order.items() if name not in ("mutation", "fault", "keepsFaults")})["red"]
        answer = runner.ask(task.order)
        if "error" in answer:
            print(f"{row.name}: {answer['error']}")
            continue
        red = [case for case in answer["red"] if case not in usual[key]]
        if row.suite == "relying-party":
            red = tables.shortened(red, cases[row.suite])
        print(f'["{row.name}"]\n{tables.listing("red", red)}\n')
    runner.close()


def report(options):
    known = checked_tables()
    for suite in [options.suite] if options.suite else tables.SUITES:
        print(known.page(suite, USUAL_PROFILE))


def check(options):
    known = checked_tables()
    if options.verbose:
        scores(known)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("check")
    command.add_argument("--verbose", action="store_true", help="print the scores too")
    command.set_defaults(perform=check)
    command = commands.add_parser("run")
    command.add_argument("names", nargs="*")
    command.add_argument("--sample", type=int, default=0)
    command.add_argument("--seed", help="default: the commit")
    command.set_defaults(perform=run)
    command = commands.add_parser("search")
    command.add_argument("names", nargs="+")
    command.set_defaults(perform=search)
    command = commands.add_parser("report")
    command.add_argument("suite", nargs="?", choices=tables.SUITES)
    command.set_defaults(perform=report)
    options = parser.parse_args()
    options.perform(options)


main()
