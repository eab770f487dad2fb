"""Check the kernels for any board size against the rules and against brute force."""

from __future__ import annotations

from random import Random
from statistics import fmean, pstdev

import pytest

from doublecross.bots.api import Limit, NeverStop
from doublecross.bots.registry import make_bot
from doublecross.bots.search.chance import seeded
from doublecross.bots.search.sampling import board as ob
from doublecross.bots.search.sampling import rollouts
from doublecross.bots.search.sampling.moves import double_dealing_edge, worthwhile_edges
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState
from doublecross.games.dots_and_boxes.structure import (
    analyse,
    boxes_given,
    capturable_boxes,
    capturing_edges,
    double_dealing_edges,
    safe_edges,
)

SIZES = [(1, 1), (1, 6), (3, 2), (5, 5), (10, 10)]
every_size = pytest.mark.parametrize(("rows", "cols"), SIZES)


def start(rows: int, cols: int, opening: int = 0, seed: int = 0) -> DotsAndBoxesState:
    game = DotsAndBoxes({"rows": rows, "cols": cols})
    drawn = Random(seed).sample(range(game.num_actions), opening)
    return game.initial_state(drawn)


def as_list(position: ob.BoardArrays) -> list[list[int]]:
    return [array.tolist() for array in position]


@every_size
def test_drawing_follows_the_rules(rows: int, cols: int) -> None:
    rng = Random(rows)
    # Boxes that the opening completes are nobody's.
    state = start(rows, cols, opening=rows * cols, seed=cols)
    tables, position = ob.tables_of(state.board), ob.position_of(state)
    while not state.is_terminal():
        edge = rng.choice(state.legal_actions())
        boxes = sum(state.scores())
        takes = ob.captured_by(tables, position, edge)
        assert ob.is_safe(tables, position, edge) == (edge in safe_edges(state))
        state.apply(edge)
        assert ob.draw(tables, position, edge) == takes == sum(state.scores()) - boxes
        expected = as_list(ob.position_of(state))
        if state.is_terminal():
            expected[2][ob.MOVER] = int(position.counts[ob.MOVER])
        assert position.degree[-1] < 0  # The ground's entry has no meaning.
        expected[1][-1] = int(position.degree[-1])
        assert as_list(position) == expected


@every_size
def test_captures_and_double_dealing_moves_are_found(rows: int, cols: int) -> None:
    seen = 0
    for seed in range(60):
        edges = DotsAndBoxes({"rows": rows, "cols": cols}).num_actions
        state = start(rows, cols, Random(seed).randrange(edges // 2, edges), seed)
        tables, position = ob.tables_of(state.board), ob.position_of(state)
        boxes = capturable_boxes(state)
        found = {ob.capturing_edge(tables, position, box) for box in boxes}
        assert found == set(capturing_edges(state))
        dealing = {double_dealing_edge(tables, position, box) for box in boxes} - {-1}
        assert dealing == set(double_dealing_edges(state))
        seen += len(dealing)
    assert seen > 0 or rows * cols == 1


def nets(state: DotsAndBoxesState, informed: bool, games: int) -> list[int]:
    """Return final net scores of seat 0 in rollouts."""
    tables, scratch = ob.tables_of(state.board), ob.scratch_of(state.board)
    root, work, chance = ob.position_of(state), ob.position_of(state), seeded(Random(5))
    play = rollouts.rules_rollout if informed else rollouts.random_rollout
    found = []
    for _ in range(games):
        ob.copy_position(root, work)
        play(tables, work, scratch, chance)
        assert work.drawn.all()
        assert work.counts[ob.EDGES] == work.counts[ob.BOXES] == 0
        found.append(int(work.counts[0] - work.counts[1]))
    return found


def tolerance(first: list[int], second: list[int]) -> float:
    """Return four standard errors of the difference of two means."""
    """Four standard errors of the difference of two means."""
    return 4 * (pstdev(first) ** 2 / len(first) + pstdev(second) ** 2 / len(second)) ** 0.5


@pytest.mark.parametrize(("rows", "cols", "drawn"), [(1, 3, 1), (2, 2, 0), (2, 3, 4), (4, 4, 10)])
def test_random_rollouts_end_as_random_games_do(rows: int, cols: int, drawn: int) -> None:
    state = start(rows, cols, drawn)
    rng, expected = Random(2), []
    for _ in range(2000):
        game = state.clone()
        while not game.is_terminal():
            game.apply(rng.choice(game.legal_actions()))
        expected.append(game.scores()[0] - game.scores()[1])
    found = nets(state, False, 2000)
    assert abs(fmean(found) - fmean(expected)) < tolerance(found, expected)
    assert abs(pstdev(found) - pstdev(expected)) < 0.1 * pstdev(expected)


@pytest.mark.parametrize(("rows", "cols", "drawn"), [(2, 3, 0), (3, 3, 8), (3, 4, 6), (5, 5, 20)])
def test_rules_rollouts_end_as_games_of_the_rules_player(rows: int, cols: int, drawn: int) -> None:
    state = start(rows, cols, drawn, seed=3)
    expected = []
    for seed in range(120):
        game, bot = state.clone(), make_bot("rules", Random(seed))
        while not game.is_terminal():
            game.apply(bot.choose(game, Limit(), NeverStop()).action)
        expected.append(game.scores()[0] - game.scores()[1])
    found = nets(state, True, 3000)
    assert abs(fmean(found) - fmean(expected)) < tolerance(found, expected)


def test_the_smallest_chain_or_loop_is_opened() -> None:
    swept = 0
    for seed in range(300):
        state, rng = start(4, 4), Random(seed)
        while safe := safe_edges(state):
            state.apply(rng.choice(safe))
        parts = analyse(state)
        position, scratch = ob.position_of(state), ob.scratch_of(state.board)
        edge = rollouts.shortest_handout(
            ob.tables_of(state.board), position, scratch.seen, seeded(Random(seed))
        )
        given = {edge: boxes_given(state, edge) for edge in state.legal_actions()}
        assert given[edge] == min(given.values())
        swept += given[edge] > min(map(len, (*parts.chains, *parts.loops)))
        for chain in parts.chains:
            assert edge not in chain.half_hearted
    assert swept > 3


def value(state: DotsAndBoxesState, worthwhile: bool, known: dict[tuple[int, int], int]) -> int:
    """Return the mover's net score by brute force, over all edges or only over worthwhile ones."""
    if state.is_terminal():
        return 0
    key = (state.edges, worthwhile)
    if key not in known:
        edges = state.legal_actions()
        if worthwhile:
            scratch = ob.scratch_of(state.board)
            count = worthwhile_edges(ob.tables_of(state.board), ob.position_of(state), scratch)
            picked = scratch.order[:count].tolist()
            assert len(set(picked)) == count > 0
            assert set(picked) <= set(edges)
            edges = picked
        known[key] = max(stroke_value(state, edge, worthwhile, known) for edge in edges)
    return known[key]


def stroke_value(
    state: DotsAndBoxesState, edge: int, worthwhile: bool, known: dict[tuple[int, int], int]
) -> int:
    mover = state.current_player()
    before = state.scores()[mover]
    state.apply(edge)
    taken = state.scores()[mover] - before
    rest = value(state, worthwhile, known)
    state.undo()
    return taken + rest if taken else -rest


@pytest.mark.parametrize(
    ("rows", "cols", "left", "seeds"),
    [(2, 2, 12, 1), (1, 5, 11, 8), (2, 3, 12, 6), (3, 3, 12, 10), (4, 4, 11, 15), (3, 5, 11, 15)],
)
def test_pruned_edges_change_no_value(rows: int, cols: int, left: int, seeds: int) -> None:
    edges = DotsAndBoxes({"rows": rows, "cols": cols}).num_actions
    shorter = 0
    for seed in range(seeds):
        state = start(rows, cols, edges - left, seed)
        known: dict[tuple[int, int], int] = {}
        assert value(state, True, known) == value(state, False, known)
        shorter += sum(worthwhile for _, worthwhile in known) < len(known) / 2
    assert shorter == seeds
