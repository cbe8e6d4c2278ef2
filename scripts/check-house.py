#!/usr/bin/env python3
"""Checks the rules of ARCHITECTURE.md that the compiler does not: `make lint` runs it.

- A room imports exactly the rooms and packages that Package.swift declares for it.
- A room imports no room of a higher floor.
- No floor has more than nine rooms.
- Only the rooms of products have `public` declarations.
- No two rooms have a top-level type of the same name.
- No source file is longer than 400 lines.
- Every symbol link in a documentation comment or catalogue names a declaration.
- Every link between pages leads to a file, and to a heading of it.
- No comment, message or page uses a word that CONTRIBUTING.md rules out.
"""
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The floors of Package.swift, lowest first.
FLOORS = re.findall(r'case \w+ = "(\w+)"', re.search(r"enum Floor.*?\n\n", (ROOT / "Package.swift").read_text(), re.S)[0])
MOST_ROOMS = 9
LONGEST_FILE = 400
# A kind of wording, and the advice against it.
RULED_OUT = [
    (r"\b(somebody|nobody|everybody|anybody|whoever|whomever|themself|so many(?:th|eth)|manieth)\b",
     "name the user, the device or the caller"),
    (r"\bas well(?=[.;,:)\"])", "put \"also\" before the verb"),
    (r"(?<!there )(?<!There )\b(?:is|are|was|were) no (?!longer\b|more\b|other\b)\w+", "write \"is not a …\""),
]
# In prose only: code may have such a name.
RULED_OUT_IN_PROSE = [(r"\bwish(?:es|ed)?\b(?!:)", "write request, value or setting")]

IMPORT = re.compile(r"^\s*(?:@\w+ )*(?:public |package |internal )?import (?:struct |class |enum |func )?(\w+)", re.M)
PUBLIC = re.compile(r"^\s*(?:@\w+(?:\([^)]*\))? )*(?:static |final |nonisolated )*(?:public|open) (?!import )", re.M)
DECLARATION = re.compile(
    r"\b(?:struct|class|enum|protocol|actor|typealias|associatedtype|func|var|let|case|macro)\s+`?(\w+|[^\s\w(]+)")
TYPE = re.compile(
    r"^(?:@\w+(?:\([^)]*\))? )*((?:public |package |fileprivate |private |final |indirect |nonisolated )*)"
    r"(?:struct|class|enum|protocol|actor) (\w+)", re.M)
CASES = re.compile(r"^\s*(?:indirect )?case (.+)$", re.M)
LINK = re.compile(r"(?<!`)``([^`\s]+)``(?!`)")

problems = []


def complain(path, line, message):
    problems.append(f"{path.relative_to(ROOT)}:{line}: {message}")


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def swift_files(folder):
    return sorted(folder.rglob("*.swift"))


def targets():
    """Every target with code: its name, folder and declared dependencies."""
    dump = subprocess.run(
        ["swift", "package", "dump-package"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    package = json.loads(dump)
    products = {name for product in package["products"] for name in product["targets"]}
    for target in package["targets"]:
        if target["type"] in {"system", "plugin"}:
            continue
        named = [d.get("product") or d.get("byName") or d.get("target") for d in target["dependencies"]]
        yield target["name"], ROOT / target["path"], {d[0] for d in named}, target["name"] in products


def check_imports(all_targets):
    rooms = {folder.name: folder.parent.name for folder in (ROOT / "Sources").glob("*/*") if folder.is_dir()}
    for floor, count in Counter(rooms.values()).items():
        if count > MOST_ROOMS:
            complain(ROOT / "Package.swift", 1, f"{floor} has {count} rooms, and {MOST_ROOMS} are the most; divide the floor")
    known = set(rooms) | {name for _, _, declared, _ in all_targets for name in declared}
    for name, folder, declared, _ in all_targets:
        imported = set()
        for file in swift_files(folder):
            text = file.read_text()
            for match in IMPORT.finditer(text):
                module = match[1]
                if module not in known:
                    continue
                imported.add(module)
                line = line_of(text, match.start(1))
                if module not in declared:
                    complain(file, line, f"{module} is imported; add it to {name} in Package.swift")
                if name in rooms and module in rooms and FLOORS.index(rooms[module]) > FLOORS.index(rooms[name]):
                    complain(file, line, f"{name} ({rooms[name]}) imports {module} of the higher floor {rooms[module]}")
        for module in sorted(declared - imported):
            complain(ROOT / "Package.swift", 1, f"{name} declares {module} and does not import it; remove it there")


def check_files(all_targets):
    for _, folder, _, is_product in all_targets:
        if "Sources" not in folder.parts:
            continue
        for file in swift_files(folder):
            text = file.read_text()
            if (lines := text.count("\n")) > LONGEST_FILE:
                complain(file, 1, f"{lines} lines; split the file, {LONGEST_FILE} lines are the limit")
            if not is_product and (match := PUBLIC.search(text)):
                complain(file, line_of(text, match.end()), "public outside a product; declare it package")


def check_type_names():
    rooms = defaultdict(dict)
    for path in swift_files(ROOT / "Sources"):
        text = path.read_text()
        for match in TYPE.finditer(text):
            if "private" not in match[1]:
                rooms[match[2]].setdefault(path.relative_to(ROOT).parts[2], (path, line_of(text, match.start())))
    for name, places in rooms.items():
        for room, (path, line) in sorted(places.items())[1:]:
            complain(path, line, f"{room} has a type {name}, as {min(places)} does; give it a name of its own")


def declared_names():
    names = {folder.name for folder in (ROOT / "Sources").glob("*/*")}
    names |= {"init", "subscript"}
    for file in swift_files(ROOT / "Sources"):
        text = file.read_text()
        names |= set(DECLARATION.findall(text))
        for cases in CASES.findall(text):
            names |= set(re.findall(r"(?:^|, )`?(\w+)", cases))
    return names


def check_links():
    names = declared_names()
    for file in swift_files(ROOT / "Sources") + sorted((ROOT / "Sources").rglob("*.md")):
        text = file.read_text()
        for match in LINK.finditer(text):
            for part in match[1].split("/"):
                if re.split(r"[(\-]", part, maxsplit=1)[0] not in names:
                    complain(file, line_of(text, match.start()), f"``{match[1]}`` names no declaration")


def files(*suffixes):
    """The project's files with one of the suffixes."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    return [ROOT / name for name in listed.stdout.splitlines() if name.endswith(suffixes) and (ROOT / name).is_file()]


def headings(text):
    """The anchors of a page's headings."""
    anchors = set()
    for title in re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M):
        anchors.add(re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-"))
    return anchors


def check_pages():
    for file in files(".md"):
        # The changelog names the pages of its time.
        if file.name == "CHANGELOG.md":
            continue
        text = file.read_text()
        for match in re.finditer(r"\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)", text):
            target = (file.parent / match[1]).resolve() if match[1] else file
            if not target.exists():
                complain(file, line_of(text, match.start()), f"{match[1]} does not exist")
            elif match[2] and match[2] not in headings(target.read_text()):
                complain(file, line_of(text, match.start()), f"{match[1]} has no heading #{match[2]}")


def prose(file, text):
    """The text with everything but comments and sentences blanked, line by line."""
    if file.suffix == ".md":
        return re.sub(r"`[^`\n]*`", "", text)
    mark = "#" if file.suffix in {".yaml", ".sh", ".rules", ".py"} else "//"
    lines = (line.partition(mark)[2] for line in text.split("\n"))
    return "\n".join(re.sub(r"`[^`]*`", "", line) for line in lines)


def check_words():
    for file in files(".swift", ".md", ".yaml", ".sh", ".rules", ".py", ".js"):
        # These two quote the words.
        if file.name in {"CONTRIBUTING.md", "check-house.py"}:
            continue
        text = file.read_text(errors="replace")
        for part, rules in [(text, RULED_OUT), (prose(file, text), RULED_OUT_IN_PROSE)]:
            for pattern, advice in rules:
                for match in re.finditer(pattern, part, re.I):
                    complain(file, line_of(part, match.start()), f"\"{match[0]}\": {advice}")


all_targets = list(targets())
check_imports(all_targets)
check_files(all_targets)
check_type_names()
check_links()
check_pages()
check_words()
print("\n".join(sorted(problems)))
sys.exit(1 if problems else 0)
