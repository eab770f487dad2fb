"""Bundle the page as building a wheel does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.node.vendor import PACKAGES

ROOT: Final = Path(__file__).resolve().parents[4]


def can_bundle() -> bool:
    """Return whether there is esbuild."""
    return (PACKAGES / ".bin" / "esbuild").exists()


def bundled_page(folder: Path) -> Path:
    """Build the package in a folder, and return that of the bundled page in it."""
    command = [sys.executable, "setup.py", "--quiet", "build_py", "--build-lib", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "doublecross" / "client" / "web"
