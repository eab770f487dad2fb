"""Measure what PostgreSQL needs: its processor time and WAL, and that of a node's event loop."""

from __future__ import annotations

import tracemalloc
from collections.abc import Awaitable, Callable
from dataclasses import replace
from random import Random
from typing import Final

import asyncpg

from benchmarks.scaling.leader_parts import NODES, RUN, T0, Clock, Found
from benchmarks.server.meter import cpu_s
from doublecross.server.core.cluster_storage import Claim, ClusterBatch, LogWrite
from doublecross.server.core.rating_book import PERIOD_MS, RatedGame, RatingBook
from doublecross.server.core.storage import JournalEntry
from doublecross.server.store.cluster.store import ClusterStore
from tests.server.store.samples import GAME

_GAMES: Final = 50
_RATED: Final = 20_000
_PEOPLE: Final = 1000
"""Rated games whose memory is measured, and in each seat so many people."""


async def database(
    connection: asyncpg.Connection, store: ClusterStore, found: Found, commits: int
) -> None:
    """Measure commits and renewals: PostgreSQL's processes, and the event loop of the node."""
    await store.renew(RUN)
    await _pretend_nodes(connection)
    claim = await store.create_log(RUN)
    clock = Clock()
    used: dict[int, tuple[float, float]] = {}
    first = 1
    for size in (500, 7000):
        frames = bytes(Random(size).randbytes(size))

        async def commit(number: int, frames: bytes = frames, first: int = first) -> None:
            entry = JournalEntry(first + number, T0, frames)
            await store.commit(ClusterBatch([LogWrite(claim, entry)]))

        await connection.execute("CHECKPOINT")
        before = await _wal(connection)
        postgres_us = await _repeat(connection, commit, commits, clock)
        wal = (await _wal(connection) - before) / commits
        used[size] = (postgres_us, wal)
        first += commits + 1
        if size == 7000:
            found.add("commit_loop_us", clock.spent.us / commits, "us")
    step = (7000 - 500) / 1000
    (small_us, small_wal), (large_us, large_wal) = used[500], used[7000]
    found.add("commit_postgres_us", small_us - 0.5 * (large_us - small_us) / step, "us")
    found.add("commit_postgres_kb_us", (large_us - small_us) / step, "us")
    found.add("commit_wal_bytes", small_wal - 500 * (large_wal - small_wal) / 6500, "bytes")
    found.add("wal_per_byte", (large_wal - small_wal) / 6500, "bytes")

    await _games(store, claim, found, first, commits, connection, clock)

    async def renew(_: int) -> None:
        await store.renew(RUN)

    async def snapshot(_: int) -> None:
        await store.snapshot()

    before = await _wal(connection)
    found.add("renewal_postgres_us", await _repeat(connection, renew, commits // 2, clock), "us")
    found.add("renewal_loop_us", clock.spent.us / (commits // 2), "us")
    found.add("renewal_wal_bytes", (await _wal(connection) - before) / (commits // 2), "bytes")
    found.add("picture_postgres_us", await _repeat(connection, snapshot, commits // 4, clock), "us")
    found.add("picture_loop_us", clock.spent.us / (commits // 4), "us")


async def _games(
    store: ClusterStore,
    claim: Claim,
    found: Found,
    first: int,
    commits: int,
    connection: asyncpg.Connection,
    clock: Clock,
) -> None:
    """Measure rows of finished games, and how a leader reads them when it opens."""
    groups = max(4, commits // 50)

    async def commit(number: int) -> None:
        # Others in each group, because few games a day of the same two count.
        games = [
            replace(
                GAME,
                game_id=f"g{number}-{each}",
                room=f"r{number}-{each}",
                players=(f"first-{each}", f"second-{(each + number) % _GAMES}"),
                finished_ms=GAME.finished_ms + number * PERIOD_MS,
            )
            for each in range(_GAMES)
        ]
        entry = JournalEntry(first + number, T0, b"frames")
        await store.commit(ClusterBatch([LogWrite(claim, entry)], games))

    await store.renew(RUN)
    before = await _wal(connection)
    postgres_us = await _repeat(connection, commit, groups, clock)
    wal = await _wal(connection) - before
    found.add("game_loop_us", clock.spent.us / groups / _GAMES, "us")
    found.add("game_postgres_us", postgres_us / _GAMES, "us")
    found.add("game_wal_bytes", wal / (groups + 1) / _GAMES, "bytes")
    await _book(store, claim, found, clock)


async def _book(store: ClusterStore, claim: Claim, found: Found, clock: Clock) -> None:
    """Measure how a leader reads the stored games for the ratings, and what it keeps of each."""
    book = RatingBook()
    count = 0
    with clock.running():
        async for played in store.store_of(claim).rated_games():
            book.add(played)
            count += 1
    found.add("game_read_us", clock.spent.us / count, "us")
    tracemalloc.start()
    try:
        with clock.running():
            kept = RatingBook()
            for number in range(_RATED):
                players = f"person-{number % _PEOPLE}", f"other-{number * 7 % _PEOPLE}"
                at_ms = number * PERIOD_MS
                kept.add(RatedGame(f"game-{number}", "game", "5x5", players, ("", ""), 0, at_ms))
        found.add("leader_game_bytes", clock.spent.held / _RATED, "bytes")
    finally:
        tracemalloc.stop()


async def _pretend_nodes(connection: asyncpg.Connection) -> None:
    """Add nodes and logs, because renewals read those of all."""
    await connection.execute(
        "INSERT INTO nodes (node, run, until_ms, since_ms, started_ms, version, address)"
        " SELECT 'node-' || n, 'run-' || n, 4000000000000, 0, 0, '', ''"
        " FROM generate_series(1, $1) n",
        NODES - 1,
    )
    await connection.execute(
        "INSERT INTO logs (log, token, owner, last_entry)"
        " SELECT 'a' || n, n, 'run-' || ((n - 1) / 2 + 1), 0 FROM generate_series(1, $1) n",
        2 * (NODES - 1),
    )


async def _wal(connection: asyncpg.Connection) -> float:
    return float(await connection.fetchval("SELECT pg_current_wal_insert_lsn() - '0/0'"))


async def _repeat(
    connection: asyncpg.Connection,
    work: Callable[[int], Awaitable[None]],
    count: int,
    clock: Clock,
) -> float:
    """Do something so many times; return the microseconds of PostgreSQL for each."""
    pids = [row["pid"] for row in await connection.fetch("SELECT pid FROM pg_stat_activity")]
    own = connection.get_server_pid()

    def used() -> float:
        return sum(cpu_s(pid) for pid in pids if pid != own)

    await work(0)
    before = used()
    with clock.running():
        for number in range(1, count + 1):
            await work(number)
    return 1e6 * (used() - before) / (count)
