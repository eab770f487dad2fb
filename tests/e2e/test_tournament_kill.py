"""Tests that a tournament survives kills of its server and its bots without any change."""

from __future__ import annotations

import asyncio
import queue
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from doublecross.client.options import Login
from doublecross.client.transport import Client
from doublecross.games.record import parse_record
from doublecross.games.registry import make_game
from doublecross.protocol.common import DAY_MS, MatchSettings, TimeControl, TournamentTerms
from doublecross.server.core.storage import GameRow
from doublecross.server.core.tournament_rows import Pairing
from doublecross.server.store.sql import SqlStore, database_url
from tests.chaos.scenarios import kill
from tests.chaos.servers import ForkedServer
from tests.e2e.processes import DEADLINE_S, Child, bot

PAIRS = 5
KILLS = 10
BOTS = {"Abe": "rules", "Bea": "greedy", "Cal": "random", "Dot": "rules:sacrifice=classical"}
SEED = 7


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


class Ring:
    """Run all processes of a tournament."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder = folder
        self.bots: dict[str, Child] = {}
        self.server = stack.enter_context(ForkedServer(folder))
        stack.callback(lambda: [child.close() for child in self.bots.values()])

    def enter(self, name: str, tournament: str) -> None:
        """Start a bot, for the first time or again."""
        self.bots[name] = bot(
            self._folder / f"{name}.log",
            server=self.server.url,
            bot=BOTS[name],
            name=name,
            state=str(self._folder / name),
            seed=1,
            tournament=tournament,
            at_once=2,
        )

    def moves(self) -> int:
        """Return how many moves the bots have reported since the last call."""
        found = 0
        for child in self.bots.values():
            while True:
                try:
                    line = child.lines.get_nowait()
                except queue.Empty:
                    break
                if line is None:
                    child.lines.put(None)
                    break
                found += line["what"] == "move"
        return found

    @property
    def over(self) -> bool:
        """Return whether the processes of all bots have ended."""
        return all(child.process.poll() is not None for child in self.bots.values())


@pytest.mark.timeout(180)
@pytest.mark.parametrize(
    "time_control", [TimeControl(base_ms=300_000), TimeControl(move_ms=DAY_MS)]
)
async def test_kills_change_nothing_in_a_tournament(
    tmp_path: Path, stack: ExitStack, time_control: TimeControl
) -> None:
    rng = Random(3)
    ring = Ring(tmp_path, stack)
    settings = MatchSettings(
        game="dots-and-boxes",
        params={"rows": 3, "cols": 3},
        time=time_control,
        rated=True,
    )
    terms = TournamentTerms(
        name="Storm", format="round-robin", settings=settings, pairs=PAIRS, seed=SEED
    )
    async with Client(ring.server.url, Login("human", name="Eve"), rng=rng) as eve:
        tournament = (await eve.tournaments.create(terms)).tournament
        for name in BOTS:
            ring.enter(name, tournament)
        while len((await eve.tournaments.get(tournament)).entrants) < len(BOTS):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        await eve.tournaments.start(tournament)
    kills: Counter[str] = Counter()
    until_kill, deadline = rng.randrange(40, 150), time.monotonic() + 4 * DEADLINE_S
    while not ring.over:
        assert time.monotonic() < deadline, (tmp_path / "server.log").read_text()
        until_kill -= ring.moves()
        if until_kill <= 0 and kills.total() < KILLS:
            what = rng.choice(["server", "bot", "bot and server"])
            if "bot" in what:
                name = rng.choice(list(BOTS))
                if ring.bots[name].process.poll() is None:
                    ring.bots[name].kill()
                    ring.enter(name, tournament)
            if "server" in what:
                kill(ring.server)
            kills[what] += 1
            until_kill = rng.randrange(40, 150)
        await asyncio.sleep(0.01)
    assert kills.total() >= 8
    assert len(kills) == 3
    assert [child.process.returncode for child in ring.bots.values()] == [0] * len(BOTS)
    assert ring.server.end() == 0
    pairings, games = await stored(ring.server.database, tournament)
    assert {pairing.state for pairing in pairings} == {"done"}
    check(pairings, games)


async def stored(database: Path, tournament: str) -> tuple[list[Pairing], list[GameRow]]:
    store = await SqlStore.open(database_url(str(database)))
    try:
        found = await store.tournament(tournament)
        assert found is not None
        row, entrants, pairings = found
        assert row.status == "finished"
        assert {entrant.name: entrant.state for entrant in entrants} == dict.fromkeys(BOTS, "in")
        games = await store.tournament_games(tournament, records=True)
        return list(pairings), list(games)
    finally:
        await store.close()


def check(pairings: list[Pairing], games: list[GameRow]) -> None:
    """Assert that each two bots played each opening once in both seats, to the end of the board."""
    last: dict[int, int] = {}
    for game in games:
        assert game.tag is not None
        last[game.tag.pairing] = max(last.get(game.tag.pairing, 0), game.tag.attempt)
    counted = [g for g in games if g.tag is not None and g.tag.attempt == last[g.tag.pairing]]
    records = {game.game_id: parse_record(game.record) for game in counted}
    assert {game.termination for game in counted} == {"completed"}
    board = make_game("dots-and-boxes", {"rows": 3, "cols": 3})
    openings = board.openings(Random(SEED), PAIRS).found
    played = Counter((game.players, records[game.game_id].opening) for game in counted)
    assert played == Counter(
        {(two, opening): 1 for two in permutations(BOTS, 2) for opening in openings}
    )
    tags: Any = Counter(game.tag for game in counted)
    assert set(tags.values()) == {1}
    assert len(counted) == 2 * len(pairings) == 2 * PAIRS * 6
