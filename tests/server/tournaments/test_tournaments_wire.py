"""Tournaments of real bots on a real server with SQLite, some of whose commits fail."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import pytest

from doublecross.client.options import Login
from doublecross.client.transport import Client
from doublecross.protocol.common import MatchSettings, TimeControl, TournamentTerms
from doublecross.protocol.server_messages import TournamentState
from doublecross.server.core.storage import Batch, GameRow, StoreError
from doublecross.server.shell.app import DoublecrossServer
from doublecross.server.shell.settings import ServerSettings
from doublecross.server.store.sql import SqlStore, database_url
from tests.bots.running import running
from tests.protocol.wire import serving

pytestmark = pytest.mark.processes

PATIENCE_S = 20.0


class FlakyStore(SqlStore):
    """Let one commit fail in every so many, before or after storing its batch."""

    rng: Random | None = None
    failed = 0

    async def commit(self, batch: Batch) -> None:
        fails = self.rng is not None and self.rng.random() < 0.1
        if not fails:
            await super().commit(batch)
            return
        assert self.rng is not None
        self.failed += 1
        if self.rng.random() < 0.5:
            await super().commit(batch)
        raise StoreError("The disk says that it is full.")


def terms(**more: object) -> TournamentTerms:
    settings = MatchSettings(
        game="dots-and-boxes",
        params={"rows": 2, "cols": 2},
        time=TimeControl(base_ms=60_000),
        rated=True,
    )
    return TournamentTerms(
        name="Spring",
        format="round-robin",
        settings=settings,
        seed=3,
        **more,  # type: ignore[arg-type]
    )


async def state_when(client: Client, tournament: str, status: str) -> TournamentState:
    async with asyncio.timeout(PATIENCE_S):
        while (state := await client.tournaments.get(tournament)).status != status:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    return state


async def joined(server: DoublecrossServer, tournament: str, count: int) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while len(server.authority.director.registry.running[tournament].numbers) < count:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("seed", [1, 2])
async def test_failed_commits_lose_no_game_and_repeat_none(tmp_path: Path, seed: int) -> None:
    store = await FlakyStore.open(database_url(str(tmp_path / "games.db")))
    server = DoublecrossServer(
        ServerSettings(host="127.0.0.1", port=0, http_port=0, stop_s=0.2), store
    )
    await server.start()
    try:
        games = await played(server, store, tmp_path, seed)
    finally:
        await server.stop()
    tags = Counter((g.tag.pairing, g.tag.game) for g in games if g.tag is not None)
    assert tags == Counter((pairing, game) for pairing in range(9) for game in (0, 1))
    assert {g.termination for g in games} == {"completed"}


async def played(
    server: DoublecrossServer, store: FlakyStore, folder: Path, seed: int
) -> Sequence[GameRow]:
    """Return the games of a tournament that is played while commits fail."""
    url = server.addresses.ws
    async with (
        AsyncExitStack() as stack,
        Client(url, Login("human", name="Ann"), rng=Random(seed)) as ann,
    ):
        tournament = (await ann.tournaments.create(terms(pairs=3))).tournament
        for name in ("greedy", "rules", "random"):
            await stack.enter_async_context(
                running(url, folder / name, name, tournament=tournament)
            )
        await joined(server, tournament, 3)
        await ann.tournaments.start(tournament)
        store.rng = Random(seed)
        held = server.authority.director.registry.running
        async with asyncio.timeout(PATIENCE_S):
            while tournament in held:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        store.rng = None
        state = await state_when(ann, tournament, "finished")
        assert store.failed > 0  # commits are as many as fall into one
        assert state.games_played == 18
        return await store.tournament_games(tournament)


async def test_a_bot_that_stays_away_does_not_stop_the_others(tmp_path: Path) -> None:
    async with (
        serving(tmp_path, absence_s=0.4, grace_s=0.1) as server,
        AsyncExitStack() as stack,
        Client(server.addresses.ws, Login("human", name="Ann"), rng=Random(1)) as ann,
    ):
        url = server.addresses.ws
        tournament = (await ann.tournaments.create(terms(patience=100))).tournament
        for name in ("greedy", "rules"):
            await stack.enter_async_context(
                running(url, tmp_path / name, name, tournament=tournament)
            )
        async with running(url, tmp_path / "random", "random", tournament=tournament):
            await joined(server, tournament, 3)
        await ann.tournaments.start(tournament)
        state = await state_when(ann, tournament, "finished")
        found = {e.player: (e.state, e.reason, e.games) for e in state.entrants}
        assert found.pop("random") == ("aside", "was away for 0.4 s", 0)
        assert set(found.values()) == {("in", "", 2)}
