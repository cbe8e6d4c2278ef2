"""The tests use the package's source, and the program that `--touchstone` names."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

pytest_plugins = ["pytester", "touchstone_bench.pytest_plugin"]
