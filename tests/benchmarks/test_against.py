"""Tests the comparison with other servers: their rules, what clients read, and small rounds."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks.processes import BenchmarkError
from benchmarks.server import measure, node, report
from benchmarks.server.against import KINDS, Kind
from benchmarks.server.colyseus import Board, Colyseus, boards, patched, request
from benchmarks.server.play import script
from benchmarks.server.processes import on_node
from benchmarks.server.wire import LoadError, Loop
from tests.benchmarks.test_server import SMALL

_PLAY = """
import { board, draw, refusal } from "./rules.mjs";
const { size, games } = JSON.parse(process.argv[1]);
const shape = board(size, size);
const found = games.map(({ first, actions }) => {
  const state = { ply: 0, turn: first, scores: [0, 0], edges: new Array(shape.edges).fill(0),
    owners: new Array(size * size).fill(0) };
  return actions.map((edge) => {
    const why = [refusal(state, shape, 1 - state.turn, edge), refusal(state, shape, state.turn, -1),
      refusal(state, shape, state.turn, shape.edges), refusal(state, shape, state.turn, "1"),
      refusal(state, shape, state.turn, edge)];
    draw(state, shape, edge);
    why.push(refusal(state, shape, state.turn, edge));
    return { ...structuredClone(state), why };
  });
});
console.log(JSON.stringify(found));
"""
_NONE = "There is no such edge."


def test_the_rules_of_the_node_program_are_ours() -> None:
    program = shutil.which("node")
    if program is None:
        pytest.skip("There is no Node.js: apt-get install nodejs npm")
    games: list[dict[str, Any]] = [
        {"first": seed % 2, "actions": script(3, Random(seed))[0]} for seed in range(6)
    ]
    given = json.dumps({"size": 3, "games": games})
    said = subprocess.run(
        [program, "--input-type=module", "-e", _PLAY, given],
        cwd=node.PROGRAMS,
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    for game, positions in zip(games, json.loads(said.stdout), strict=True):
        expected = boards(3, game["actions"], game["first"])[1:]
        for board, position in zip(expected, positions, strict=True):
            other, *none, legal, drawn = position.pop("why")
            assert (other, legal) == ("It is the other player's turn.", "")
            assert none == [_NONE] * 3
            assert drawn == "This edge is already drawn."
            made: dict[str, Any] = {
                name: tuple(x) if isinstance(x, list) else x for name, x in position.items()
            }
            assert Board(**made) == board
        assert sum(expected[-1].scores) == 9


def test_patches_are_read_or_refused() -> None:
    before = Board(0, 0, (0, 0), (0, 0, 0, 0), (0,))
    parts: dict[int, str] = {}
    state = bytes.fromhex("0e 8000 8101 8204 8305 8406 ff04 800000 ff05 800301")
    assert patched(before, state, parts) == Board(0, 1, (0, 0), (0, 0, 0, 1), (0,))
    assert parts == {4: "scores", 5: "edges", 6: "owners"}
    later = bytes.fromhex("0f ff05 000201 ff06 800002 ff04 000101 ff00 8007")
    assert patched(before, later, parts) == Board(7, 0, (0, 1), (0, 0, 1, 0), (2,))
    for wrong in ("0f 8500", "0f ff09 000001", "0f ff05 400001"):
        with pytest.raises(LoadError):
            patched(before, bytes.fromhex(wrong), parts)


def test_without_npm_the_reason_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"dependencies": {"nothing": "1.0.0"}}')
    monkeypatch.setattr(node, "PROGRAMS", tmp_path)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(BenchmarkError, match="There is no npm"):
        node.install()


needs_servers = pytest.mark.skipif(
    sys.platform != "linux" or not node.installed(),
    reason="They are not installed: python -m benchmarks.server play --against colyseus",
)


@needs_servers
@pytest.mark.parametrize("kind", [kind for kinds in KINDS.values() for kind in kinds])
def test_all_moves_reach_both_players(kind: Kind, tmp_path: Path) -> None:
    database = tmp_path / "moves.db" if kind.durable else None
    with on_node(0, node.install(), kind.program, kind.patches, database) as server:
        loop = Loop()
        work = Colyseus(loop, server.url, server.http, server.pid, 2, 2, kind.patches)
        try:
            work.start()
            while work.matches < 12:
                loop.turn(10)
            work.pause()
            while work.waiting:
                loop.turn(10)
            assert work.done >= 12 * 12
            assert all(all(known) for pair in work.pairs for known in pair.known)
            # A move that the server refuses is not an answer that the load accepts.
            player = work.pairs[0].mover
            assert player is not None
            other = work.pairs[0].players[1 - player.me]
            other.send_frame(request("move", 0))
            with pytest.raises(LoadError):
                _turn_on(loop)
        finally:
            work.close()


def _turn_on(loop: Loop) -> None:
    while True:  # the last answers to the other player may come first
        loop.turn(10)


@needs_servers
def test_the_comparison_runs_and_is_reported() -> None:
    plan = replace(SMALL, against=("ws", "ws-durable"), more_rooms=2)
    with measure.session(plan) as (server, generator):
        found = measure.play(plan, server, generator, lambda _: None)
    beside = found["against"]
    assert beside["lost"] == beside["servers"]["ws-durable"]["lost"] == 0
    # Who stores nothing loses everything; so the count of what is lost can fail.
    assert beside["servers"]["ws"]["lost"] > 0
    assert all(figures["cpu_us"]["median"] > 0 for figures in beside["servers"].values())
    assert beside["versions"]["node"].startswith("v")
    names = [line.name for line in report.lines({"play": found})]
    assert "answered moves lost by a kill, here" in names
    assert "CPU of a move, ws-durable" in names
