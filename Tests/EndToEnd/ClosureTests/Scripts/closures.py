"""Prints what each library product needs: rooms, C libraries, products of other packages, plugins, and uses of the computer."""
import json
import re
import subprocess
import sys
from pathlib import Path

# Files, environment variables, clocks and threads of the computer.
MACHINE = re.compile(
    r"\b(?:FileManager|FileHandle|ProcessInfo|getenv|Process\(|Bundle|UserDefaults|URLSession|fopen|contentsOfFile|Date\(\)"
    r"|Date\.now|timeIntervalSinceNow|ContinuousClock|SuspendingClock|clock_gettime|Task\.sleep"
    r"|DispatchQueue(?!\.(?:main\.set|get)Specific)|Thread\b(?!\.current)"
    r"|import (?:Glibc|Musl|Darwin|Dispatch|FoundationNetworking))")

# A blocked thread stands still in the computer's time only: the phone's executor ends an action that waits for one.
ALLOWED = ["let isWoken = condition.wait(until: Date(timeIntervalSinceNow: grace / .seconds(1)))"]


def uses(folder):
    """The lines of a room's code, without comments, that use the computer; and the number of its files."""
    found, files = [], sorted(folder.rglob("*.swift"))
    for file in files:
        for number, line in enumerate(file.read_text().splitlines(), 1):
            if MACHINE.search(line.partition("//")[0]) and line.strip() not in ALLOWED:
                found.append(f"{file}:{number}: {line.strip()}")
    return found, len(files)


def conditions(dependency):
    """The traits that a dependency asks for."""
    condition = next(iter(dependency.values()))[-1] or {}
    return condition.get("traits", [])


def closure(targets, roots):
    needs = {"rooms": {}, "libraries": set(), "optionalLibraries": set(), "packages": set(), "plugins": set()}
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        if name in needs["rooms"]:
            continue
        target = targets[name]
        needs["rooms"][name] = target["path"]
        needs["plugins"] |= {usage["plugin"][0] for usage in target.get("pluginUsages") or []}
        for dependency in target["dependencies"]:
            other = next(iter(dependency.values()))[0]
            if other not in targets:
                needs["packages"].add(other)
            elif targets[other]["type"] == "system":
                needs["optionalLibraries" if conditions(dependency) else "libraries"].add(other)
            else:
                waiting.append(other)
    scans = [uses(Path(root) / path) for path in needs["rooms"].values()]
    needs["uses"] = {line for found, _ in scans for line in found}
    needs["rooms"] = set(needs["rooms"])
    result = {name: sorted(found) for name, found in needs.items()}
    return result | {"files": sum(count for _, count in scans)}


root = json.loads(sys.argv[1])["root"]
dump = subprocess.run(["swift", "package", "dump-package"], cwd=root, capture_output=True, text=True, check=True)
package = json.loads(dump.stdout)
targets = {target["name"]: target for target in package["targets"]}
products = {
    product["name"]: closure(targets, product["targets"]) for product in package["products"] if "library" in product["type"]
}
# The acts on a device, which no product has in its public API.
products["DeviceActs"] = closure(targets, ["DeviceActs"])
print(json.dumps(products))
