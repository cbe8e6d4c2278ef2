"""Builds the program with every mutation from the debug build.

A mutation changes the body of a function and no declaration: another method of a class would move its neighbours in the class's
table. So only the modules with mutations are compiled again, with the commands of the debug build, and linked with the objects
of the others.
"""
import hashlib
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import guards

ROOT = Path(__file__).resolve().parents[2]
OUTPUT = ROOT / ".build/mutants"
CODE = ROOT / "Tests/Mutation"
# A file of the tests that the runner shares.
SHARED = [ROOT / "Tests/Suites/RelyingPartySuiteTests/OwnParty.swift", CODE / "Helpers/VirtualAuthenticator/CommandMember.swift"]
SELECTOR, RUNNER, TESTS = "Mutants", "MutantRunner", "MutantTests"
# The debug build's own products, and the files of incremental builds; the second group takes a value.
DROPPED = {
    "-emit-dependencies", "-emit-module", "-incremental", "-enable-batch-mode", "-serialize-diagnostics", "-parseable-output",
    "-emit-objc-header", "-g", "-warnings-as-errors", "-parse-as-library",
}
DROPPED_PAIRS = {"-emit-module-path", "-output-file-map", "-index-store-path", "-emit-objc-header-path", "-module-name", "-o"}


def programs(tables, with_tests):
    """The paths of the programs, which are built unless they are up to date: the runner's, and that of the package's tests."""
    product = ["--build-tests"] if with_tests else ["--product", "touchstone"]
    subprocess.run([ROOT / "scripts/build.sh", *product], cwd=ROOT, check=True)
    commands = Commands()
    modules = write_sources(tables)
    OUTPUT.mkdir(parents=True, exist_ok=True)
    selector = OUTPUT / f"{SELECTOR}.o"
    first = next(iter(modules))
    compile_module(
        commands, first, SELECTOR, sorted((CODE / SELECTOR).glob("*.swift")),
        ["-emit-module", "-emit-module-path", str(OUTPUT / f"{SELECTOR}.swiftmodule")])
    runner = sorted((CODE / "Runner").glob("*.swift")) + SHARED
    jobs = [(name, name, files) for name, files in modules.items()] + [("touchstone", RUNNER, runner)]
    # The largest first.
    jobs.sort(key=lambda job: -sum(file.stat().st_size for file in job[2]))
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        started = [pool.submit(compile_module, commands, *job) for job in jobs]
    if failures := [str(job.exception()) for job in started if job.exception()]:
        sys.exit("\n".join(failures))
    objects = {job[1]: result.result() for job, result in zip(jobs, started)}
    runner = objects.pop(RUNNER)
    changed = [selector, *objects.values()]
    program = link(commands.find("touchstone", "exe"), RUNNER, [*modules, "touchstone"], [*changed, runner])
    if not with_tests:
        return program, None
    return program, link(commands.find(r"[\w-]+PackageTests", "test"), TESTS, modules, changed)


class BuildError(Exception):
    pass


class Commands:
    """The compiler's commands in the debug build's plan."""

    def __init__(self):
        self.plan = ROOT / ".build/debug.yaml"
        self.arguments, name = {}, None
        for line in self.plan.read_text().splitlines():
            if line.startswith('  "'):
                name = line.strip(' ":')
            elif line.startswith("    args: ["):
                self.arguments[name] = json.loads(line.removeprefix("    args: "))

    def find(self, module, suffix):
        # C.MODULE-ARCHITECTURE-VENDOR-SYSTEM-debug.SUFFIX
        pattern = re.compile(rf"C\.{module}-\w+-(unknown|apple)-[\w.-]+-debug\.{suffix}")
        for name, arguments in self.arguments.items():
            if pattern.fullmatch(name):
                return arguments
        sys.exit(f"mutate: {self.plan} has no command for {module}; this version of SwiftPM writes another plan")

    def sources(self, module):
        """A module's files, written ones and generated ones."""
        for argument in self.find(module, "module"):
            if argument.startswith("@"):
                return [Path(line) for line in Path(argument[1:]).read_text().splitlines()]
        sys.exit(f"mutate: the command for {module} in {self.plan} names no list of sources")

    def compiler(self, module):
        """The compiler and the options for a module, without its sources and products."""
        kept, arguments = [], iter(self.find(module, "module"))
        for argument in arguments:
            if argument in DROPPED_PAIRS:
                next(arguments)
            elif argument == "-Xfrontend":
                value = next(arguments)
                if value == "-entry-point-function-name":
                    next(arguments), next(arguments)
                else:
                    kept += [argument, value]
            elif argument == "-Xcc":
                kept += [argument, next(arguments)]
            elif argument not in DROPPED and not argument.startswith("@"):
                kept.append(argument)
        return kept


def write_sources(tables):
    """Writes the guarded files; returns the files of each module that has any."""
    by_file = {}
    for place in tables.places:
        # The compiler of the key library changes C sources: cc.py.
        if not place.file.endswith(".swift"):
            continue
        by_file.setdefault(place.file, []).append(place)
    written = {}
    for file, places in by_file.items():
        source = ROOT / "Sources" / file
        try:
            text = guards.guarded(source.read_text(), places)
        except guards.Conflict as conflict:
            sys.exit(f"mutate: {conflict}")
        target = OUTPUT / "Sources" / file
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        written[source] = target
    commands = Commands()
    modules = {}
    for name in sorted({Path(file).parts[1] for file in by_file}):
        files = [written.get(file, file) for file in commands.sources(name)]
        modules[name] = files + sorted((CODE / "Helpers" / name).glob("*.swift"))
    return modules


def compile_module(commands, like, name, files, extra=()):
    """Compiles files with the options of a module; returns the object, which is kept while nothing changes."""
    target = OUTPUT / f"{name}.o"
    command = [
        *commands.compiler(like), "-module-name", name, "-parse-as-library", "-suppress-warnings", "-wmo", "-I", str(OUTPUT),
        *extra, "-o", str(target), *map(str, files),
    ]
    modules = sorted(Path(command[command.index("-I") + 1]).glob("*.swiftmodule")) + [OUTPUT / f"{SELECTOR}.swiftmodule"]
    state = digest(command, files, [] if name == SELECTOR else modules)
    return produced(target, state, command)


def link(like, name, modules, objects):
    """Links objects in place of those of modules, with a command of the debug build."""
    target = OUTPUT / name
    kept, arguments = [], iter(like)
    left_out = {f"{module}.build" for module in modules}
    objects = list(objects)
    for argument in arguments:
        if argument in DROPPED_PAIRS:
            next(arguments)
        elif argument == "-Xlinker":
            value = next(arguments)
            if value == "--defsym":
                next(arguments), next(arguments)
            else:
                kept += [argument, value]
        elif argument.startswith("@"):
            listed = [line.strip("'\"") for line in Path(argument[1:]).read_text().splitlines()]
            objects += [Path(line) for line in listed if Path(line).parent.name not in left_out]
        elif argument not in DROPPED:
            kept.append(argument)
    listing = OUTPUT / f"{name}.objects"
    listing.write_text("".join(f"'{file}'\n" for file in objects))
    command = [*kept, "-o", str(target), f"@{listing}"]
    return produced(target, digest(command, [], objects), command)


def digest(command, contents, dates):
    state = hashlib.sha256(json.dumps(command).encode())
    for file in contents:
        state.update(Path(file).read_bytes())
    for file in dates:
        state.update(f"{file} {file.stat().st_mtime_ns}".encode())
    return state.hexdigest()


def produced(target, state, command):
    """Runs a command unless its product is of this state."""
    stamp = target.with_name(target.name + ".state")
    if target.exists() and stamp.exists() and stamp.read_text() == state:
        return target
    stamp.unlink(missing_ok=True)
    print(f"mutate: building {target.name}", flush=True)
    done = subprocess.run(command, cwd=OUTPUT, capture_output=True, text=True)
    if done.returncode != 0:
        # The compiler repeats errors for each file.
        lines = [line for line in (done.stdout + done.stderr).splitlines() if re.match(r".*\berror: ", line)]
        raise BuildError("\n".join([f"mutate: {target.name} does not build:", *dict.fromkeys(lines[:200])]))
    stamp.write_text(state)
    return target
