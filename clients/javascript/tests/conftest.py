"""The tests use the Python client's source to find the program that `--touchstone` names."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python" / "src"))

pytest_plugins = ["touchstone_bench.pytest_plugin"]
