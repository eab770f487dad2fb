"""Prepare a test run: its markers, the kernels of the searches, and the garbage collector.

Five markers divide the tests. `window` tests open windows on a virtual screen, `browser` tests
open pages in Chromium, `processes` tests start child processes, `search` tests search games with
compiled kernels, and `slow` tests run only on request. `make test-fast` leaves out all five; there
a test fails if it starts a process without the marker.
"""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from doublecross.processes import forks

ROOT: Final = Path(__file__).resolve().parents[1]

_PROCESSES: Final = (
    *("benchmarks", "bots/advising", "bots/arena", "bots/helping", "bots/hosting", "bots/runner"),
    *("bots/programs", "bots/workers", "cli"),
    *("chaos", "client/load", "client/tk/harness", "cluster", "e2e", "processes"),
    "server/store/cluster",
)
"""The folders in which most tests start processes."""

_SEARCH: Final = (
    *("bots/engine", "bots/judging", "bots/search", "bots/training", "bots/zero"),
    "bots/test_bench.py",
    "bots/test_levels.py",
    *("bots/test_mcts.py", "bots/test_other_games.py", "bots/test_textbook.py"),
    *("bots/test_textbook_play.py", "contract/test_bots_contract.py"),
)
"""The folders and files whose tests search games."""

_SLOW: Final = ("benchmarks",)
"""The folders whose tests run only when asked for."""

_WITHOUT_KERNELS: Final = (
    *("client/core", "client/tk/models", "client/tk/network", "client/tk/widgets"),
    *("client/web/board", "client/web/core", "client/web/net"),
    *("contract/test_games_contract.py", "contract/test_games_openings.py", "playthroughs"),
    *("cli/account", "cli/admin", "cli/cluster", "cli/settings", "cluster", "fakes", "games"),
    *("chaos", "deploy", "processes", "protocol", "server", "stats", "test_architecture.py"),
)
"""The folders whose tests use no bot that searches."""

# Hundreds of tests start programs. Without bytecode each program compiles its whole source again,
# for half a second, and pytest rewrites the assertions of all tests again, for eight.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# In the background of a shell, the tests and all that they start would ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)
# The tests look for English texts, whatever the language of the desktop is.
os.environ["LANGUAGE"] = "en"
# Nearly nothing that the imports and the collection make is garbage. To look for it takes a fifth
# of their time.
gc.disable()
# On a busy machine an example takes long by chance.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
# Hypothesis also tries the constants in our modules. In a fresh clone, each process of a run parses
# all of them for that, for three seconds.
providers._get_local_constants = lambda: providers._local_constants


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_NO_PROCESSES] = "not processes" in config.option.markexpr


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Pass over folders of slow tests that will not run; each process would import them."""
    return ("not slow" in config.option.markexpr and collection_path.name in _SLOW) or None


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Begin in another folder in each process of a run.

    In a fresh clone each then compiles what no other has compiled yet.
    """
    report = yield
    worker = getattr(collector.config, "workerinput", None)
    if worker and report.result and collector.path == ROOT / "tests":
        number = int(worker["workerid"].removeprefix("gw"))
        start = len(report.result) * number // worker["workercount"]
        report.result = report.result[start:] + report.result[:start]
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path)
    for item in items:
        if _is_in(item, _PROCESSES):
            item.add_marker(pytest.mark.processes)
        if _is_in(item, _SEARCH):
            item.add_marker(pytest.mark.search)
        if _is_in(item, _SLOW):
            item.add_marker(pytest.mark.slow)
        fixtures = getattr(item, "fixturenames", ())
        if "display" in fixtures:
            item.add_marker(pytest.mark.window)
        if not {"serve", "page_folder"}.isdisjoint(fixtures):
            item.add_marker(pytest.mark.processes)
        if "chromium" in fixtures:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.processes)
            if item.get_closest_marker("asyncio"):
                # Chromium's connection belongs to the loop of the whole run.
                item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


def pytest_collection_finish(session: pytest.Session) -> None:
    if not session.config.option.collectonly:
        _keep_what_is_there()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Compile the kernels before the first test that may use them.

    Compiling exceeds a test's time limit, which begins after this. Meanwhile the other processes of
    the run continue with tests that use no kernels.
    """
    if not item.config.stash.get(_KERNELS, False) and not _is_in(item, _WITHOUT_KERNELS):
        item.config.stash[_KERNELS] = True
        gc.disable()
        _prepare_kernels()
        _keep_what_is_there()
    return (yield)


def _keep_what_is_there() -> None:
    """Let the collector leave out the objects that are there, of which nearly all stay."""
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True, scope="session")
def _simple_log() -> None:
    """Log exceptions without the values of variables, which take up to half a second each."""
    structlog = sys.modules.get("structlog")
    if structlog is not None:
        renderer = structlog.get_config()["processors"][-1]
        renderer.exception_formatter = structlog.dev.plain_traceback
        configure = structlog.configure
        # A logger that is kept would stay as a program in one test has set it.
        structlog.configure = lambda **how: configure(**how | {"cache_logger_on_first_use": False})


@pytest.fixture(autouse=True)
def _own_log() -> Iterator[None]:
    """Undo what a program in a test has set for the log of the whole process."""
    yield
    structlog = sys.modules.get("structlog")
    if structlog is not None and structlog.is_configured():
        structlog.reset_defaults()


@pytest.fixture(autouse=True, scope="session")
def _processes_are_announced(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that starts a process in a run without such tests."""
    if not request.config.stash[_NO_PROCESSES]:
        yield
        return

    def refuse(*_: object, **__: object) -> Any:
        pytest.fail("This test starts a process: mark it with @pytest.mark.processes.")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subprocess.Popen, "_execute_child", refuse)
        yield


@pytest.fixture(scope="module")
def fork_server() -> Iterator[None]:
    """Let the tests of a file start children as the window does, as forks of one process."""
    from tests.cli.forking import control

    found = control()
    if found is not None:
        forks.use(found)
    yield
    forks._leave()


_NO_PROCESSES: Final = pytest.StashKey[bool]()
_KERNELS: Final = pytest.StashKey[bool]()
"""Whether the kernels are ready."""


def _prepare_kernels() -> None:
    """Compile the kernels of all searches, or load them.

    Of several processes that start together, the first compiles for all and the others wait.
    """
    from doublecross.bots.engine.engine import prepare as prepare_engine
    from doublecross.bots.mcts.dots import warm_up_kernels
    from doublecross.bots.search.exact.solver import prepare as prepare_solver
    from doublecross.bots.training.teachers.labels import prepare_labels
    from doublecross.bots.zero.search import prepare as prepare_zero
    from doublecross.games.dots_and_boxes.board import board

    for shape in (None, board(8, 8)):
        prepare_engine(shape)
        prepare_solver(shape)
    warm_up_kernels()
    prepare_labels()
    prepare_zero()


def _is_in(item: pytest.Item, places: tuple[str, ...]) -> bool:
    """Return whether a test is in one of these folders or files."""
    return _lies_in(item.path, places)


@cache
def _lies_in(path: Path, places: tuple[str, ...]) -> bool:
    here = path.relative_to(ROOT / "tests").as_posix()
    return any(here == place or here.startswith(f"{place}/") for place in places)
