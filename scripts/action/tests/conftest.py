"""The tests run the action's scripts with the program that `--touchstone` names."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "clients" / "python" / "src"))

pytest_plugins = ["touchstone_bench.pytest_plugin"]
