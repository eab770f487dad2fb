"""Describe the machine and the versions on which figures were measured."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

import psutil

SERVER_LIBRARIES: Final = (
    "websockets",
    "uvloop",
    "msgpack",
    "pydantic",
    "sqlalchemy",
    "aiosqlite",
)
SEARCH_LIBRARIES: Final = ("numba", "llvmlite", "numpy")
TK_LIBRARIES: Final = ("sv-ttk",)


def describe(
    database_folder: Path | None, libraries: Sequence[str] = SERVER_LIBRARIES
) -> dict[str, str]:
    """Return names and texts: the machine, the versions, the filesystem of the database.

    `database_folder` is None if the benchmark uses no database.
    """
    frequency = psutil.cpu_freq() if hasattr(psutil, "cpu_freq") else None
    cpu = _cpu_model()
    if frequency is not None and frequency.max:
        cpu += f", {frequency.max:.0f} MHz"
    database = {}
    if database_folder is not None:
        database = {"sqlite": _sqlite_version(), "filesystem": _filesystem(database_folder)}
    return {
        "cpu": cpu,
        "cores": str(os.cpu_count()),
        "memory": f"{psutil.virtual_memory().total / 2**30:.0f} GiB",
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "libraries": ", ".join(f"{name} {_version(name)}" for name in libraries),
        **database,
        "revision": _revision(),
    }


def _cpu_model() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def _sqlite_version() -> str:
    import sqlite3

    return sqlite3.sqlite_version


def _filesystem(folder: Path) -> str:
    """Return the filesystem of the folder: the mount above it with the longest path."""
    place = folder.resolve()
    mounts = [p for p in psutil.disk_partitions(all=True) if place.is_relative_to(p.mountpoint)]
    if not mounts:
        return "unknown"
    mount = max(mounts, key=lambda p: len(p.mountpoint))
    return f"{mount.fstype} on {mount.device}"


def _revision() -> str:
    root = Path(__file__).resolve().parents[1]
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--dirty"],
            cwd=root,
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
        )
    except OSError:
        return "unknown"
    return done.stdout.strip() or "unknown"
