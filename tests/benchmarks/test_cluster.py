"""Tests of the benchmark of clusters: it runs with small numbers, and notices lost moves."""

from __future__ import annotations

import sys
from collections import deque
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgpack
import pytest

from benchmarks.cluster import measure, report
from benchmarks.cluster.play import CheckedPlayer
from benchmarks.cluster.world import World
from benchmarks.server.wire import LoadError
from tests.services.binaries import need


def player() -> tuple[CheckedPlayer, list[int]]:
    """Return the player who moves at plies 0 and 2, without a connection, and its turns."""
    turns: list[int] = []
    one = CheckedPlayer.__new__(CheckedPlayer)
    play = SimpleNamespace(done=0, waiting=1, timing=False, latencies=[], ready=deque())
    pair: Any = SimpleNamespace(
        play=play,
        actions=[5, 6, 7],
        movers=[0, 1, 0],
        match=1,
        turn=lambda _: turns.append(one.ply),
    )
    one.pair, one.me, one.ply, one.asked = pair, 0, 0, True
    one.moves, one.mine = [], 0
    return one, turns


def move(ply: int, action: int, **more: Any) -> bytes:
    packed: bytes = msgpack.packb({"type": "move", "ply": ply, "action": action, **more})
    return packed


def shown(*moves: int) -> bytes:
    snapshot = {"moves": list(moves), "match": 1}
    packed: bytes = msgpack.packb({"type": "room_state", "snapshot": snapshot})
    return packed


def test_a_player_goes_on_after_events_and_after_a_snapshot() -> None:
    one, turns = player()
    one.handle_frame(move(0, 5, id=100))
    assert (one.pair.play.done, one.mine, turns) == (1, -1, [])
    one.handle_frame(move(1, 6))
    assert turns == [2]
    one.mine = 2
    one.handle_frame(shown(5, 6))  # the new owner has not got the move
    assert one.mine == 2
    one.handle_frame(shown(5, 6, 7))  # it had, and the answer was lost
    one.handle_frame(move(2, 7, id=102))  # the answer to the repeated request
    assert (one.pair.play.done, one.mine, turns) == (2, -1, [2])


@pytest.mark.parametrize(
    ("frames", "sentence"),
    [
        ((move(0, 5), move(0, 5)), "A move came twice"),
        ((move(0, 5), move(0, 4, id=1)), "Ply 0 was 5 before"),
        ((move(0, 5), move(2, 7)), "Move 1 is missing"),
        ((move(0, 5), move(1, 6), shown(5)), "The room lost moves: 2 known, 1 shown"),
        ((move(0, 4),), "Ply 0 is another move"),
    ],
)
def test_a_lost_or_doubled_move_is_noticed(frames: tuple[bytes, ...], sentence: str) -> None:
    one, _ = player()
    for frame in frames[:-1]:
        one.handle_frame(frame)
    with pytest.raises(LoadError, match=sentence):
        one.handle_frame(frames[-1])


def test_the_report_compares_with_what_is_wanted() -> None:
    figure = {"median": 0.4, "least": 0.3, "most": 0.5}
    found = report.lines({"drain": {"rooms": 1000, "longest_s": figure}})
    assert [(line.value, line.target, line.met) for line in found] == [
        ("0.40 s (0.30 to 0.50)", "at most 0.3 s", False)
    ]


@pytest.mark.slow
@pytest.mark.timeout(120)  # Processes have to start.
@pytest.mark.skipif(sys.platform != "linux", reason="it reads the CPU clocks of processes")
def test_moves_are_measured_elsewhere_and_while_a_node_ends(tmp_path: Path) -> None:
    need("initdb", "postgres", "nats-server")
    plan = replace(measure.QUICK, rounds=1, seconds=0.2, lead_s=0.1, rooms=4, live_rooms=4)
    world = World(tmp_path)
    said: list[str] = []
    try:
        parts = {
            "apart": measure.apart(plan, world, said.append),
            "drain": measure.drain(plan, world, said.append),
        }
    finally:
        world.close()
    assert len(said) == 2
    assert len(report.lines(parts)) == 7
    assert parts["drain"]["all_s"]["median"] > 0
