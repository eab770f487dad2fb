"""Read the imports of all packages and check them against the rules of the design.

Every import counts, wherever it is: inside functions, under ``TYPE_CHECKING``, relative imports,
and modules named to `importlib.import_module`.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parent.parent
PRODUCTION: Final = (
    *("games", "stats", "protocol", "processes", "analysis", "server", "bots", "client", "cli"),
)
OURS: Final = frozenset((*PRODUCTION, "tests", "benchmarks"))
PACKAGE: Final = "doublecross"
"""What an installation has. Below, its packages have no prefix."""

SHELL: Final = frozenset(
    (
        "games",
        "stats",
        "protocol",
        "processes",
        "analysis",
        "server",
        "server.tournaments",
    )
)

CLUSTER: Final = frozenset(
    (
        "server.shell",
        "server.cluster",
        "server.cluster.core",
        "server.cluster.links",
    )
)

ARROWS: Final[Mapping[str, frozenset[str]]] = {
    "games": frozenset(),
    "stats": frozenset(),
    "protocol": frozenset(),
    "processes": frozenset(),
    "analysis": frozenset(("games",)),
    "server": frozenset(
        (
            *("games", "stats", "protocol", "processes", "analysis"),
            "server.tournaments",
        )
    ),
    "server.tournaments": frozenset(("games", "stats", "protocol", "server")),
    "server.shell": SHELL,
    "server.cluster.core": frozenset(("protocol", "server")),
    # It is around the shell of a single server, which knows nothing of it.
    "server.cluster": SHELL | CLUSTER | {"server.cluster.leader", "server.cluster.rooms"},
    "server.cluster.links": frozenset(("server", "server.cluster.core")),
    # They talk to each other by items only, because they may be on different nodes.
    "server.cluster.leader": SHELL | CLUSTER,
    "server.cluster.rooms": SHELL | CLUSTER,
    "client": frozenset(("games", "protocol", "processes", "analysis")),
    "bots": frozenset(("games", "stats", "processes")),
    "bots.advising": frozenset(("games", "processes", "analysis", "bots", "bots.judging")),
    # It gives the window what the client alone does not have.
    "bots.helping": frozenset(
        (
            *("games", "protocol", "processes", "analysis", "client", "bots"),
            *("bots.advising", "bots.hosting", "bots.judging"),
        )
    ),
    "bots.hosting": frozenset(("games", "protocol", "processes", "client", "bots", "bots.runner")),
    "bots.judging": frozenset(("games", "stats", "processes", "analysis", "protocol", "bots")),
    "bots.runner": frozenset(("games", "stats", "protocol", "processes", "client", "bots")),
    "bots.teaching": frozenset(("games", "analysis", "bots")),
    "cli": frozenset(
        (
            *PRODUCTION,
            "bots.advising",
            "bots.helping",
            "bots.hosting",
            "bots.judging",
            "bots.runner",
            "bots.teaching",
            "server.shell",
            "server.cluster",
            "server.cluster.core",
        )
    ),
}
"""What may import what; a package may always import itself. The longest name counts."""

EXTRAS: Final[Mapping[str, tuple[str, ...] | None]] = {
    "games": None,
    "stats": ("ratings",),
    "protocol": (),
    "processes": None,
    "analysis": None,
    "client": ("desktop",),
    # A load costs less on the event loop of the server, if that is installed.
    "client/load": ("server",),
    "bots": ("engines", "train", "tune", "dask", "reports", "openspiel", "pettingzoo"),
    "server": ("server", "cluster"),
    "cli": ("server", "engines", "desktop", "reports"),
}
"""Which optional dependencies a package may import beside the base ones; None: no third party.

The longest name counts.
"""

PURE: Final = (
    "games",
    "stats",
    "protocol",
    "analysis",
    "server/core",
    "server/cluster/core",
    "server/tournaments/core",
    "client/core",
    "client/tk/models",
    "bots/api",
    "bots/runner/core",
)
"""Folders whose files, at any depth, have no I/O, no clock and no randomness of their own."""

NOT_PURE: Final = ("analysis/shipped", "protocol/documentation")
"""Folders inside pure ones that are not: they read data files, or write the documentation."""

FAMILIES_SHARE: Final = frozenset(("shared", "settings"))
"""The folders of `cli` that are no family of commands, so all families may import them."""

MOST_FILES: Final = 20
"""The most Python files in one folder of the product, `__init__.py` included."""

MOST_PARAMETERS: Final = 8
"""The most parameters of a constructor. What always travels together is one object."""

_IMPURE_NAMES: Final = """
    asyncio concurrent fcntl getpass http importlib.resources io logging msvcrt multiprocessing os
    pathlib queue random sched secrets select selectors shutil signal smtplib socket socketserver
    sqlite3 ssl subprocess tempfile threading time urllib.request uuid
    aiosqlite sqlalchemy starlette structlog uvicorn websockets
"""
IMPURE: Final = frozenset(_IMPURE_NAMES.split())
IMPURE_CALLS: Final = frozenset(("open", "input", "print", "breakpoint"))
NOW: Final = frozenset(("now", "utcnow", "today"))

_SHORT_NAME: Final = re.compile(
    rf"(?:from|import|import_module|__import__)[\s(\"']+(?:{'|'.join(PRODUCTION)})\b"
)


@dataclass(frozen=True, slots=True)
class Import:
    """One module that a file imports; `name` is the imported name, empty for the whole module."""

    module: str
    name: str
    line: int

    @property
    def top(self) -> str:
        return self.module.partition(".")[0]

    def within(self, modules: Iterable[str]) -> bool:
        """Return whether the module is one of these modules or inside one."""
        full = f"{self.module}.{self.name}" if self.name else self.module
        return any(
            self.module == m or self.module.startswith(f"{m}.") or full == m for m in modules
        )


@cache
def imports(source: str, path: str) -> tuple[Import, ...]:
    """Return all imports in the source of the file `path`, ours without the prefix `PACKAGE`."""
    found = []
    for each in _imports(source, path):
        module = f"{each.module}.{each.name}" if each.module == PACKAGE else each.module
        name = "" if each.module == PACKAGE else each.name
        found.append(Import(module.removeprefix(f"{PACKAGE}."), name, each.line))
    return tuple(found)


def without_prefix(path: str, source: str) -> list[str]:
    """Return the imports of our packages by names that an installation does not have."""
    if not _SHORT_NAME.search(source):
        return []  # to parse all files takes seconds
    return [
        f"{path}:{imported.line} imports {imported.module}"
        for imported in _imports(source, path)
        if imported.top in PRODUCTION
    ]


def _imports(source: str, path: str) -> Iterator[Import]:
    package = path.split("/")[:-1]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, "", node.lineno)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                yield Import(module, alias.name, node.lineno)
        elif isinstance(node, ast.Call) and node.args:
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            first = node.args[0]
            if called in ("import_module", "__import__") and isinstance(first, ast.Constant):
                yield Import(str(first.value), "", node.lineno)


def owner(path: str) -> str:
    """Return the entry of `ARROWS` that the file belongs to."""
    folders = path.split("/")[:-1]
    for length in range(len(folders), 0, -1):
        if (name := ".".join(folders[:length])) in ARROWS:
            return name
    raise AssertionError(f"{path} belongs to no package of ARROWS")


def wrong_arrows(path: str, source: str) -> list[str]:
    """Return the imports between our packages that the design forbids."""
    me = owner(path)
    allowed = ARROWS[me]
    found = []
    for imported in imports(source, path):
        if imported.top not in OURS:
            continue
        target = owner_of_module(imported)
        if target != me and target not in allowed:
            found.append(f"{path}:{imported.line} {me} imports {target}")
    return found


def owner_of_module(imported: Import) -> str:
    """Return the entry of `ARROWS` of an imported module; tests and benchmarks have their own."""
    inside = [name for name in ARROWS if imported.within((name,))]
    return max(inside, key=len, default=imported.top)


def third_party(path: str, source: str) -> Iterator[Import]:
    """Return the imports from outside the standard library and our own packages."""
    for imported in imports(source, path):
        if imported.top not in OURS and imported.top not in sys.stdlib_module_names:
            yield imported


def undeclared(path: str, source: str, declared: Mapping[str, frozenset[str]]) -> list[str]:
    """Return third-party imports that the dependencies do not cover.

    `declared` has the names of distributions for ``""`` (the base) and for each extra.
    """
    extras = EXTRAS[max((name for name in EXTRAS if path.startswith(f"{name}/")), key=len)]
    allowed: set[str] = set()
    if extras is not None:
        allowed = set().union(declared[""], *(declared[extra] for extra in extras))
    distributions = installed()
    return [
        f"{path}:{imported.line} imports {imported.top}, which is no dependency of it"
        for imported in third_party(path, source)
        # What is not installed, such as an extra for few, counts under the name of the import.
        if not allowed & {normal(name) for name in distributions.get(imported.top, (imported.top,))}
    ]


@cache
def installed() -> Mapping[str, list[str]]:
    """Return the installed distributions of each importable name."""
    return packages_distributions()


def normal(distribution: str) -> str:
    """Return the distribution's name in the normal form of PEP 503."""
    return re.sub(r"[-_.]+", "-", distribution).lower()


def declared_dependencies(pyproject: str) -> dict[str, frozenset[str]]:
    """Return the declared distributions by extra; the base has the empty name."""
    project = tomllib.loads(pyproject)["project"]
    groups = {"": project["dependencies"], **project["optional-dependencies"]}
    return {
        extra: frozenset(normal(re.split(r"[^A-Za-z0-9_.-]", line)[0]) for line in lines)
        for extra, lines in groups.items()
    }


def is_pure(path: str) -> bool:
    """Return whether the file must do without I/O, clock and randomness."""
    pure, impure = (tuple(f"{folder}/" for folder in folders) for folders in (PURE, NOT_PURE))
    return path.startswith(pure) and not path.startswith(impure)


def impurities(path: str, source: str, files: Iterable[str]) -> list[str]:
    """Return what makes a pure file impure; `files` are all files of the project."""
    found = []
    for imported in imports(source, path):
        if imported.module == "random" and imported.name == "Random":
            continue  # a type, and generators that are seeded; see below
        if imported.within(IMPURE):
            found.append(
                f"{path}:{imported.line} imports {imported.module} {imported.name}".strip()
            )
        if imported.top in OURS:
            target = file_of(imported, files)
            if target is not None and not target.endswith("__init__.py") and not is_pure(target):
                found.append(f"{path}:{imported.line} imports {target}, which is not pure")
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        name = ast.unparse(called)
        if isinstance(called, ast.Name) and name in IMPURE_CALLS:
            found.append(f"{path}:{node.lineno} calls {name}")
        elif isinstance(called, ast.Attribute) and called.attr in NOW:
            if re.search(r"\b(datetime|date)\.\w+$", name):
                found.append(f"{path}:{node.lineno} asks {name}")
        elif name.rpartition(".")[2] == "Random" and not node.args and not node.keywords:
            found.append(f"{path}:{node.lineno} draws its own chance with Random()")
    return found


def file_of(imported: Import, files: Iterable[str]) -> str | None:
    """Return the file that one of our imports refers to."""
    known = set(files)
    stem = imported.module.replace(".", "/")
    for guess in (f"{stem}/{imported.name}.py", f"{stem}.py", f"{stem}/__init__.py"):
        if guess in known:
            return guess
    return None


def arrows(code: Mapping[str, str]) -> dict[str, set[str]]:
    """Return which of our files each file imports; type-only and lazy imports count."""
    return {
        path: {
            target
            for imported in imports(source, path)
            if imported.top in OURS
            and (target := file_of(imported, code)) is not None
            and target != path
        }
        for path, source in code.items()
    }


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the groups of nodes that point at each other, directly or through others.

    They are the strongly connected components with more than one node (Tarjan 1972), each sorted.
    """
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        order[node] = lowest[node] = len(order)
        stack.append(node)
        for target in graph.get(node, ()):
            if target not in order:
                visit(target)
                lowest[node] = min(lowest[node], lowest[target])
            elif target in stack:
                lowest[node] = min(lowest[node], order[target])
        if lowest[node] == order[node]:
            at = stack.index(node)
            group = sorted(stack[at:])
            del stack[at:]
            if len(group) > 1:
                found.append(group)

    for node in graph:
        if node not in order:
            visit(node)
    return sorted(found)


def neighbours(graph: Mapping[str, set[str]]) -> dict[str, dict[str, set[str]]]:
    """Return for each folder which of its files and sub-folders import which others.

    A sub-folder stands for everything below it.
    """
    found: dict[str, dict[str, set[str]]] = {}
    for path, targets in graph.items():
        for target in targets:
            mine, theirs = path.split("/"), target.split("/")
            level = next(at for at, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b)
            folder = found.setdefault("/".join(mine[:level]), {})
            folder.setdefault(mine[level], set()).add(theirs[level])
    return found


def long_constructors(path: str, source: str) -> list[str]:
    """Return the constructors that have more parameters than is readable."""
    found: list[str] = []
    if "def __init__" not in source:
        return found
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef):
            for each in node.body:
                if isinstance(each, ast.FunctionDef) and each.name == "__init__":
                    taken = [*each.args.posonlyargs, *each.args.args, *each.args.kwonlyargs]
                    if len(taken) - 1 > MOST_PARAMETERS:
                        found.append(f"{path}:{each.lineno} {node.name} has {len(taken) - 1}")
    return found


def between_families(graph: Mapping[str, set[str]]) -> list[str]:
    """Return the imports of commands of one family by those of another, or by what all share.

    The files directly in `cli` assemble the families and may import all of them.
    """
    found = []
    for path, targets in graph.items():
        mine = _family(path)
        for target in targets:
            theirs = _family(target)
            if mine is not None and theirs not in (mine, None, *FAMILIES_SHARE):
                found.append(f"{path} imports {target}")
    return sorted(found)


def _family(path: str) -> str | None:
    """Return the folder of `cli` that a file is in; None if it is in none."""
    top, *folders, _ = path.split("/")
    return folders[0] if top == "cli" and folders else None


def sources() -> dict[str, str]:
    """All our production files."""
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for package in PRODUCTION
        for path in sorted((ROOT / package).rglob("*.py"))
    }


@pytest.fixture(scope="module")
def code() -> dict[str, str]:
    return sources()


# -- the house ---------------------------------------------------------------------------------


def test_there_is_code_in_every_package(code: dict[str, str]) -> None:
    assert {path.partition("/")[0] for path in code} == set(PRODUCTION)


def test_imports_follow_the_allowed_directions(code: dict[str, str]) -> None:
    assert [line for path, source in code.items() for line in wrong_arrows(path, source)] == []


def test_no_other_libraries_than_the_declared_ones(code: dict[str, str]) -> None:
    declared = declared_dependencies((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found = [line for path, source in code.items() for line in undeclared(path, source, declared)]
    assert found == []


def test_pure_files_have_no_io_clock_or_randomness(code: dict[str, str]) -> None:
    found = [
        line
        for path, source in code.items()
        if is_pure(path)
        for line in impurities(path, source, code)
    ]
    assert found == []


def test_every_pure_folder_exists(code: dict[str, str]) -> None:
    for folder in (*PURE, *NOT_PURE):
        assert any(path.startswith(f"{folder}/") for path in code), folder


def test_no_folder_holds_too_many_files(code: dict[str, str]) -> None:
    sizes = Counter(path.rpartition("/")[0] for path in code)
    assert {folder: n for folder, n in sizes.items() if n > MOST_FILES} == {}


def test_neighbours_have_an_order_in_every_folder(code: dict[str, str]) -> None:
    found = {place: circles(graph) for place, graph in neighbours(arrows(code)).items()}
    assert {place: groups for place, groups in found.items() if groups} == {}


def test_no_constructor_has_too_many_parameters(code: dict[str, str]) -> None:
    found = [line for path, source in code.items() for line in long_constructors(path, source)]
    assert found == []


def test_families_of_commands_do_not_import_each_other(code: dict[str, str]) -> None:
    assert between_families(arrows(code)) == []


def test_every_folder_that_commands_share_exists(code: dict[str, str]) -> None:
    assert {_family(path) for path in code} >= FAMILIES_SHARE


def test_our_packages_are_imported_by_their_whole_names() -> None:
    files = (path for top in OURS for path in (ROOT / top).rglob("*.py"))
    found = [
        line
        for path in files
        if "node_modules" not in path.parts and path != Path(__file__)
        for line in without_prefix(path.relative_to(ROOT).as_posix(), path.read_text("utf-8"))
    ]
    assert found == []


# -- the checker -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("games/api.py", "import doublecross.protocol.codec"),
        ("games/api.py", "from doublecross.stats import elo"),
        ("games/deep/er/rules.py", "def f():\n    import doublecross.server.core.rooms.room"),
        ("protocol/codec.py", "from doublecross.games.api import Game"),
        ("stats/elo.py", "from doublecross.games.api import Game"),
        ("server/core/rooms/room.py", "from doublecross.bots.api import Bot"),
        (
            "server/core/rooms/room.py",
            "if TYPE_CHECKING:\n    from doublecross.client.core.session import Session",
        ),
        ("client/core/room.py", "import server"),
        ("client/core/room.py", "from doublecross.bots.rules import Rules"),
        ("client/core/room.py", "from doublecross.stats import elo"),
        ("bots/rules.py", "from doublecross.client.transport import Client"),
        ("bots/rules.py", "import doublecross.protocol.common as c"),
        ("bots/rules.py", "from doublecross.bots.runner.config import RunnerConfig"),
        ("bots/rules.py", "from doublecross.bots import runner"),
        ("bots/rules.py", "from .runner import run_bot"),
        ("bots/rules.py", "from . import runner"),
        ("bots/search/tree.py", "from ..runner import run_bot"),
        ("bots/runner/table.py", "import doublecross.server.shell.app"),
        ("processes/child.py", "from doublecross.bots.workers import pool"),
        ("games/api.py", "from doublecross.processes.child import Child"),
        ("bots/runner/table.py", "from doublecross.cli import main"),
        ("server/tournaments/director.py", "from doublecross.server.shell.peer import Peer"),
        ("server/core/rooms/room.py", "from doublecross.server.shell.peer import Peer"),
        (
            "server/shell/app.py",
            "from doublecross.server.cluster.leader.running import RunningLeader",
        ),
        (
            "server/cluster/rooms/running.py",
            "from doublecross.server.cluster.leader.running import RunningLeader",
        ),
        ("server/cluster/links/hub.py", "from doublecross.server.shell.peer import Peer"),
        ("server/shell/app.py", "from doublecross.cli.main import main"),
        ("server/shell/app.py", "importlib.import_module('doublecross.cli.main')"),
        ("server/shell/app.py", "__import__('doublecross.bots.rules')"),
        ("cli/main.py", "from tests.fakes.server import FakeServer"),
        ("cli/main.py", "import benchmarks"),
        ("client/tk/window.py", "try:\n    import server\nexcept ImportError:\n    pass"),
    ],
)
def test_the_checker_finds_forbidden_imports(path: str, source: str) -> None:
    assert len(wrong_arrows(path, source)) == 1


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("games/api.py", "import doublecross.games.registry, math\nfrom . import record"),
        (
            "server/core/rooms/room.py",
            "from doublecross.games.api import Game\nfrom stats import elo\nimport protocol",
        ),
        (
            "client/tk/window.py",
            "from doublecross.client.core.session import Session\nfrom ..room import X",
        ),
        (
            "bots/rules.py",
            "from bots.api import Bot\nfrom games import api\nimport stats.elo",
        ),
        (
            "bots/runner/table.py",
            "from bots.api import Bot\nimport client.core.room, protocol.codec",
        ),
        ("bots/runner/table.py", "from .timing import limit\nfrom ..api import Bot"),
        (
            "cli/main.py",
            "import server.shell.app, bots.runner, client, stats, games, protocol",
        ),
        ("cli/main.py", "from testsuite import x\nimport gameserver"),
        ("cli/main.py", "'import tests'  # import tests"),
    ],
)
def test_the_checker_accepts_allowed_imports(path: str, source: str) -> None:
    assert wrong_arrows(path, source) == []


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("games/api.py", "import asyncio"),
        ("games/api.py", "import random"),
        ("games/api.py", "from random import Random, choice"),
        ("games/api.py", "from random import SystemRandom"),
        ("games/api.py", "def f():\n    from time import monotonic"),
        ("games/api.py", "import os.path"),
        ("games/api.py", "from os import path"),
        ("games/api.py", "import threading as t"),
        ("games/api.py", "import concurrent.futures"),
        ("games/api.py", "from urllib import request"),
        ("games/api.py", "rng = Random()"),
        ("games/api.py", "print(1)"),
        ("games/api.py", "with open('x') as f:\n    pass"),
        ("stats/elo.py", "at = datetime.now(UTC)"),
        ("stats/elo.py", "at = datetime.datetime.utcnow()"),
        ("stats/elo.py", "at = datetime.date.today()"),
        ("server/core/rooms/room.py", "import socket"),
        ("server/core/rooms/room.py", "import structlog"),
        ("server/core/rooms/room.py", "from doublecross.server.shell.peer import Peer"),
        ("server/core/rooms/room.py", "from doublecross.server.shell import peer"),
        ("client/core/session.py", "from doublecross.client.transport import Client"),
        ("client/core/session.py", "from websockets.asyncio.client import connect"),
    ],
)
def test_the_checker_sees_io_clock_and_chance(path: str, source: str) -> None:
    files = ("server/shell/peer.py", "client/transport.py", "server/core/rooms/clock.py")
    assert is_pure(path)
    assert len(impurities(path, source, files)) == 1


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("games/api.py", "from random import Random\nrng = Random(7)\ndef f(rng: Random): ..."),
        (
            "server/core/records.py",
            "from datetime import UTC, datetime\ndatetime.fromtimestamp(0, UTC)",
        ),
        (
            "server/core/rooms/room.py",
            "from server.core.timing.clock import Clock\nfrom server import clock, match",
        ),
        ("server/core/rooms/room.py", "self.clock.now()\nnow(1)\nstate.open()\nboard.print()"),
        ("client/core/session.py", "import timeit_like\nfrom urllib.parse import urlsplit"),
    ],
)
def test_the_checker_accepts_pure_code(path: str, source: str) -> None:
    assert (
        impurities(path, source, ("server/core/rooms/clock.py", "server/core/rooms/match.py")) == []
    )


def test_the_checker_sees_long_constructors() -> None:
    names = ", ".join(f"p{i}" for i in range(MOST_PARAMETERS))
    source = "class Room:\n    def __init__(self, {}) -> None: ...\n"
    assert long_constructors("a.py", source.format(names)) == []
    assert long_constructors("a.py", source.format(f"{names}, *, last")) == ["a.py:2 Room has 9"]


def test_the_checker_sees_circles() -> None:
    code = {
        "games/a.py": "from doublecross.games import b",
        "games/b.py": "def f():\n    from doublecross.games.c import x",
        "games/c.py": "if TYPE_CHECKING:\n    import doublecross.games.a",
        "games/d.py": "import doublecross.games.a, games.e",
        "games/e.py": "from doublecross.games.a import y",
    }
    assert circles(arrows(code)) == [["games/a.py", "games/b.py", "games/c.py"]]


def test_the_checker_sees_circles_of_folders() -> None:
    code = {
        "bots/one/a.py": "from doublecross.bots.two.b import x",
        "bots/two/b.py": "import doublecross.bots.c",
        "bots/two/d.py": "if TYPE_CHECKING:\n    from doublecross.bots.one import e",
        "bots/one/e.py": "x = 1",
        "bots/c.py": "x = 1",
    }
    assert circles(arrows(code)) == []
    found = neighbours(arrows(code))
    assert {place: circles(graph) for place, graph in found.items()} == {"bots": [["one", "two"]]}


def test_the_checker_sees_imports_between_families_of_commands() -> None:
    code = {
        "cli/main.py": "from doublecross.cli.play import play",
        "cli/play/play.py": "from doublecross.cli.match import match\nimport doublecross.bots.api",
        "cli/play/more.py": "from doublecross.cli.play import play\nfrom ..shared import keys",
        "cli/match/match.py": "from doublecross.cli.settings import load",
        "cli/shared/keys.py": "def f():\n    from doublecross.cli.match.match import x",
        "cli/settings/load.py": "import doublecross.cli.shared.keys",
        "bots/api.py": "",
    }
    assert between_families(arrows(code)) == [
        "cli/play/play.py imports cli/match/match.py",
        "cli/shared/keys.py imports cli/match/match.py",
    ]


def test_pure_files_are_recognised() -> None:
    assert is_pure("games/dots_and_boxes/rules.py")
    assert is_pure("protocol/codec.py")
    assert not is_pure("protocol/documentation/schema.py")
    assert not is_pure("server/shell/app.py")
    assert not is_pure("client/transport.py")


DECLARED = declared_dependencies(
    """
[project]
name = "x"
dependencies = ["pydantic>=2.12,<3", "msgpack"]
[project.optional-dependencies]
server = ["sqlalchemy[asyncio]>=2", "pydantic-settings; sys_platform != 'win32'"]
postgresql = ["asyncpg>=0.30"]
cluster = ["asyncpg>=0.30", "nats-py>=2"]
engines = ["numba>=0.61"]
train = ["torch>=2.6"]
tune = ["optuna>=4"]
dask = ["distributed>=2025"]
openspiel = ["open_spiel>=2"]
pettingzoo = ["pettingzoo>=1", "gymnasium>=1"]
ratings = ["scipy>=1"]
reports = ["matplotlib>=3"]
desktop = ["sv-ttk>=2.6"]
test = ["pytest>=8"]
"""
)


def test_dependencies_are_read_by_their_names() -> None:
    assert DECLARED[""] == {"pydantic", "msgpack"}
    assert DECLARED["server"] == {"sqlalchemy", "pydantic-settings"}
    assert DECLARED["test"] == {"pytest"}


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("games/api.py", "import msgpack"),
        ("stats/elo.py", "import sqlalchemy"),
        ("client/core/room.py", "import sqlalchemy"),
        ("bots/rules.py", "def f():\n    import pydantic_settings"),
        ("server/shell/app.py", "import pytest"),
        ("server/shell/app.py", "import a_library_that_is_not_installed"),
    ],
)
def test_the_checker_sees_undeclared_libraries(path: str, source: str) -> None:
    assert len(undeclared(path, source, DECLARED)) == 1


def test_the_checker_lets_declared_libraries_pass() -> None:
    assert undeclared("bots/search/jit.py", "import numba", DECLARED) == []
    assert (
        undeclared(
            "client/core/room.py", "import pydantic.fields, json, doublecross.games.api", DECLARED
        )
        == []
    )
    assert undeclared("server/shell/app.py", "from sqlalchemy.ext import asyncio", DECLARED) == []
    assert undeclared("server/shell/app.py", "import pydantic_settings as s", DECLARED) == []
