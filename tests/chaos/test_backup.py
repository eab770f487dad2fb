"""Backups that are made while many play have every move that was acknowledged before they began."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final, TypeAlias

import pytest

from doublecross.cli.main import main
from doublecross.client.options import Login
from doublecross.client.transport import Client
from doublecross.games.record import parse_record
from tests.bots.running import until
from tests.chaos.games import Ledger, Player, Room, players
from tests.chaos.servers import ForkedServer
from tests.server.store.conftest import empty_postgresql, postgresql_url

__all__ = ["postgresql_url"]  # a fixture

Moves: TypeAlias = dict[tuple[str, int], int]
"""Actions by game and ply."""
ROOMS: Final = 6
BACKUPS: Final = 3
PAUSE_S: Final = 0.02
"""The mean time before a move."""


class _Server(ForkedServer):
    """A server on a database that its URL or path names."""

    def __init__(self, folder: Path, database: str) -> None:
        super().__init__(folder, grace_s=600)
        self.database: Any = database


async def run(*arguments: str) -> None:
    """Run the command; in a thread, because it has an event loop of its own."""
    assert await asyncio.to_thread(main, list(arguments)) == 0


async def play_and_save(folder: Path, database: str) -> tuple[Moves, list[str]]:
    """Play in all rooms while backups are made one after the other.

    Returns the moves that were acknowledged before the last backup began, and the players' tokens.
    """
    ledger, rng, saved, meanwhile = Ledger(), Random(5), 0, 0
    names = [f"player{number}" for number in range(2 * ROOMS)]
    with _Server(folder, database) as server:
        async with players(server.url, names, rng) as found:
            pairs = zip(found[::2], found[1::2], strict=True)
            tables = [Room(pair, ledger, Random(rng.random())) for pair in pairs]
            await asyncio.gather(*(table.open() for table in tables))
            playing = asyncio.gather(
                *(table.play(1, PAUSE_S, lambda: saved == BACKUPS) for table in tables)
            )
            for number in range(BACKUPS):
                enough = len(ledger.moves) + 4 * ROOMS
                await until(partial(_has, ledger.moves, enough))
                acknowledged = dict(ledger.moves)
                await run("backup", f"{folder}/{number}.tar", "--database", database)
                saved += 1
                meanwhile += len(ledger.moves) - len(acknowledged)
            assert meanwhile, "Nobody played while the backups were made."
            await playing
            return acknowledged, [_token(player) for player in found]


def _has(things: Mapping[Any, Any], count: int) -> bool:
    return len(things) >= count


def _token(player: Player) -> str:
    return player._tokens[-1]


async def check(folder: Path, database: str, moves: Moves, tokens: list[str]) -> None:
    """Start a server on a restored database; check that players log in and find all moves."""
    await run("database", "verify", database)
    with _Server(folder, database) as server:
        for seat, token in enumerate(tokens):
            async with Client(server.url, Login("human", token=token), rng=Random(1)) as client:
                assert client.session.welcome is not None
                assert client.session.welcome.player.name == f"player{seat}"
                if seat % 2:
                    continue
                rooms = client.session.rooms
                await until(partial(_has, rooms, 1))
                (room,) = rooms
                for match in range(1, rooms[room].match + 1):
                    game = f"{room}-{match}"
                    expected = {ply: action for (of, ply), action in moves.items() if of == game}
                    if match == rooms[room].match:
                        played = rooms[room].state.history()
                    else:
                        record = parse_record((await client.get_record(game)).text)
                        played = tuple(move.action for move in record.moves)
                    assert {ply: played[ply] for ply in expected} == expected
                    for ply in expected:
                        del moves[game, ply]
        assert server.end() == 0
    assert not moves


@pytest.mark.timeout(120)
async def test_a_backup_under_load_has_all_acknowledged_moves(tmp_path: Path) -> None:
    moves, tokens = await play_and_save(tmp_path, str(tmp_path / "games.db"))
    empty = tmp_path / "elsewhere"
    empty.mkdir()
    database = str(empty / "games.db")
    await run("restore", f"{tmp_path}/{BACKUPS - 1}.tar", "--database", database)
    await check(empty, database, moves, tokens)


@pytest.mark.slow
@pytest.mark.timeout(120)
async def test_a_backup_of_postgresql_under_load_has_all_acknowledged_moves(
    tmp_path: Path,
    postgresql_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    moves, tokens = await play_and_save(tmp_path, postgresql_url)
    assert await empty_postgresql() == postgresql_url
    await run("restore", f"{tmp_path}/{BACKUPS - 1}.tar", "--database", postgresql_url)
    await check(tmp_path, postgresql_url, moves, tokens)
