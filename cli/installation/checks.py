"""Check what an installation has, for `doctor`. Each check says what to do about what it lacks."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final, Literal

from doublecross.cli.shared.console import SET_UTF_8, Problem, can_encode
from doublecross.processes.installation import how_to_add

EXTRAS: Final[Mapping[str, str]] = {
    "server": "Running a server",
    "engines": "Bots that search, reviews and hints",
    "desktop": "The window",
    "reports": "Reports with plots",
    "ratings": "Ratings of many players",
    "tune": "Tuning bots",
    "train": "Training networks",
    "dask": "Work on a Dask cluster",
    "openspiel": "Bots and games of OpenSpiel",
    "pettingzoo": "Our games as environments for agents that learn",
    "postgresql": "A server on PostgreSQL",
    "cluster": "A server of several processes",
}
"""What each extra is for, the most wanted first."""
_LEAST_MB: Final = 200
"""Less free space than this is a problem."""
_MOST_APART_S: Final = 10.0
"""How far two clocks may be apart."""
_BOARD: Final = "•─│█▀"
"""Characters of boards and QR codes."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked. A missing one is optional, a problem is not."""

    name: str
    state: Literal["ok", "missing", "problem"]
    text: str


def check_program() -> Check:
    """Return which doublecross this is, and which Python runs it."""
    where = f"{Path(__file__).resolve().parents[2]}, Python {sys.version.split()[0]}"
    if (found := installed_version("doublecross")) is None:
        text = f"{where} is not installed; install it with pip, pipx or uv."
        return Check("doublecross", "problem", text)
    return Check("doublecross", "ok", f"{found}, {where}, {sys.executable}")


def installed_version(package: str) -> str | None:
    """Return the version of a package; None if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def check_extras(lines: Iterable[str], find: Callable[[str], str | None]) -> Iterator[Check]:
    """Return a check for what everything needs and one for each extra.

    `lines` are the requirements of the distribution, as its metadata has them. `find` returns the
    version of a package, or None.
    """
    from packaging.requirements import Requirement

    required = [Requirement(line) for line in lines]
    always = [each for each in required if not each.marker or each.marker.evaluate({"extra": ""})]
    optional = [each for each in required if each not in always]
    for extra, purpose in {"": "What everything needs", **EXTRAS}.items():
        parts = [
            each for each in optional if each.marker and each.marker.evaluate({"extra": extra})
        ]
        found = {each: find(each.name) for each in (parts if extra else always)}
        absent = [each.name for each, has in found.items() if has is None]
        other = [
            f"{each.name} {has} is installed, but must be {each.specifier}"
            for each, has in found.items()
            if has is not None and not each.specifier.contains(has, prereleases=True)
        ]
        name = f"extra {extra}" if extra else "packages"
        how = how_to_add(extra) if extra else "install doublecross again"
        if other:
            yield Check(name, "problem", f"{'; '.join(other)}: {how}")
        elif absent:
            yield Check(
                name,
                "missing" if extra else "problem",
                f"{purpose}; it needs {', '.join(absent)}: {how}",
            )
        else:
            yield Check(name, "ok", f"{purpose}.")


def check_window() -> Check:
    """Return whether the window can open."""
    from doublecross.cli.shared.window import need_window_packages, open_root

    try:
        need_window_packages()
        root = open_root()
    except Problem as problem:
        return Check("window", "missing", problem.sentence)
    size = f"{root.winfo_screenwidth()}x{root.winfo_screenheight()}"
    root.destroy()
    return Check("window", "ok", f"It can open, on a screen of {size}.")


def check_kernels() -> Check:
    """Return whether the kernels of searches are compiled."""
    from doublecross.bots.registry import ENGINES, analysis_lacks

    if analysis_lacks(ENGINES):
        return Check("searches", "missing", "They need the extra engines.")
    from doublecross.bots.search.jit import CACHE_VARIABLE, FOLDER, is_temporary

    if is_temporary():
        text = f"The cache folder cannot be written; set {CACHE_VARIABLE} to a folder that can."
        return Check("searches", "problem", f"Each start compiles them again. {text}")
    groups = sorted(path.stem for path in FOLDER.glob("*.ready"))
    if groups:
        return Check("searches", "ok", f"Compiled: {', '.join(groups)}, in {FOLDER}.")
    text = "Not compiled yet. The first search does it, once, in about a minute."
    return Check("searches", "missing", f"{text} Do it now: doublecross match champion rules")


def check_folder(name: str, folder: Path) -> Check:
    """Return whether a folder can be made and written, and how much space it has."""
    there = next(each for each in (folder, *folder.parents) if each.exists())
    if not (there.is_dir() and os.access(there, os.W_OK | os.X_OK)):
        return Check(name, "problem", f"{there} cannot be written; make it a folder of yours.")
    free_mb = shutil.disk_usage(there).free // 1_000_000
    if free_mb < _LEAST_MB:
        return Check(name, "problem", f"{folder} has only {free_mb} MB left; make room for it.")
    return Check(name, "ok", f"{folder}, {free_mb / 1000:.1f} GB free.")


def check_port(port: int) -> Check:
    """Return whether a server can listen on its usual port."""
    if importlib.util.find_spec("pydantic_settings") is None:
        return Check("port", "missing", "A server needs the extra server.")
    from doublecross.cli.shared.remote.http import HttpServer
    from doublecross.server.shell.listening import LOOPBACK, StartError, listen

    try:
        listen(LOOPBACK, port).close()
    except StartError as error:
        try:
            HttpServer(f"http://{LOOPBACK}:{port}", None, 2).get("/health")["epoch"]
        except (Problem, LookupError, TypeError):
            return Check("port", "problem", str(error))
        return Check("port", "ok", f"A server runs on port {port} already.")
    return Check("port", "ok", f"Port {port} is free.")


def check_clock(folder: Path, now: float) -> Check:
    """Return whether `now`, in seconds since 1970, fits the times of the files in a folder."""
    with tempfile.TemporaryFile(dir=folder if os.access(folder, os.W_OK) else None) as file:
        stamp = os.fstat(file.fileno()).st_mtime
    if abs(stamp - now) > _MOST_APART_S:
        text = f"The file system of {folder} is {_apart(stamp - now)} this machine."
        return Check("clock", "problem", f"{text} Set both clocks right.")
    paths = [Path(__file__), *(folder.iterdir() if folder.is_dir() else ())]
    newest = max(paths, key=lambda path: path.lstat().st_mtime)
    ahead_s = newest.lstat().st_mtime - now
    if ahead_s > _MOST_APART_S:
        text = f"{newest} is {ahead_s:.0f} s from the future, so the clock has gone back."
        return Check("clock", "problem", f"{text} Set it right.")
    return Check("clock", "ok", time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(now)))


def check_server(address: str) -> Check:
    """Return whether a server can be reached, and whether its clock is about that of this machine.

    `address` is that for HTTP.
    """
    from http.client import HTTPException
    from urllib.request import urlopen

    try:
        with urlopen(f"{address}/health", timeout=5) as answer:
            date = parsedate_to_datetime(answer.headers["Date"])
    except (OSError, HTTPException, TypeError, ValueError) as error:
        why = getattr(error, "reason", error)  # urllib wraps the error of a socket
        why = getattr(why, "strerror", None) or why
        return Check("server", "problem", f"{address} gives no good answer: {why}.")
    apart_s = date.timestamp() - time.time()
    if abs(apart_s) > _MOST_APART_S:
        text = f"The clock of {address} is {_apart(apart_s)} that of this machine."
        return Check("server", "problem", f"{text} Set the wrong one right.")
    return Check("server", "ok", f"{address} answers, and its clock is right.")


def _apart(seconds: float) -> str:
    return f"{abs(seconds):.0f} s {'ahead of' if seconds > 0 else 'behind'}"


def check_page() -> Check:
    """Return whether the page of the browser loads fast."""
    from doublecross.server.data_folder import ROOT

    if not (ROOT / "client/web/libraries.json").exists():
        return Check("page", "ok", "Bundled.")
    if (ROOT / "pyproject.toml").exists():
        return Check("page", "ok", "A checkout serves its files as they are.")
    text = "Not bundled, so a first visit takes more than a hundred requests."
    return Check("page", "missing", f"{text} Install esbuild, and then doublecross again.")


def check_terminal(encoding: str | None) -> Check:
    """Return whether the terminal shows boards and QR codes."""
    if can_encode(_BOARD, encoding):
        return Check("terminal", "ok", f"{encoding} shows boards and QR codes.")
    return Check("terminal", "problem", f"{encoding} lacks characters of boards. {SET_UTF_8}")
