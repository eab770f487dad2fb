"""Chains, loops, junctions and handouts: drawn positions, and comparisons with slow code."""

from __future__ import annotations

from random import Random

import pytest

from doublecross.games.api import IllegalAction
from doublecross.games.dots_and_boxes import structure as st
from doublecross.games.dots_and_boxes.board import GROUND
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState
from tests.fakes.slow_dots_and_boxes import SlowGame
from tests.games.drawing import from_drawing

SIZES = [(1, 1), (1, 7), (2, 2), (3, 3), (4, 3), (5, 5), (8, 8)]


def names(state: DotsAndBoxesState, edges: tuple[int, ...]) -> list[str]:
    return [state.game.action_name(edge) for edge in edges]


def random_positions(count: int) -> list[DotsAndBoxesState]:
    """Return positions of every stage, from random strokes and from safe play."""
    rng = Random(20)
    found = []
    for rows, cols in SIZES:
        for number in range(count):
            state = DotsAndBoxes({"rows": rows, "cols": cols}).initial_state()
            while number % 2 and (safe := st.safe_edges(state)):
                state.apply(rng.choice(safe))
            for _ in range(rng.randrange(6 if number % 2 else state.game.num_actions)):
                if not state.is_terminal():
                    state.apply(rng.choice(state.legal_actions()))
            found.append(state)
    return found


POSITIONS = random_positions(24)


def test_chains_that_end_at_the_ground_and_at_a_junction() -> None:
    # A T of boxes: b d f across the top with the junction in the middle, and its stem down to the
    # ground. The rest of the board is complete.
    state = from_drawing("""\
           a b c d e f g
         5 +---+---+---+
         4
         3 +---+   +---+
         2 | * |   | * |
         1 +---+   +---+
        """)
    parts = st.analyse(state)
    assert parts.junctions == (1,)
    assert [(c.boxes, c.ends) for c in parts.chains] == [
        ((4,), (1, GROUND)),
        ((0,), (GROUND, 1)),
        ((2,), (1, GROUND)),
    ]
    assert [names(state, c.edges) for c in parts.chains] == [
        ["d3", "d1"],
        ["a4", "c4"],
        ["e4", "g4"],
    ]
    assert parts.loops == parts.opened == parts.long_chains == ()


def test_a_long_chain_and_a_loop_make_a_loony_endgame() -> None:
    state = from_drawing("""\
           a b c d e f g
         7 +---+---+   +
         6 |       |   |
         5 +   +   +   +
         4 |       |   |
         3 +---+---+   +
         2             |
         1 +---+---+---+
        """)
    parts = st.analyse(state)
    assert [loop.boxes for loop in parts.loops] == [(0, 3, 4, 1)]
    assert names(state, parts.loops[0].edges) == ["b5", "c4", "d5", "c6"]
    (chain,) = parts.chains
    assert (chain.boxes, chain.ends, chain.is_long) == ((2, 5, 8, 7, 6), (GROUND, GROUND), True)
    assert names(state, chain.edges) == ["f7", "f5", "f3", "e2", "c2", "a2"]
    assert parts.long_chains == (chain,)
    assert (parts.junctions, parts.opened) == ((), ())
    assert st.safe_edges(state) == ()
    given = {state.game.action_name(edge): boxes for edge, boxes in st.handouts(state).items()}
    assert given == {
        **dict.fromkeys(("b5", "d5", "c6", "c4"), 4),
        **dict.fromkeys(("f7", "f5", "f3", "e2", "c2", "a2"), 5),
    }


def test_a_loop_hanging_on_a_junction_is_a_chain_with_both_ends_there() -> None:
    state = from_drawing("""\
           a b c d e
         5 +---+---+
         4 |       |
         3 +   +   +
         2 |
         1 +---+---+
        """)
    parts = st.analyse(state)
    assert parts.junctions == (3,)
    assert [(set(c.boxes), c.ends) for c in parts.chains] == [({0, 1, 2}, (3, 3))]
    assert parts.chains[0].boxes[1] == 0
    assert parts.loops == ()


def test_handouts_of_a_chain_of_two() -> None:
    state = from_drawing("""\
           a b c d e
         3 +---+---+
         2
         1 +---+---+
        """)
    (chain,) = st.analyse(state).chains
    assert len(chain) == 2
    assert not chain.is_long
    assert names(state, chain.half_hearted) == ["a2", "e2"]
    assert chain.hard_hearted is not None
    assert state.game.action_name(chain.hard_hearted) == "c2"
    assert set(st.handouts(state).values()) == {2}
    for edge in chain.half_hearted:
        opened = state.clone()
        opened.apply(edge)
        (part,) = st.analyse(opened).opened
        assert part.can_double_deal
        assert st.double_dealing_edges(opened) == tuple(set(chain.half_hearted) - {edge})
    state.apply(chain.hard_hearted)
    parts = st.analyse(state).opened
    assert [(part.boxes, part.end) for part in parts] == [((0,), GROUND), ((1,), GROUND)]
    assert not any(part.can_double_deal for part in parts)
    assert st.double_dealing_edges(state) == ()


def test_declining_the_end_of_a_chain() -> None:
    state = from_drawing("""\
           a b c d e f g
         3 +---+---+---+
         2 |
         1 +---+---+---+
        """)
    (part,) = st.analyse(state).opened
    assert (part.boxes, part.end, part.double_dealing) == ((0, 1, 2), GROUND, None)
    assert part.can_double_deal
    state.apply(part.edges[0])
    assert names(state, st.double_dealing_edges(state)) == ["g2"]
    assert st.boxes_given(state, st.double_dealing_edges(state)[0]) == 2
    state.apply(st.double_dealing_edges(state)[0])
    (part,) = st.analyse(state).opened
    assert part.is_closed
    assert (part.double_cross,) == st.double_cross_edges(state) == st.capturing_edges(state)
    assert names(state, st.double_cross_edges(state)) == ["e2"]
    assert st.boxes_given(state, st.double_cross_edges(state)[0]) == 0, "it keeps the turn"


def test_declining_the_end_of_a_loop() -> None:
    state = from_drawing("""\
           a b c d e
         5 +---+---+
         4 |   |   |
         3 +   +   +
         2 |       |
         1 +---+---+
        """)
    (part,) = st.analyse(state).opened
    assert (part.boxes, part.is_closed) == ((0, 2, 3, 1), True)
    assert names(state, st.double_dealing_edges(state)) == ["c2"]
    state.apply(st.double_dealing_edges(state)[0])
    assert names(state, st.double_cross_edges(state)) == ["b3", "d3"]


def test_chain_ends_of_one_box_on_a_strip() -> None:
    state = DotsAndBoxes({"rows": 1, "cols": 1}).initial_state((0, 1))
    (chain,) = st.analyse(state).chains
    assert (chain.boxes, chain.edges, chain.ends) == ((0,), (2, 3), (GROUND, GROUND))
    assert (chain.half_hearted, chain.hard_hearted) == ((), None)


def slow_of(state: DotsAndBoxesState) -> SlowGame:
    slow = SlowGame(state.board.rows, state.board.cols)
    slow.drawn = {slow.edges[edge] for edge in state.board.members(state.edges)}
    return slow


@pytest.mark.parametrize("state", POSITIONS, ids=lambda s: f"{s.game.size}-{s.ply}")
def test_parts_agree_with_the_dual_graph(state: DotsAndBoxesState) -> None:
    slow = slow_of(state)
    valence = [len(slow.open_edges(box)) for box in slow.boxes]
    parts = st.analyse(state)
    of_all = [*parts.junctions]
    for part in (*parts.chains, *parts.loops, *parts.opened):
        of_all += part.boxes
    assert sorted(of_all) == [b for b, v in enumerate(valence) if v]
    assert list(parts.junctions) == [b for b, v in enumerate(valence) if v >= 3]
    assert list(st.capturable_boxes(state)) == [b for b, v in enumerate(valence) if v == 1]

    def sides(edge: int) -> set[int]:
        return {b for b, box in enumerate(slow.boxes) if slow.edges[edge] in slow.open_edges(box)}

    for chain in parts.chains:
        assert all(valence[b] == 2 for b in chain.boxes)
        beyond = [chain.ends[0], *chain.boxes, chain.ends[1]]
        assert len(chain.edges) == len(chain) + 1 == len(set(chain.edges))
        for edge, a, b in zip(chain.edges, beyond, beyond[1:], strict=False):
            assert sides(edge) == {a, b} - {GROUND}
        assert all(end == GROUND or valence[end] >= 3 for end in chain.ends)
        assert chain.edges[0] < chain.edges[-1]
    for loop in parts.loops:
        assert len(loop) >= 4
        assert all(valence[b] == 2 for b in loop.boxes)
        for edge, a, b in zip(loop.edges, loop.boxes, loop.boxes[1:] + loop.boxes[:1], strict=True):
            assert sides(edge) == {a, b}
        assert loop.boxes[0] == min(loop.boxes)
    for part in parts.opened:
        replayed = state.clone()
        mover = replayed.current_player()
        for edge in part.edges:
            before = replayed.scores()[mover]
            replayed.apply(edge)
            assert replayed.scores()[mover] > before
        owners, before_owners = replayed.owners(), state.owners()
        taken = {b for b in range(len(owners)) if owners[b] != before_owners[b]}
        assert taken == set(part.boxes)
        assert part.end is None or part.end == GROUND or valence[part.end] >= 3
        assert len(part.edges) == len(part) - part.is_closed


@pytest.mark.parametrize("state", POSITIONS, ids=lambda s: f"{s.game.size}-{s.ply}")
def test_edge_functions_agree_with_playing_the_edges(state: DotsAndBoxesState) -> None:
    slow = slow_of(state)
    safe, capturing, double = [], [], []
    for edge in slow.legal():
        after = slow_of(state)
        after.drawn.add(slow.edges[edge])
        touched = [box for box in slow.boxes if slow.edges[edge] in slow.around(box)]
        left = [len(after.open_edges(box)) for box in touched]
        safe += [edge] if min(left) >= 2 else []
        capturing += [edge] if 0 in left else []
        double += [edge] if left == [0, 0] else []
    assert list(st.safe_edges(state)) == safe
    assert list(st.capturing_edges(state)) == capturing
    assert list(st.double_cross_edges(state)) == double
    given = st.handouts(state)
    assert list(given) == slow.legal()
    for edge, boxes in given.items():
        assert st.boxes_given(state, edge) == boxes
        played = state.clone()
        mover = played.current_player()
        played.apply(edge)
        if edge in capturing:
            assert boxes == 0
            continue
        before = played.scores()[1 - mover]
        while grab := st.capturing_edges(played):
            played.apply(Random(edge).choice(grab))
        assert played.scores()[1 - mover] - before == boxes


def test_double_dealing_leaves_only_double_crosses() -> None:
    seen = set()
    for state in POSITIONS:
        for edge in st.double_dealing_edges(state):
            (part,) = (p for p in st.analyse(state).opened if p.double_dealing == edge)
            assert not set(st.capturing_edges(state)) & {edge}
            after = state.clone()
            after.apply(edge)
            assert after.current_player() != state.current_player()
            pairs = [p for p in st.analyse(after).opened if set(p.boxes) <= set(part.boxes)]
            assert all(p.double_cross is not None for p in pairs)
            assert sum(len(p) for p in pairs) == len(part) == (4 if part.is_closed else 2)
            seen.add(len(part))
    assert seen == {2, 4}


def test_boxes_given_refuses_illegal_actions() -> None:
    state = DotsAndBoxes().initial_state((7,))
    for action in (7, -1, 60, True):
        with pytest.raises(IllegalAction):
            st.boxes_given(state, action)
    assert st.analyse(DotsAndBoxes().initial_state()).junctions == tuple(range(25))


def test_a_closed_sweep_of_three_cannot_be_declined() -> None:
    state = from_drawing("""\
           a b c d e f g
         3 +---+---+---+
         2 |           |
         1 +---+---+---+
        """)
    (part,) = st.analyse(state).opened
    assert (part.boxes, part.is_closed, part.can_double_deal) == ((0, 1, 2), True, False)
    assert (part.double_dealing, part.double_cross) == (None, None)
    state.apply(part.edges[0])
    assert st.double_cross_edges(state) == (part.edges[1],)


def test_double_dealing_is_possible_exactly_where_the_sweep_says() -> None:
    lengths = set()
    for state in POSITIONS:
        for part in st.analyse(state).opened:
            played, came_up = state.clone(), False
            for edge in part.edges:
                came_up |= any(
                    p.double_dealing is not None and set(p.boxes) <= set(part.boxes)
                    for p in st.analyse(played).opened
                )
                played.apply(edge)
            assert came_up == part.can_double_deal
            lengths.add((part.is_closed, min(len(part), 5)))
    assert lengths >= {(False, 1), (False, 2), (False, 3), (True, 2), (True, 4)}
