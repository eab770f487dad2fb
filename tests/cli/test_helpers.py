"""What the window has others do: real servers and bots in real processes."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from random import Random

import pytest

from cli.helpers import LEVELS, LocalHelpers
from client.tk.helpers import HelperFailed
from client.transport import Client
from games.dots_and_boxes.rules import DotsAndBoxes
from games.tic_tac_toe.rules import TicTacToe
from protocol.common import MatchSettings

pytestmark = pytest.mark.timeout(120)  # Processes have to start.

SMALL = MatchSettings(game="dots-and-boxes", params={"rows": 1, "cols": 1})


PATIENCE_S = 40.0


class Visitor:
    """Somebody on the server who looks, and plays if asked to."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def online(self, *names: str) -> None:
        """Wait until these players are there."""
        await self._client.follow_lobby()
        lobby = self._client.session.lobby
        assert lobby is not None
        await self._until(lambda: set(names) <= set(lobby.players))

    async def plays(self, name: str) -> None:
        """Challenge somebody, who accepts and begins."""
        await self._client.challenge(name, SMALL, seat=1)
        rooms = self._client.session.rooms
        await self._until(lambda: any(room.state.ply for room in rooms.values()))

    async def sees_the_end_of(self, room: str) -> tuple[set[str], str]:
        """Who plays in a room, and how that ends."""
        await self._client.watch(room)
        mirror = self._client.session.rooms[room]
        await self._until(lambda: mirror.result is not None)
        assert mirror.result is not None
        names = {player.name for player in mirror.players if player is not None}
        return names, mirror.result.termination

    async def _until(self, condition: Callable[[], bool]) -> None:
        feed = self._client.updates()
        async with asyncio.timeout(PATIENCE_S):
            while not condition():
                await anext(feed)


@contextlib.asynccontextmanager
async def visiting(url: str) -> AsyncIterator[Visitor]:
    async with Client(url, kind="human", rng=Random(1), name="Ann") as client:
        yield Visitor(client)


@pytest.fixture
async def helpers(tmp_path: Path) -> AsyncIterator[LocalHelpers]:
    helpers = LocalHelpers(tmp_path / "data", tmp_path / "tokens")
    yield helpers
    await helpers.close()


def test_the_levels_come_first_and_only_what_plays(tmp_path: Path) -> None:
    helpers = LocalHelpers(tmp_path, tmp_path)
    choices = helpers.bots(DotsAndBoxes())
    assert tuple(choice.spec for choice in choices[:4]) == LEVELS
    assert [choice.level for choice in choices[:5]] == [1, 2, 3, 4, None]
    assert all(choice.about for choice in choices)
    others = {choice.spec for choice in helpers.bots(TicTacToe())}
    assert {"easy", "perfect", "newell-simon"} <= others
    assert "champion" not in others


async def test_one_server_with_the_levels(helpers: LocalHelpers) -> None:
    url = await helpers.open_server()
    assert await helpers.open_server() == url
    async with visiting(url) as ann:
        await ann.online(*LEVELS)


async def test_two_windows_have_two_servers(helpers: LocalHelpers, tmp_path: Path) -> None:
    other = LocalHelpers(tmp_path / "data", tmp_path / "tokens")
    try:
        assert await helpers.open_server() != await other.open_server()
    finally:
        await other.close()


async def test_a_bot_is_brought_once(helpers: LocalHelpers) -> None:
    url = await helpers.open_server()
    name = await helpers.bring_bot(url, "greedy:seed=3")
    assert name == "greedy"
    assert await helpers.bring_bot(url, "greedy:seed=3") == name
    assert await helpers.bring_bot(url, "greedy:seed=4") == "greedy-2"
    async with visiting(url) as ann:
        await ann.online("greedy", "greedy-2")
        await ann.plays(name)


@pytest.mark.parametrize("spec", ["nobody", "greedy:depth=3", "greedy:", "nowhere:Bot"])
async def test_what_is_no_bot_is_refused_in_a_sentence(spec: str, helpers: LocalHelpers) -> None:
    for work in (
        helpers.bring_bot("ws://127.0.0.1:9", spec),
        helpers.bring_pair("ws://127.0.0.1:9", ("rules", spec), SMALL),
    ):
        with pytest.raises(HelperFailed, match=r"\w.*\.$"):
            await work


async def test_where_no_server_is_nobody_can_be_brought(helpers: LocalHelpers) -> None:
    with pytest.raises(HelperFailed, match=r"127\.0\.0\.1:9"):
        await helpers.bring_bot("ws://127.0.0.1:9", "greedy")
    with pytest.raises(HelperFailed, match=r"127\.0\.0\.1:9"):
        await helpers.bring_pair("ws://127.0.0.1:9", ("greedy", "rules"), SMALL)


async def test_two_bots_play_one_match(helpers: LocalHelpers) -> None:
    url = await helpers.open_server()
    room = await helpers.bring_pair(url, ("greedy:seed=1", "greedy:seed=2"), SMALL)
    async with visiting(url) as ann:
        assert await ann.sees_the_end_of(room) == ({"greedy", "greedy-2"}, "completed")


async def test_everything_ends_with_the_window(helpers: LocalHelpers) -> None:
    url = await helpers.open_server()
    await helpers.bring_bot(url, "greedy")
    processes = [helpers._server, *helpers._bots.values()]
    await helpers.close()
    assert not any(child.runs for child, _ in filter(None, processes))


def test_it_all_works_in_another_thread(tmp_path: Path) -> None:
    """As in the window, whose main thread is Tk's."""
    found: list[str] = []

    async def work() -> None:
        helpers = LocalHelpers(tmp_path / "data", tmp_path / "tokens")
        try:
            url = await helpers.open_server()
            found.append(await helpers.bring_bot(url, "greedy"))
        finally:
            await helpers.close()

    thread = threading.Thread(target=lambda: asyncio.run(work()))
    thread.start()
    thread.join(60)
    assert found == ["greedy"]
