"""The features of Dots and Boxes that a client may point out, in drawn positions."""

from __future__ import annotations

import pytest

from doublecross.client.tk.models.board.model import BoardModel
from doublecross.client.tk.models.board.paths import feature_path
from doublecross.games.api import Feature, State
from doublecross.games.dots_and_boxes import structure as st
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState
from doublecross.games.tic_tac_toe.rules import TicTacToe
from tests.games.drawing import from_drawing


def described(state: DotsAndBoxesState) -> list[tuple[str, str, tuple[int, ...], list[str]]]:
    """Return the features, with the names of their actions."""
    return [
        (f.kind, f.label, f.cells, [state.game.action_name(action) for action in f.actions])
        for f in state.features()
    ]


CHAIN_AND_LOOP = """\
       a b c d e f g
     7 +---+---+   +
     6 |       |   |
     5 +   +   +   +
     4 |       |   |
     3 +---+---+   +
     2             |
     1 +---+---+---+
    """


def test_a_long_chain_and_a_loop() -> None:
    assert described(from_drawing(CHAIN_AND_LOOP)) == [
        (
            "chain",
            "long chain of 5",
            (2, 5, 8, 7, 6),
            ["f7", "f5", "f3", "e2", "c2", "a2"],
        ),
        ("loop", "loop of 4", (0, 3, 4, 1), ["b5", "c4", "d5", "c6"]),
    ]


def test_both_opened() -> None:
    state = from_drawing(CHAIN_AND_LOOP)
    for name in ("c4", "f7"):
        state.apply(state.game.parse_action(name))
    assert described(state) == [
        (
            "capturable",
            "5 to take, the last 2 can be declined",
            (2, 5, 8, 7, 6),
            ["f5", "f3", "e2", "c2", "a2"],
        ),
        (
            "capturable",
            "4 to take, the last 4 can be declined",
            (3, 0, 1, 4),
            ["b5", "c6", "d5"],
        ),
    ]
    assert [feature.declinable for feature in state.features()] == [2, 4]


def test_short_chains_around_a_junction() -> None:
    state = from_drawing("""\
           a b c d e f g
         5 +---+---+---+
         4             |
         3 +---+   +---+
         2 | * |   | * |
         1 +---+   +---+
        """)
    # The chain of one on the right is open at one side only: it can be taken.
    assert described(state) == [
        ("chain", "chain of 1", (4,), ["d3", "d1"]),
        ("chain", "chain of 1", (0,), ["a4", "c4"]),
        ("capturable", "1 to take", (2,), ["e4"]),
    ]


@pytest.mark.parametrize(
    ("boxes", "label"), [(1, "chain of 1"), (2, "chain of 2"), (3, "long chain of 3")]
)
def test_a_chain_is_long_from_three_boxes_on(boxes: int, label: str) -> None:
    state = DotsAndBoxes({"rows": 1, "cols": boxes}).initial_state(range(2 * boxes))
    (feature,) = state.features()
    assert (feature.kind, feature.label) == ("chain", label)
    assert feature.cells == tuple(range(boxes))
    assert feature.actions == tuple(range(2 * boxes, 3 * boxes + 1))


def test_capturable_boxes_are_in_the_order_of_capture() -> None:
    # 1x4, opened at the right end: it can be taken from there, and the last two declined.
    state = DotsAndBoxes({"rows": 1, "cols": 4}).initial_state((*range(8), 12))
    assert state.features() == (
        Feature(
            "capturable",
            "4 to take, the last 2 can be declined",
            (3, 2, 1, 0),
            (11, 10, 9, 8),
            declinable=2,
        ),
    )
    state.apply(11)
    state.apply(10)
    assert [feature.label for feature in state.features()] == [
        "2 to take, the last 2 can be declined"
    ]
    state.apply(9)
    assert [feature.label for feature in state.features()] == ["1 to take"]
    state.apply(8)
    assert state.features() == ()


def test_a_closed_sweep_of_three_cannot_be_declined() -> None:
    state = DotsAndBoxes({"rows": 1, "cols": 3}).initial_state((*range(6), 6, 9))
    (feature,) = state.features()
    assert (feature.label, feature.cells, feature.actions) == ("3 to take", (0, 1, 2), (7, 8))


def test_junctions_are_not_features() -> None:
    assert DotsAndBoxes().initial_state().features() == ()


def test_every_box_of_the_structure_is_in_one_feature_and_can_be_drawn() -> None:
    state = from_drawing(CHAIN_AND_LOOP)
    state.apply(state.game.parse_action("c4"))
    parts = st.analyse(state)
    boxes = [box for chain in parts.chains for box in chain.boxes]
    boxes += [box for opened in parts.opened for box in opened.boxes]
    features = state.features()
    assert sorted(cell for feature in features for cell in feature.cells) == sorted(boxes)
    board = BoardModel(state.game)
    for feature in features:
        path = feature_path(board, feature)
        assert path is not None
        assert len(path.strokes) == 1, "neighbours in the order of a feature are joined"


def test_other_games_have_no_features() -> None:
    state = TicTacToe().initial_state()
    assert type(state).features is State.features
    assert state.features() == ()
