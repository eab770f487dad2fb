"""Check `minimax` and `alphabeta`: equal values, and the node counts of textbooks."""

from __future__ import annotations

from math import inf, perm
from random import Random

import pytest

from doublecross.bots.alphabeta import ENTRY_BYTES, Bound, TranspositionTable, alphabeta
from doublecross.bots.api import BotError
from doublecross.bots.evaluations import EVALUATIONS, NET, UNFILLED
from doublecross.bots.minimax import minimax
from doublecross.bots.textbook import SearchResult
from doublecross.games.api import Game, State
from doublecross.games.registry import game_class
from tests.bots.textbook_bots import BOTS, TIC_TAC_TOE, ask, dots_and_boxes, make

# ---- what both must find, written down a second time ----


def worth(state: State, evaluation: str, root: int) -> float:
    owners = state.owners()
    value = float(owners.count(root) - owners.count(1 - root))
    if state.game.key == "tic-tac-toe":
        return state.returns()[root]
    if evaluation == "unfilled":
        free = set(state.legal_actions())
        cells = state.game.geometry().cells
        value += 0.5 * sum(not free.isdisjoint(cell.segments) for cell in cells)
    return value


def reference(state: State, depth: int, evaluation: str, root: int) -> float:
    if depth == 0 or state.is_terminal():
        return worth(state, evaluation, root)
    values = []
    for action in state.legal_actions():
        child = state.clone()
        child.apply(action)
        values.append(reference(child, depth - 1, evaluation, root))
    return max(values) if state.current_player() == root else min(values)


def random_position(game: Game, rng: Random) -> State:
    """Return a random position of a game that is not over, from any opening."""
    while True:
        taken = rng.sample(range(game.num_actions), rng.randrange(game.num_actions))
        cut = rng.randrange(len(taken) + 1)
        try:
            state = game.replay(taken[:cut], taken[cut:])
        except ValueError:
            continue  # won before the last mark
        if not state.is_terminal():
            return state


SIZES = [
    *(("dots-and-boxes", size) for size in ("1x1", "1x4", "2x2", "2x3", "3x3")),
    *(("tic-tac-toe", size) for size in ("3x3x3", "3x4x3", "4x4x4")),
]
SHARED = TranspositionTable()
"""One table for everything: games, sizes, depths, evaluations and players must not mix in it."""


def check_line(state: State, found: SearchResult, evaluation: str, root: int) -> None:
    """Check that the line leads to a leaf of that value."""
    ply = state.ply
    for action in found.pv:
        state.apply(action)
    assert len(found.pv) == found.depth or state.is_terminal()
    assert worth(state, evaluation, root) == found.value
    while state.ply > ply:
        state.undo()


def check_start(state: State, found: SearchResult, evaluation: str, root: int) -> None:
    """Check that the line is best play; the table may have lost its end."""
    for number, action in enumerate(found.pv):
        state.apply(action)
        left = found.depth - number - 1
        assert reference(state, left, evaluation, root) == found.value
    for _ in found.pv:
        state.undo()


@pytest.mark.parametrize(("key", "size"), SIZES)
def test_both_find_the_value_with_and_without_a_table(key: str, size: str) -> None:
    kind = game_class(key)
    game = kind(kind.parse_size(size))
    rng = Random(f"{key} {size}")
    values = set()
    for _ in range(25):
        state = random_position(game, rng)
        before = (state.serialize(), state.key())
        deepest = 1
        while perm(state.plies_left(), min(state.plies_left(), deepest + 1)) <= 700 and deepest < 9:
            deepest += 1
        for name, evaluation in EVALUATIONS.items():
            root = rng.choice((0, 1))
            for depth in (rng.randint(1, deepest), deepest):
                value = reference(state, depth, name, root)
                values.add(value)
                plain = minimax(state, depth, evaluation, root)
                pruned = alphabeta(state, depth, evaluation, root)
                fresh = alphabeta(state, depth, evaluation, root, table=TranspositionTable())
                shared = alphabeta(state, depth, evaluation, root, table=SHARED)
                assert [r.value for r in (plain, pruned, fresh, shared)] == [value] * 4
                assert plain.pv == pruned.pv
                assert fresh.nodes <= pruned.nodes <= plain.nodes
                for found in (plain, fresh):
                    check_line(state, found, name, root)
                check_start(state, shared, name, root)
                assert (state.serialize(), state.key()) == before
    assert len(values) >= 3


def test_a_table_of_few_entries_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("doublecross.bots.alphabeta.ENTRY_BYTES", 2**20 // 40)
    rng = Random(5)
    table = TranspositionTable(1)
    for _ in range(40):
        state = random_position(dots_and_boxes(2, 3), rng)
        depth = min(4, state.plies_left())
        found = alphabeta(state, depth, UNFILLED, table=table)
        assert found.value == alphabeta(state, depth, UNFILLED).value
        check_start(state, found, "unfilled", state.current_player())
        assert len(table) <= table.capacity == 40
    assert len(table) > 20


@pytest.mark.parametrize(
    ("depth", "bound", "known"),
    [(2, Bound.EXACT, 4), (2, Bound.LOWER, 2), (2, Bound.UPPER, 2), (3, Bound.EXACT, 2)],
)
def test_a_line_continues_with_exact_entries_of_the_table(
    depth: int, bound: Bound, known: int
) -> None:
    state = dots_and_boxes(2, 2).initial_state()
    table = TranspositionTable()
    line = alphabeta(state, 4, table=table).pv
    assert len(line) == 4
    below = state.clone()
    for action in line[:2]:
        below.apply(action)
    key = (table.space(state.game, NET, 0), *below.key())
    assert table.get(key) == (2, Bound.EXACT, 0.0, line[2])
    # The table answers for the first action's child now, so the line is read from there.
    table.put(key, (depth, bound, 0.0, line[2]))
    again = alphabeta(state, 4, table=table)
    assert (again.value, again.pv) == (0.0, line[:known])


def test_a_table_keeps_the_latest_entries_within_its_memory() -> None:
    table = TranspositionTable(1)
    assert table.capacity == 2 * (2**20 // (2 * ENTRY_BYTES))
    entry = (1, Bound.EXACT, 0.0, 3)
    for number in range(10_000):
        table.put((number,), entry)
        assert len(table) <= table.capacity
    assert table.get((9_999,)) == table.get((9_000,)) == entry
    assert table.get((0,)) is None
    table.resize(None)
    assert table.capacity == inf
    for number in range(10_000):
        table.put((number,), entry)
    assert len(table) >= 10_000
    table.resize(1)
    assert len(table) <= table.capacity


# ---- the textbook's numbers ----


def test_the_full_tree_of_tic_tac_toe() -> None:
    state = TIC_TAC_TOE.initial_state()
    plain = minimax(state)
    assert (plain.nodes, plain.value, plain.depth, plain.cutoffs) == (549_946, 0.0, 9, 0)
    pruned = alphabeta(state)
    assert (pruned.nodes, pruned.value, pruned.pv) == (18_297, 0.0, plain.pv)
    assert pruned.cutoffs > 0 == pruned.tt_hits
    tabled = alphabeta(state, table=TranspositionTable())
    assert tabled.value == 0.0
    # There are 5,478 positions; some are visited more than once, many never.
    assert tabled.nodes < 5_478
    assert tabled.tt_hits > 0


@pytest.mark.parametrize(
    ("rows", "cols", "value"),
    # Found by another program, which solves sets of edges by negamax.
    [(1, 1, -1), (1, 2, 0), (1, 3, -1), (2, 2, 2)],
)
def test_whole_boards(rows: int, cols: int, value: int) -> None:
    state = dots_and_boxes(rows, cols).initial_state()
    found = alphabeta(state, table=TranspositionTable())
    assert found.value == value
    check_line(state, found, "net", 0)


def test_a_depth_beyond_the_end_is_the_whole_game_and_none_below_zero() -> None:
    state = dots_and_boxes(1, 2).initial_state()
    assert alphabeta(state, 99).depth == alphabeta(state, 0).depth == 7
    for search in (minimax, alphabeta):
        with pytest.raises(BotError, match="from 1 on"):
            search(state, -1)
    with pytest.raises(BotError, match="0 or more"):
        make("minimax", depth=-1)


def test_a_finished_game_has_its_value_and_no_line() -> None:
    state = dots_and_boxes(1, 1).replay((), range(4))
    for search in (minimax, alphabeta):
        found = search(state, 3, NET, 1)
        assert (found.value, found.pv, found.nodes, found.complete) == (1.0, (), 1, True)


# ---- evaluations ----


def test_unfilled_counts_incomplete_boxes_for_either_seat() -> None:
    game = dots_and_boxes(1, 3)
    state = game.replay((), (0, 3, 6, 7))  # seat 1 has box 0
    assert (NET.function(state, 1), NET.function(state, 0)) == (1.0, -1.0)
    assert UNFILLED.function(state, 1) == 1.0 + 0.5 * 2
    assert UNFILLED.function(state, 0) == -1.0 + 0.5 * 2
    nobodys = game.initial_state((0, 3, 6, 7))  # box 0 is complete and nobody's
    assert UNFILLED.function(nobodys, 0) == 0.5 * 2
    assert UNFILLED.function(TIC_TAC_TOE.initial_state(), 0) == 0.0


def test_the_score_is_an_expected_net_score_or_none() -> None:
    state = dots_and_boxes(2, 2).replay((), (5, 8, 0, 2, 6))  # a box for the taking
    assert ask(make("alphabeta", depth=1), state).score == 1.0
    assert ask(make("alphabeta", depth=1, evaluation="unfilled"), state).score is None
    to_the_end = ask(make("alphabeta", depth=0, evaluation="unfilled"), state)
    assert to_the_end.score == ask(make("alphabeta", depth=0), state).score == minimax(state).value


# ---- chance ----


@pytest.mark.parametrize("name", BOTS)
def test_chance_draws_among_all_equally_good_moves_and_no_others(name: str) -> None:
    rng = Random(8)
    several = 0
    for _ in range(6):
        state = random_position(dots_and_boxes(2, 2), rng)
        mover = state.current_player()
        values = {}
        for action in state.legal_actions():
            state.apply(action)
            values[action] = reference(state, min(2, state.plies_left()), "unfilled", mover)
            state.undo()
        best = {action for action, value in values.items() if value == max(values.values())}
        several += 1 < len(best) < len(values)
        bots = [make(name, seed, depth=3, evaluation="unfilled") for seed in range(60)]
        assert {ask(bot, state).action for bot in bots} == best
    assert several >= 2
