"""Tests for the helpers of the window: real servers, bots and advice in real processes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import cast
from urllib.request import urlopen

import pytest

from doublecross.analysis.advice import Advice
from doublecross.analysis.sentences.templates import phrase
from doublecross.bots.api import BotError
from doublecross.bots.helping import helpers as module
from doublecross.bots.helping.helpers import LocalHelpers
from doublecross.bots.hosting import own_server
from doublecross.bots.registry import BUILT_IN, bot_names, level_names
from doublecross.cli.tournament.demo import server_bots
from doublecross.client.tk.browser import show_page
from doublecross.client.tk.models.helpers import HelperFailed
from doublecross.client.tk.models.lobby.levels import Levels
from doublecross.client.tk.models.lobby.model import bot_options
from doublecross.client.tk.models.pages import Page
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from doublecross.games.tic_tac_toe.rules import TicTacToe
from doublecross.processes.installation import how_to_add
from doublecross.protocol.common import EngineInfo, PlayerInfo
from tests.bots.running import serving, until
from tests.cli.family import Family
from tests.cli.visiting import PATIENCE_S, visiting

pytestmark = [pytest.mark.timeout(120), pytest.mark.usefixtures("fork_server")]

NOWHERE = "ws://127.0.0.1:9"


@pytest.fixture
async def helpers(tmp_path: Path) -> AsyncIterator[LocalHelpers]:
    helpers = LocalHelpers(tmp_path / "data", tmp_path / "tokens")
    yield helpers
    await helpers.close()


@pytest.fixture(autouse=True)
def _quick_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let bots pause for a moment only, so that a test can still begin to watch them."""
    monkeypatch.setattr(module, "PAUSE_S", 0.2)


@pytest.fixture
async def url(tmp_path: Path) -> AsyncIterator[str]:
    """Run a server that the helpers did not start."""
    async with serving(tmp_path) as server:
        yield server.addresses.ws


@pytest.fixture
def one_level(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the local server have one bot only, whose worker loads no kernels."""
    monkeypatch.setattr(module, "level_names", lambda: ("easy",))


# -- bots ----------------------------------------------------------------------------------------


def test_bots_that_play_the_game_are_listed_with_the_levels_first(tmp_path: Path) -> None:
    helpers = LocalHelpers(tmp_path, tmp_path)
    choices = helpers.bots(DotsAndBoxes())
    assert tuple(choice.spec for choice in choices[:5]) == level_names()
    assert [choice.level for choice in choices[:6]] == [1, 2, 3, 4, 5, None]
    assert all(choice.about for choice in choices)
    others = {choice.spec for choice in helpers.bots(TicTacToe())}
    assert {"easy", "perfect"} <= others
    assert "champion" not in others


def test_a_further_level_takes_one_line_in_the_registry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(
        cast(dict[str, str], BUILT_IN), "godlike", "doublecross.bots.levels:PerfectBot"
    )
    six = ("easy", "medium", "tricky", "hard", "perfect", "godlike")
    assert level_names() == six
    assert bot_names().index("godlike") == len(BUILT_IN) - 1
    helpers = LocalHelpers(tmp_path, tmp_path)
    assert helpers.levels == six
    choices = helpers.bots(DotsAndBoxes())
    assert [(choice.spec, choice.level) for choice in choices[5:7]] == [
        ("godlike", 6),
        ("random", None),
    ]
    # The window shows the level in its list of opponents.
    levels = Levels(helpers.levels)
    godlike = PlayerInfo(name="godlike", kind="bot", engine=EngineInfo(name="godlike", version="1"))
    options = bot_options(choices, [godlike], "Ann", levels)
    assert [option.title for option in options[:6]] == list(six)
    assert (options[5].strength, options[5].player) == ("level 6 of 6", "godlike")
    assert server_bots() == ",".join(six)


def test_bots_that_cannot_be_loaded_are_not_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = module.bot_class

    def some(name: str) -> object:
        if name == "perfect":
            raise BotError("Bot perfect needs the package numba.")
        return find(name)

    monkeypatch.setattr(module, "bot_class", some)
    choices = LocalHelpers(tmp_path, tmp_path).bots(DotsAndBoxes())
    assert [choice.spec for choice in choices if choice.level] == [
        *("easy", "medium", "tricky", "hard")
    ]


async def test_a_bot_is_brought_once(helpers: LocalHelpers, url: str) -> None:
    first, second = await asyncio.gather(
        helpers.bring_bot(url, "greedy:seed=3"), helpers.bring_bot(url, "greedy:seed=3")
    )
    assert first == second == "greedy"
    assert await helpers.bring_bot(url, "greedy:seed=4") == "greedy-2"
    async with visiting(url) as ann:
        await ann.online("greedy", "greedy-2")
        await ann.plays("greedy")


async def test_a_bot_that_died_is_brought_again(
    helpers: LocalHelpers, url: str, children: Family
) -> None:
    assert await helpers.bring_bot(url, "greedy") == "greedy"
    (before,) = children("doublecross.bots.hosting.resident")
    before.kill()
    await until(lambda: not before.is_running())
    await until(lambda: not helpers._bots[url, "greedy"][0].is_running)
    assert await helpers.bring_bot(url, "greedy") == "greedy"
    (after,) = children("doublecross.bots.hosting.resident")
    assert after.pid != before.pid


@pytest.mark.parametrize("spec", ["nobody", "greedy:depth=3", "greedy:", "nowhere:Bot"])
async def test_an_unknown_bot_is_refused_in_a_sentence(spec: str, helpers: LocalHelpers) -> None:
    with pytest.raises(HelperFailed, match=r"^[^\n]*\w.*\.$") as failure:
        await helpers.bring_bot(NOWHERE, spec)
    assert NOWHERE not in str(failure.value)
    assert "exit code" not in str(failure.value)


async def test_without_a_server_no_bot_can_join(
    helpers: LocalHelpers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_ANSWER_S", 0.1)
    with pytest.raises(HelperFailed, match=r"127\.0\.0\.1:9"):
        await helpers.bring_bot(NOWHERE, "greedy")


async def test_a_bot_that_does_not_get_ready_is_given_up(
    helpers: LocalHelpers, url: str, monkeypatch: pytest.MonkeyPatch, children: Family
) -> None:
    monkeypatch.setattr(module, "_READY_S", 0.001)
    with pytest.raises(HelperFailed, match=r"greedy.* within 0\.001 seconds"):
        await helpers.bring_bot(url, "greedy")
    await until(lambda: not children())
    monkeypatch.undo()
    assert await helpers.bring_bot(url, "greedy") == "greedy"


async def test_cancelling_a_request_ends_its_processes(
    helpers: LocalHelpers, url: str, children: Family
) -> None:
    task = asyncio.create_task(helpers.bring_bot(url, "greedy"))
    await until(lambda: bool(children()))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until(lambda: not children())


# -- the server of this machine; see also test_local_server --------------------------------------


async def test_the_local_server_has_the_levels(helpers: LocalHelpers) -> None:
    url = await helpers.open_server()
    assert await helpers.open_server() == url
    async with visiting(url) as ann:
        await ann.online(*level_names())
    assert helpers.residents(url) == set(helpers.levels)
    assert helpers.residents("ws://play.example:8765") == set()


@pytest.mark.usefixtures("one_level")
async def test_the_local_server_has_the_pages_that_the_window_opens(helpers: LocalHelpers) -> None:
    opened: list[str] = []

    def browse(address: str) -> bool:
        with urlopen(address, timeout=PATIENCE_S) as answer:
            if b"Doublecross" in answer.read():
                opened.append(address)
        return True

    for page in Page:
        address = await show_page(page, None, helpers, browse)
        assert opened[-1] == address
        assert address.startswith("http://127.0.0.1:")
        assert address.endswith(page)


@pytest.mark.usefixtures("one_level")
async def test_bots_keep_their_names_when_the_port_changes(
    helpers: LocalHelpers, tmp_path: Path
) -> None:
    url = await helpers.open_server()
    assert await helpers.bring_bot(url, "greedy") == "greedy"
    await helpers.close()
    (tmp_path / "data" / "here.json").unlink()
    again = LocalHelpers(tmp_path / "data", tmp_path / "tokens")
    try:
        other = await again.open_server()
        assert other != url
        assert await again.bring_bot(other, "greedy") == "greedy"
    finally:
        await again.close()


async def test_missing_packages_are_named(
    helpers: LocalHelpers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_server, "_SERVER_PACKAGES", ("asyncio", "nosuchpackage"))
    with pytest.raises(HelperFailed, match=re.escape(f"(nosuchpackage): {how_to_add('server')}")):
        await helpers.open_server()


# -- advice --------------------------------------------------------------------------------------

GAME = TicTacToe()


async def test_advice_comes_from_one_process(helpers: LocalHelpers, children: Family) -> None:
    assert await helpers.advise(GAME, (), (0, 3, 1, 4)) == Advice(
        (2,), 1.0, exact=True, phrase=phrase("wins", move="c3")
    )
    (thinker,) = children()
    assert await helpers.advise(DotsAndBoxes({"rows": 1, "cols": 1}), (0,), (1,)) == Advice(
        (2, 3), -1.0, True, phrase("opens-the-smallest-chain", move="a2", boxes=1)
    )
    assert children() == [thinker]


async def test_a_dead_advice_process_is_replaced(helpers: LocalHelpers, children: Family) -> None:
    assert (await helpers.advise(GAME, (), (0,))).best == (4,)
    (thinker,) = children()
    before = thinker.cpu_times().user
    task = asyncio.create_task(helpers.advise(DotsAndBoxes({"rows": 5, "cols": 5}), (), ()))
    await until(lambda: thinker.cpu_times().user > before)
    thinker.kill()
    with pytest.raises(HelperFailed, match=r"positions was killed by SIGKILL"):
        await task
    assert (await helpers.advise(GAME, (), (0,))).best == (4,)
    assert thinker not in children()


async def test_advice_has_a_time_limit(
    helpers: LocalHelpers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "doublecross.bots.advising.advice._ANSWER_S", 0.0
    )  # no answer can be there already
    with pytest.raises(HelperFailed, match="too long"):
        await helpers.advise(GAME, (), (0,))


# -- the end -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("one_level")
async def test_everything_ends_with_the_window(helpers: LocalHelpers, children: Family) -> None:
    url = await helpers.open_server()
    await helpers.bring_bot(url, "greedy")
    await helpers.advise(GAME, (), (0,))
    before = children()
    modules = (
        "doublecross.cli.main",
        "doublecross.bots.hosting.resident",
        "doublecross.bots.advising.adviser",
        "doublecross.bots.workers.child",
    )
    assert all(children(name) for name in modules)
    await helpers.close()
    await until(lambda: not any(child.is_running() for child in before))
