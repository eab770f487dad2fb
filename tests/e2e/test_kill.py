"""Tests that a server killed again and again during a match loses no move and no game.

`python -m tests.chaos kills` kills a server as often as one likes.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pyspiel
import pytest

from doublecross.games.record import Record, parse_record
from doublecross.processes.ports import free_port
from doublecross.server.store.sql import SqlStore, database_url
from tests.cli.commands import environment
from tests.cli.forking import Forked
from tests.e2e.processes import Child, bot, serve

PAIRS = 10
KILLS = 40


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


async def stored_records(database: Path) -> dict[str, Record]:
    store = await SqlStore.open(database_url(str(database)))
    try:
        rows = await store.games(limit=200)
        found = {}
        for row in rows:
            whole = await store.game(row.game_id)
            assert whole is not None
            found[row.game_id] = parse_record(whole.record)
            assert len(found[row.game_id].moves) == row.plies
        return found
    finally:
        await store.close()


def replay_with_openspiel(record: Record) -> None:
    """Replay a record with OpenSpiel's rules: check moves, turns and the result.

    The openings have an even number of safe edges, so after them player 0 is to move.
    """
    params = record.game.params
    game = pyspiel.load_game(f"dots_and_boxes(num_rows={params['rows']},num_cols={params['cols']})")
    state = game.new_initial_state()
    for action in record.opening:
        state.apply_action(action)
    assert state.current_player() == 0
    for move in record.moves:
        assert move.action in state.legal_actions()
        state.apply_action(move.action)
    assert state.is_terminal()
    assert record.termination == "completed"
    first = state.returns()[0]
    assert record.result == {1.0: "1-0", -1.0: "0-1", 0.0: "1/2-1/2"}[first]


@pytest.mark.timeout(300)
async def test_killed_server_loses_nothing(tmp_path: Path, stack: ExitStack) -> None:
    rng = Random(20)
    database, log = tmp_path / "dc.db", tmp_path / "server.log"
    ports = free_port(), free_port()
    url = f"ws://127.0.0.1:{ports[0]}"
    common = {"server": url, "seed": 1, "rows": 5, "cols": 5}

    def start() -> Forked:
        options = ("--port", str(ports[0]), "--http-port", str(ports[1]), "--database", "dc.db")
        forked = Forked("serve", "--json", *options, cwd=tmp_path, env=environment())
        assert '"ready"' in forked.line()
        return forked

    server: Forked | Child = start()
    stack.callback(lambda: server.close())
    b = bot(tmp_path / "b.log", bot="rules", name="Bea", state=str(tmp_path / "b"), **common)
    stack.callback(b.close)
    a = bot(
        tmp_path / "a.log",
        bot="rules",
        name="Abe",
        state=str(tmp_path / "a"),
        opponent="Bea",
        plan="kill-test",
        pairs=PAIRS,
        opening=4,
        time="300",
        at_once=3,
        **common,
    )
    stack.callback(a.close)

    moves: list[dict[str, Any]] = []
    games: list[dict[str, Any]] = []
    kills = 0
    until_kill = rng.randrange(5, 40)
    end = None
    while (line := a.line()) is not None:
        if line["what"] == "move":
            moves.append(line)
            until_kill -= 1
        elif line["what"] == "game":
            games.append(line)
        else:
            end = line
        if until_kill <= 0 and kills < KILLS and end is None:
            assert isinstance(server, Forked)
            server.send(signal.SIGKILL)
            server.close()
            kills += 1
            # The last one must show how it ends.
            server = start() if kills < KILLS else serve(*ports, database, log)
            until_kill = rng.randrange(5, 40)
    assert kills == KILLS, (tmp_path / "a.log").read_text()
    assert isinstance(server, Child)
    assert end is not None
    assert end["void"] == 0
    assert len(games) == 2 * PAIRS
    assert {game["ended"] for game in games} == {"completed"}
    moves += remaining_moves(b)
    assert server.process.poll() is None
    server.process.terminate()
    assert server.process.wait(20) == 0

    records = await stored_records(database)
    assert len(records) == 2 * PAIRS
    assert {game["game"] for game in games} == set(records)
    # Every planned game was played exactly once: each opening with both colours.
    assert len({(r.opening, r.players) for r in records.values()}) == 2 * PAIRS
    for record in records.values():
        replay_with_openspiel(record)
    seen: set[tuple[str, int]] = set()
    for move in moves:
        record = records[f"{move['room']}-{move['match']}"]
        assert record.moves[move["ply"]].action == move["action"]
        seen.add((move["room"], move["ply"]))
    # Both bots together have seen every move of every record, and no other.
    assert len(seen) == sum(len(r.moves) for r in records.values())


def remaining_moves(child: Child) -> list[dict[str, Any]]:
    """End a bot; return the moves that it still reports."""
    child.process.terminate()
    found = []
    while (line := child.line()) is not None:
        if line["what"] == "move":
            found.append(line)
    return found
