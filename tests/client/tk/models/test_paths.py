"""Check how features of a position become paths through their cells."""

from __future__ import annotations

from dataclasses import replace

from doublecross.client.tk.models.board.model import BoardModel
from doublecross.client.tk.models.board.paths import feature_path, label_of
from doublecross.games.api import Feature
from doublecross.games.registry import game_class


def board(rows: int, cols: int) -> BoardModel:
    return BoardModel(game_class("dots-and-boxes")({"rows": rows, "cols": cols}))


def feature(cells: tuple[int, ...], actions: tuple[int, ...], kind: str = "chain") -> Feature:
    return Feature(kind, f"a {kind}", cells, actions)


def test_a_chain_leads_in_and_out_over_its_end_edges() -> None:
    # 1x3 boxes: horizontals 0-2 and 3-5, verticals 6-9. The path enters at the left and leaves at
    # the bottom.
    path = feature_path(board(1, 3), feature((0, 1, 2), (6, 7, 8, 5)))
    assert path is not None
    assert path.strokes == (
        ((0, 0.5), (0.5, 0.5), (1, 0.5), (1.5, 0.5), (2, 0.5), (2.5, 0.5), (2.5, 1)),
    )
    assert (path.anchor, path.room) == ((1.5, 0.5), 3.0)


def test_a_loop_is_closed() -> None:
    model = board(2, 2)
    around = tuple(
        edge for edge in range(12) if sum(edge in c.segments for c in model.geometry.cells) == 2
    )
    path = feature_path(model, feature((0, 1, 3, 2), around, "loop"))
    assert path is not None
    (stroke,) = path.strokes
    assert stroke[0] == stroke[-1] == (0.5, 0.5)
    assert len(set(stroke)) == 8


def test_the_boxes_behind_one_edge_are_a_path_in_one_direction() -> None:
    model = board(1, 3)
    path = feature_path(model, feature((1,), (7, 8), "capturable"))
    assert path is not None
    assert path.strokes == (((1, 0.5), (1.5, 0.5), (2, 0.5)),)
    one = feature_path(model, feature((2,), (9,), "capturable"))
    assert one is not None
    assert one.strokes == (((3, 0.5), (2.5, 0.5)),)


def test_cells_without_a_connection_are_separate_paths() -> None:
    path = feature_path(board(1, 3), feature((0, 2), ()))
    assert path is not None
    assert path.strokes == (((0.5, 0.5), (0.5, 0.5)), ((2.5, 0.5), (2.5, 0.5)))


def test_the_label_stands_where_there_is_most_room() -> None:
    # 3x3 boxes: down the left side and along the bottom.
    path = feature_path(board(3, 3), feature((0, 3, 6, 7, 8), ()))
    assert path is not None
    assert (path.anchor, path.room) == ((1.5, 2.5), 3.0)


def test_without_cells_there_is_nothing_to_draw() -> None:
    assert feature_path(board(1, 1), feature((), (0,))) is None
    assert feature_path(board(1, 1), feature((7,), (0,))) is None


def test_labels_say_what_the_game_says_in_the_words_of_the_window() -> None:
    # 1x4, opened at the right end, and a board with chains of two lengths.
    labels = []
    for rows, cols, drawn in (
        (1, 4, (*range(8), 12)),
        (1, 4, (*range(8), 12, 11, 10, 9)),
        (1, 4, range(8)),
        (1, 2, range(4)),
        (1, 1, range(2)),
    ):
        game = board(rows, cols).game
        for found in game.replay(tuple(drawn), ()).features():
            assert label_of(found) == found.label
            labels.append(found.label)
    assert labels == [
        "4 to take, the last 2 can be declined",
        "1 to take",
        "long chain of 4",
        "chain of 2",
        "chain of 1",
    ]
    # What the game writes in a label does not matter, except whether a chain is long.
    assert label_of(Feature("chain", "long one", (0, 1, 2), ())) == "long chain of 3"
    assert label_of(Feature("loop", "ring", (0, 1, 2, 3), ())) == "loop of 4"
    two = Feature("capturable", "the last 2 can be declined", (0, 1), ())
    assert label_of(two) == "2 to take"
    assert label_of(replace(two, declinable=1)) == "2 to take, the last 1 can be declined"
    assert label_of(feature((0, 1), (), "bridge")) == "a bridge"
