"""Checks the types of a room's sources without the C libraries of a trait, with the other options of the debug build."""
import json
import subprocess
import sys
from pathlib import Path

request = json.loads(sys.argv[1])
sys.path.insert(0, str(Path(request["root"]) / "scripts"))
from mutation.build import Commands  # noqa: E402

room, flag, library = request["room"], "-D" + request["flag"], request["library"]
commands = Commands()
usual = commands.compiler(room)
kept, words = [], iter(usual)
for word in words:
    if word == "-Xcc":
        option = next(words)
        if library not in option:
            kept += [word, option]
    elif word not in {flag, "-c"}:
        kept.append(word)
if len(kept) == len(usual):
    sys.exit(f"the debug build compiles {room} without {flag} and {library}")
files = [str(file) for file in commands.sources(room)]
result = subprocess.run(
    [*kept, "-module-name", room, "-parse-as-library", "-typecheck", *files], capture_output=True, text=True)
# The opposite shows that the check can fail: the libraries' headers are out of reach.
opposite = subprocess.run(
    [*kept, flag, "-module-name", room, "-parse-as-library", "-typecheck", *files], capture_output=True, text=True)
print(json.dumps({
    "status": result.returncode, "output": result.stdout + result.stderr, "failsWithFlag": opposite.returncode != 0,
    "names": f"no such module '{library}'" in opposite.stdout + opposite.stderr}))
