"""The processes of the window are forks that share their imports, and work as fresh ones do."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from doublecross.bots.api import Limit
from doublecross.bots.errors import BotFailed
from doublecross.bots.helping.helpers import LocalHelpers
from doublecross.bots.helping.preload import FIRST, LATER
from doublecross.bots.workers.pool import WorkerPool
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from doublecross.processes.command import ROOT
from doublecross.processes.forks import serving
from tests.bots.bad_bots import HERE as BAD
from tests.bots.running import until
from tests.cli.family import Family
from tests.processes.test_processes import LINUX

pytestmark = [LINUX, pytest.mark.processes, pytest.mark.timeout(120)]

GAME = DotsAndBoxes({"rows": 5, "cols": 5})
MOST_PRIVATE = {"doublecross.bots.workers.child": 0.25, "doublecross.cli.main": 0.55}
"""The largest share of the memory of a fork that it does not share with others.

The server keeps the pages and its database for itself.
"""


def test_the_window_needs_none_of_the_packages_of_a_server() -> None:
    names = ("aiosqlite", "sqlalchemy", "starlette", "structlog", "uvicorn")
    code = f"import sys; sys.modules.update(dict.fromkeys({names}))\n"
    code += "import doublecross.bots.helping.preload, doublecross.bots.helping.helpers\n"
    code += "import doublecross.client.tk.app"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=60)


@pytest.fixture
def forks(children: Family) -> Iterator[Family]:
    with serving(FIRST, LATER):
        yield children


@pytest.mark.parametrize("entry", FIRST + LATER)
def test_everything_that_is_imported_before_exists(entry: str) -> None:
    # The fork server passes over what it cannot import.
    name, _, function = entry.partition(":")
    module = importlib.import_module(name)
    assert not function or callable(getattr(module, function))


async def test_playing_here_takes_five_processes_which_share_their_memory(
    forks: Family, tmp_path: Path
) -> None:
    helpers = LocalHelpers(tmp_path / "data", tmp_path / "tokens")
    (server,) = forks()
    await helpers.open_server()
    assert (await helpers.advise(GAME, (), (0,))).best
    # The server starts the process for the levels, and that one its worker.
    await until(lambda: len(forks()) == 5)
    assert {process.ppid() for process in forks()} == {os.getpid(), server.pid}
    for module, most in MOST_PRIVATE.items():
        (process,) = forks(module)
        memory = process.memory_full_info()
        assert memory.uss < most * memory.rss
    await helpers.close()
    await until(lambda: forks() == [server])


@pytest.mark.usefixtures("fork_server")
async def test_the_traceback_of_a_bot_in_a_fork_reaches_its_author() -> None:
    async with WorkerPool(1) as pool:
        bot = await pool.open_game(f"{BAD}:Raises", GAME, 1)
        with pytest.raises(BotFailed, match="the bot raised ValueError: no idea") as failure:
            await bot.choose(GAME.initial_state(), Limit(time_s=20.0))
        assert "bad_bots.py" in failure.value.trace
