"""Provide what tests of the window need: a virtual screen, mouse, keyboard and real servers.

They need Xvfb and Python's tkinter. Without these they are skipped with a message about what to
install. If DOUBLECROSS_NEED_DISPLAY is set they fail instead, so that nobody mistakes skipped
tests for passed ones.
"""

from __future__ import annotations

import gc
import importlib.util
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

if TYPE_CHECKING:
    import tkinter as tk

    from doublecross.client.tk.screens.review.screen import ReviewScreen
    from doublecross.games.record import Record
    from tests.client.tk.harness.driver import Ui
    from tests.client.tk.harness.lobbying import Company, LobbyStage
    from tests.client.tk.harness.playing import Open
    from tests.client.tk.harness.serving import RealServer
    from tests.client.tk.harness.staging import Stage
    from tests.client.tk.harness.tables import Table
    from tests.client.tk.harness.xvfb import VirtualDisplay
    from tests.client.tk.models.rooms import SeenRoom

ROOT = Path(__file__).resolve().parents[3]
NEED = "DOUBLECROSS_NEED_DISPLAY"
_kept: list[object] = []


def missing() -> str:
    """Return a sentence about what this machine lacks for tests of the window; empty if nothing."""
    try:
        import tkinter  # noqa: F401
    except ImportError:
        return "Python has no tkinter: apt-get install python3-tk"
    if shutil.which("Xvfb") is None:
        return "There is no Xvfb: apt-get install xvfb fonts-dejavu-core"
    if importlib.util.find_spec("Xlib") is None:
        return "There is no python-xlib, which is made for Linux"
    return ""


def give_up(reason: str) -> NoReturn:
    """Skip the test, or fail it if DOUBLECROSS_NEED_DISPLAY is set."""
    if os.environ.get(NEED):
        pytest.fail(f"{reason} ({NEED} is set)", pytrace=False)
    pytest.skip(reason)


class _Module(pytest.Module):
    """A file of tests; without tkinter its import may fail, and then it is skipped."""

    def collect(self):  # type: ignore[no-untyped-def]
        try:
            return super().collect()
        except self.CollectError as error:
            cause = error.__cause__
            if (
                os.environ.get(NEED)
                or not isinstance(cause, ModuleNotFoundError)
                or cause.name not in ("tkinter", "_tkinter", "Xlib")
            ):
                raise
            pytest.skip(missing(), allow_module_level=True)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module:
    module: pytest.Module = _Module.from_parent(parent, path=module_path)
    return module


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the tests away from the files of the person who runs them."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture(scope="session")
def _screen() -> Iterator[VirtualDisplay | None]:
    if missing():
        yield None
        return
    from tests.client.tk.harness.xvfb import VirtualDisplay

    with VirtualDisplay() as display, _interpreters_kept():
        yield display


@contextmanager
def _interpreters_kept() -> Iterator[None]:
    """Keep every Tcl interpreter alive.

    An interpreter must be freed in its own thread, or the whole process ends. Garbage collection
    can run in any thread, so no interpreter is freed.
    """
    import _tkinter

    create = _tkinter.create

    def keeping(*arguments: object) -> object:
        _kept.append(interpreter := create(*arguments))
        return interpreter

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_tkinter, "create", keeping)
        yield


@pytest.fixture
def display(
    _screen: VirtualDisplay | None, monkeypatch: pytest.MonkeyPatch
) -> Iterator[VirtualDisplay]:
    """Run one virtual screen for all tests and set DISPLAY, also for child processes."""
    if _screen is None:
        give_up(missing())
    monkeypatch.setenv("DISPLAY", _screen.name)
    # Tk's variables and pictures call Tcl when they are deleted, which only this thread may do.
    gc.disable()
    yield _screen
    gc.enable()
    gc.collect(1)


@pytest.fixture
def ui(display: VirtualDisplay) -> Iterator[Ui]:
    """Yield what opens windows and drives them; an error in a window fails the test."""
    from tests.client.tk.harness.driver import Ui

    ui = Ui(display)
    try:
        yield ui
        ui.update()
    finally:
        ui.close()
    if ui.errors:
        pytest.fail(ui.complaint(), pytrace=False)


@pytest.fixture
def root(ui: Ui) -> tk.Tk:
    """Return an empty window, 1024x720, with the focus and the light theme."""
    from doublecross.client.tk import theme
    from doublecross.client.tk.models.colours import make_colours

    root = ui.open()
    theme.apply(root, make_colours("classic", dark=False))
    return root


@pytest.fixture
def shoot(ui: Ui) -> Callable[..., Path]:
    """Return `shoot`: `shoot(name)` saves a picture of the first window as NAME.png, in the
    folder DOUBLECROSS_SHOTS or else in var/shots; `shoot(name, root)` saves another window.
    """

    def save(name: str, root: tk.Tk | None = None) -> Path:
        folder = Path(os.environ.get("DOUBLECROSS_SHOTS") or ROOT / "var" / "shots")
        shown = root or ui.living()[0]
        ui.settle()
        path = folder / f"{re.sub(r'[^A-Za-z0-9-]+', '-', name)}.png"
        area = (
            *(shown.winfo_rootx(), shown.winfo_rooty()),
            *(shown.winfo_width(), shown.winfo_height()),
        )
        ui.display.shoot(path, area)
        return path

    return save


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., RealServer]]:
    """Yield `serve`: `serve("easy", "perfect", grace_s=1)` starts a real server with these
    resident bots. The result's `kill` and `start` imitate a power cut and a restart.
    """
    from tests.client.tk.harness.serving import RealServer

    with ExitStack() as stack:
        count = 0

        def start(*bots: str, **options: float) -> RealServer:
            nonlocal count
            count += 1
            folder = tmp_path / f"server-{count}"
            folder.mkdir()
            server = RealServer(folder, bots, **options)
            stack.callback(server.close)
            server.start()
            return server

        yield start


@pytest.fixture
def stages(ui: Ui, tmp_path: Path) -> Iterator[Callable[..., Stage]]:
    """Yield `stages`: `stages("800x600+0+0")` opens a window for single screens; see `Stage`.
    All of them share one folder of stored settings.
    """
    from tests.client.tk.harness.staging import Stage

    with ExitStack() as stack:

        def make(geometry: str = "1024x720+0+0") -> Stage:
            stage = Stage(ui.open(geometry), tmp_path / "home")
            stack.callback(stage.close)
            return stage

        yield make


@pytest.fixture
def stage(stages: Callable[..., Stage]) -> Stage:
    """Return a window for a single screen."""
    return stages()


@pytest.fixture
def open_review(stage: Stage) -> Callable[..., ReviewScreen]:
    """Return `open_review`: `open_review(record)` shows the review of a record."""
    from doublecross.client.tk.screens.review.screen import ReviewScreen

    def open_review(record: Record, title: str = "Game 1 · games.txt") -> ReviewScreen:
        screen = stage.show(
            lambda context: ReviewScreen(context, record, title=title, back=stage.to_lobby)
        )
        assert isinstance(screen, ReviewScreen)
        stage.root.update()
        return screen

    return open_review


@pytest.fixture
def sit(ui: Ui, stages: Callable[..., Stage]) -> Iterator[Callable[..., Table]]:
    """Yield `sit`: `sit(room, "640x480+0+0")` shows a scripted room; the test plays the server."""
    from tests.client.tk.harness.tables import Table
    from tests.client.tk.models.rooms import SeenRoom

    tables: list[Table] = []

    def sit(room: SeenRoom | None = None, geometry: str = "1024x720+0+0") -> Table:
        tables.append(Table(ui, stages(geometry), room or SeenRoom()))
        return tables[-1]

    yield sit
    for table in tables:
        table.close()


@pytest.fixture
def server(serve: Callable[..., RealServer]) -> RealServer:
    """Return a real server without bots."""
    return serve()


@pytest.fixture
def others(server: RealServer) -> Iterator[Company]:
    """Yield other people on the server, who connect on demand."""
    from tests.client.tk.harness.lobbying import company

    with company(server.url) as found:
        yield found


@pytest.fixture
def lobby(ui: Ui, tmp_path: Path) -> Iterator[LobbyStage]:
    """Return a window that can show the lobby of a server."""
    from tests.client.tk.harness.lobbying import LobbyStage

    stage = LobbyStage(ui, tmp_path / "home")
    yield stage
    stage.close()


@pytest.fixture
def program(ui: Ui, tmp_path: Path) -> Iterator[Open]:
    """Yield `program`: `program(server.url, "Ann")` opens the program; all share one settings
    folder.
    """
    from tests.client.tk.harness.playing import programs

    with programs(ui, tmp_path) as start:
        yield start
