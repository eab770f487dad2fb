"""What somebody reads who has not installed what the benchmarks need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]


def test_benchmarks_without_their_packages_say_what_to_install() -> None:
    lacking = "import sys, runpy; sys.modules['psutil'] = None; runpy.run_module('benchmarks')"
    found = subprocess.run(
        [sys.executable, "-c", lacking], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert found.returncode == 1
    assert found.stderr == (
        "The benchmarks need packages that are not installed: psutil."
        " `make bench` installs them and runs the benchmarks.\n"
    )
