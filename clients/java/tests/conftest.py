"""The tests compile the package, and run suites with JUnit's console launcher against the program that `--touchstone` names."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "python" / "src"))

pytest_plugins = ["touchstone_bench.pytest_plugin"]
