"""Check the positions before the exact search reaches the end, on small boards by brute force."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from benchmarks.processes import BenchmarkError
from benchmarks.search import late
from benchmarks.search.late_positions import (
    LatePosition,
    Origin,
    decide,
    image,
    load,
    net_of,
    resume,
)
from benchmarks.search.positions import safe_edges, sample
from doublecross.bots.api import Limit
from doublecross.bots.search.exact.closure import closure
from doublecross.bots.search.exact.solver import SearchWatch, Solver
from doublecross.games.dots_and_boxes.board import Board, board
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from tests.bots.search.brute import table
from tests.bots.search.test_solver_moves import values_of_moves

pytestmark = pytest.mark.search

SMALL = Origin(size="3x3", nodes=500, shortest=2, longest=4)
WANTED = {14: 2, 13: 2}


def fill(path: Path, wanted: dict[int, int]) -> str:
    late.be_worker(SMALL, 1)
    with ThreadPoolExecutor(1) as pool:
        late.fill(path, SMALL, wanted, pool, 1)
    return path.read_text()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("late") / "set.jsonl"
    fill(path, WANTED)
    return path


def brute_force(shape: Board, edges: int) -> dict[int, int]:
    """Value each free edge by the rules alone."""
    return values_of_moves(shape, edges, table(shape.rows, shape.cols))


@pytest.mark.parametrize(("rows", "cols", "free"), [(2, 3, 12), (3, 3, 13), (2, 2, 9)])
def test_every_edge_is_judged_as_by_brute_force(rows: int, cols: int, free: int) -> None:
    shape = board(rows, cols)
    solver = Solver(shape, 1)
    seen = set()
    for edges in sample(shape, free, 6, seed=2):
        worth = brute_force(shape, edges)
        for net in (-2, -1, 0, 1, 3):
            final = net + max(worth.values())
            found = decide(solver, edges, net, SearchWatch())
            if final < 0:
                assert found is None
                continue
            least = 1 if final > 0 else 0
            keeps = tuple(edge for edge, each in worth.items() if net + each >= least)
            assert found == ("win" if final > 0 else "draw", keeps)
            seen.add(found[0])
    assert seen == {"win", "draw"}


def check(position: LatePosition, game: DotsAndBoxes) -> None:
    state = position.state(game)
    assert state.edges == position.edges
    assert len(state.legal_actions()) == position.free
    assert net_of(state) == position.net
    assert not closure(game.board, state.edges).taken
    assert position.keeps
    assert set(position.keeps) <= set(state.legal_actions())
    assert not set(safe_edges(game.board, state.edges)) <= set(position.keeps)
    if position.value is not None:
        final = position.net + position.value
        assert final > 0 if position.result == "win" else final == 0


def test_a_set_has_what_was_wanted_and_is_right(made: Path) -> None:
    origin, positions = load(made)
    game = DotsAndBoxes(DotsAndBoxes.parse_size(SMALL.size))
    assert origin == SMALL
    assert [each.free for each in positions] == [14, 14, 13, 13]
    assert len({image(game.board, each.edges) for each in positions}) == 4
    for position in positions:
        check(position, game)
        worth = brute_force(game.board, position.edges)
        assert position.value == max(worth.values())
        least = {"win": 1, "draw": 0}[position.result] - position.net
        assert set(position.keeps) == {edge for edge, each in worth.items() if each >= least}


def test_a_set_that_was_cut_off_anywhere_is_completed(made: Path, tmp_path: Path) -> None:
    whole = made.read_text()
    lines = whole.splitlines(keepends=True)
    for number, cut in enumerate((9, len(lines[0]) + 30, len(whole) - 1)):
        path = tmp_path / f"{number}.jsonl"
        path.write_text(whole[:cut])
        assert fill(path, WANTED) == whole
    assert fill(path, WANTED) == whole


def test_what_cannot_be_made_or_read_is_refused(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(late, "TRIES", 5)
    with pytest.raises(BenchmarkError, match="made with other options"):
        resume(made, replace(SMALL, seed=2))
    with pytest.raises(BenchmarkError, match="5 games on 3x3 gave no position with 1 free"):
        fill(tmp_path / "rare.jsonl", {1: 1})
    with pytest.raises(BenchmarkError, match="cannot be read"):
        load(tmp_path / "none.jsonl")
    (tmp_path / "wrong.jsonl").write_text("[]\n")
    with pytest.raises(BenchmarkError, match="no set of late positions"):
        load(tmp_path / "wrong.jsonl")


def test_the_second_search_notices_what_is_wrong(made: Path) -> None:
    game = DotsAndBoxes(DotsAndBoxes.parse_size(SMALL.size))
    for position in load(made)[1]:
        assert late.same(position, game, 1)
        assert not late.same(replace(position, keeps=position.keeps[1:]), game, 1)
        other = {"win": "draw", "draw": "win"}[position.result]
        assert not late.same(replace(position, result=other), game, 1)


def test_a_bot_keeps_what_it_keeps(made: Path) -> None:
    game = DotsAndBoxes(DotsAndBoxes.parse_size(SMALL.size))
    positions = load(made)[1]
    perfect = late.answer("solver", positions, game, Limit(nodes=100_000))
    assert all(each.kept and 0 <= each.chance < 1 for each in perfect)
    assert late.cells(perfect).startswith("4 of 4 | 100% (51% to 100%) | ")
    lost = [replace(each, keeps=()) for each in positions]
    answers = late.answer("solver", lost, game, Limit(nodes=100_000))
    assert late.cells(answers).startswith("0 of 4 | 0% (0% to 49%) | 0% | ")


def test_the_commands_make_check_and_measure(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    runner = CliRunner()
    options = "--size 2x2 --free 8,9 --count 2 --shortest 1 --longest 1 --nodes 200 --memory-mb 1"
    words = ["make", "--out", str(path), *options.split(), "--workers", "1"]
    assert runner.invoke(late.app, words).exit_code == 0
    assert {each.free for each in load(path)[1]} == {8, 9}
    checked = runner.invoke(late.app, ["verify", "--file", str(path), "--every", "1"])
    assert "2 positions solved again, 0 differ" in checked.output
    words = ["measure", "solver", "--file", str(path), "--nodes", "100000"]
    rows = runner.invoke(late.app, words).output.splitlines()
    assert any("| all |" in row and "100%" in row for row in rows)
    unknown = runner.invoke(late.app, ["measure", "nobody", "--file", str(path)])
    assert unknown.exit_code == 1
    assert "nobody" in unknown.output
    assert runner.invoke(late.app, ["measure", "solver", "--seconds", "1,x"]).exit_code == 2


def test_the_fixed_set_fits_its_rules() -> None:
    origin, positions = load(late.FILE)
    game = DotsAndBoxes(DotsAndBoxes.parse_size(origin.size))
    assert len({image(game.board, each.edges) for each in positions}) == len(positions) > 0
    for position in positions:
        check(position, game)
    assert late.FILE.stat().st_size < 100_000


def test_a_symmetric_position_has_the_same_image() -> None:
    shape = board(3, 3)
    edges = sum(1 << edge for edge in Random(1).sample(range(shape.num_edges), 7))
    images = [sum(1 << to[each] for each in shape.members(edges)) for to in shape.symmetries]
    assert len(set(images)) > 1
    assert {image(shape, each) for each in images} == {min(images)}
