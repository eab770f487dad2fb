"""Check the window's model of a board: owners of edges and cells, clicks, and arrow keys."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doublecross.client.tk.models.board.model import NOBODY, BoardChanges, BoardModel
from doublecross.client.tk.models.board.places import AT_A_DOT, REACH
from doublecross.games.api import Game, GameError
from doublecross.games.registry import game_class

ARROWS = ((-1, 0), (1, 0), (0, -1), (0, 1))


def dots(rows: int, cols: int) -> Game:
    return game_class("dots-and-boxes")({"rows": rows, "cols": cols})


def tic_tac_toe(rows: int = 3, cols: int = 3) -> Game:
    return game_class("tic-tac-toe")({"rows": rows, "cols": cols, "line": 3})


def played(game: Game, moves: int, seed: int) -> tuple[int, ...]:
    rng, state = Random(seed), game.initial_state()
    while state.ply < moves and not state.is_terminal():
        state.apply(rng.choice(state.legal_actions()))
    return state.history()


# -- the position --------------------------------------------------------------------------------


def test_edges_have_their_drawers_and_boxes_their_owners() -> None:
    board = BoardModel(dots(1, 2))
    # Horizontals 0 1 above and 2 3 below, verticals 4 5 6.
    changes = board.show((0,), (2, 4, 5, 3))
    assert changes == BoardChanges(rebuilt=True)
    assert [board.drawer(edge) for edge in range(7)] == [NOBODY, None, 0, 0, 1, 0, None]
    assert board.owners == (0, -1)
    assert (board.moves, board.last) == ((2, 4, 5, 3), 3)


def test_a_longer_history_yields_each_new_move_with_its_captures() -> None:
    board = BoardModel(dots(1, 2))
    assert board.show((), (0, 2)) == BoardChanges((0, 2), ((), ()))
    assert board.show((), (0, 2, 4, 1, 3, 6)) == BoardChanges((4, 1, 3, 6), ((), (), (), ()))
    # The middle edge completes both boxes at one stroke.
    assert board.show((), (0, 2, 4, 1, 3, 6, 5)) == BoardChanges((5,), ((0, 1),))
    assert board.show((), (0, 2, 4, 1, 3, 6, 5)) == BoardChanges()
    assert board.state.is_terminal()


@pytest.mark.parametrize(
    ("opening", "moves"), [((), (0, 2)), ((), (0, 3, 4)), ((5,), (0, 2, 4)), ((), ())]
)
def test_a_different_history_rebuilds_the_board(
    opening: tuple[int, ...], moves: tuple[int, ...]
) -> None:
    board = BoardModel(dots(1, 2))
    board.show((), (0, 2, 4))
    assert board.show(opening, moves) == BoardChanges(rebuilt=True)
    assert board.moves == moves
    assert board.state.opening == opening
    drawn = {edge for edge in range(7) if board.drawer(edge) is not None}
    assert drawn == {*opening, *moves}


def test_an_illegal_move_is_refused_and_the_moves_before_it_are_shown() -> None:
    board = BoardModel(dots(1, 2))
    with pytest.raises(GameError):
        board.show((), (0, 2, 2))
    assert board.moves == (0, 2)
    assert board.drawer(2) == 1
    assert board.show((), (0, 2, 4)).actions == (4,)


def test_marks_belong_to_the_player_who_made_them() -> None:
    board = BoardModel(tic_tac_toe())
    board.show((), (4, 0))
    assert (board.drawer(4), board.drawer(0), board.drawer(8)) == (0, 1, None)
    assert board.owners[4] == 0
    assert board.places.segments == {}
    assert sorted(board.places.regions) == list(range(9))


def connect_four() -> Game:
    return game_class("connect-four")({"rows": 4, "cols": 5, "line": 4})


def nim() -> Game:
    return game_class("nim")({"a": 1, "b": 3, "c": 4, "d": 0, "misere": 1})


def test_a_disc_is_shown_where_it_lands() -> None:
    board = BoardModel(connect_four())
    assert board.claims(2) == (17,)
    board.show((2,), (2, 0, 2))
    assert board.claims(2) == (2,)
    assert (board.last, board.last_cells) == (2, (7,))
    assert board.show((2,), (2, 0, 2, 2)).captures == ((),)
    assert board.claims(2) == ()
    assert (board.drawer(2), board.drawer(0), board.drawer(4)) == (0, 0, None)


def test_a_nim_move_shows_the_object_and_those_after_it() -> None:
    board = BoardModel(nim())
    assert board.claims(5) == (5, 6, 7)
    board.show((), (6,))
    assert board.claims(5) == (5,)
    assert board.claims(6) == ()
    assert board.last_cells == (6, 7)


def test_a_segment_is_the_last_move_itself() -> None:
    board = BoardModel(dots(1, 1))
    board.show((), (0, 1, 2, 3))
    assert board.last_cells == ()
    assert board.shows_players
    assert not BoardModel(nim()).shows_players


def test_pending_moves_have_the_last_cells() -> None:
    board = BoardModel(connect_four())
    board.show((), (0, 0, 1))
    assert board.cells_of((0, 1)) == {10, 16}
    assert board.cells_of((1,)) == {16}
    # A move has no cells while an earlier position is shown.
    assert board.cells_of((1, 4)) == {16}
    assert board.cells_of((4,)) == board.cells_of(()) == frozenset()
    board.show((), (0,))
    assert board.cells_of((0, 1)) == {15}
    assert board.cells_of((1,)) == frozenset()


def test_a_click_anywhere_in_a_column_means_the_column() -> None:
    board = BoardModel(connect_four())
    for y in (0.01, 2, 3.99):
        assert board.places.action_at(2.5, y) == 2
    assert board.places.action_at(2.5, 4.01) is None
    assert board.places.action_at(-0.01, 1) is None


def test_a_click_beside_a_heap_means_nothing() -> None:
    board = BoardModel(nim())
    assert board.places.action_at(*board.places.middle(0)) == 0
    assert board.places.action_at(0.5, 0.5) is None
    assert board.places.action_at(0.5, 2.5) == 4
    # A heap of 3 lies in the middle above one of 4.
    assert board.places.middle(1) == (1.0, 1.5)


# -- what is pointed at --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game", [dots(1, 1), dots(3, 4), dots(10, 10), tic_tac_toe(4, 5), game_class("nim")()]
)
def test_a_click_on_the_middle_of_a_place_means_it_even_when_it_is_taken(game: Game) -> None:
    board = BoardModel(game)
    for moves in ((), played(game, game.num_actions, 5)):
        board.show((), moves)
        for action in range(game.num_actions):
            assert board.places.action_at(*board.places.middle(action)) == action


@pytest.mark.parametrize(
    ("x", "y"),
    [(0.5, 0.5), (1.5, 2.5), (-0.5, 1.5), (1.5, 3.46), (9, 9), (1.0, 1.0), (2.05, 0.95), (0, 0)],
)
def test_a_click_in_a_box_far_outside_or_on_a_dot_means_nothing(x: float, y: float) -> None:
    assert BoardModel(dots(3, 3)).places.action_at(x, y) is None


@given(x=st.floats(-1, 5), y=st.floats(-1, 4))
def test_a_click_means_the_nearest_edge_within_reach(x: float, y: float) -> None:
    board = BoardModel(dots(3, 4))

    def away(action: int) -> float:
        segment = board.places.segments[action]
        (x0, y0), (x1, y1) = (board.geometry.points[i] for i in (segment.start, segment.end))
        # On these boards a segment is a box without height or width.
        return math.hypot(max(x0 - x, 0, x - x1), max(y0 - y, 0, y - y1))

    meant = board.places.action_at(x, y)
    nearest = min(map(away, board.places.segments))
    to_dot = min(math.dist((x, y), point) for point in board.geometry.points)
    if meant is None:
        assert nearest >= REACH or to_dot <= AT_A_DOT
    else:
        assert away(meant) == pytest.approx(nearest)
        assert nearest < REACH
        assert to_dot > AT_A_DOT


def test_a_click_in_a_cell_means_it_and_a_click_beside_the_board_nothing() -> None:
    board = BoardModel(tic_tac_toe(2, 3))
    assert board.places.action_at(0.02, 0.97) == 0
    assert board.places.action_at(2.9, 1.1) == 5
    assert board.places.action_at(3.01, 1.1) is None
    assert board.places.action_at(-0.01, 0.5) is None


def test_every_cell_is_found_by_its_coordinates() -> None:
    board = BoardModel(dots(2, 3))
    assert [board.places.cell_at(*board.places.cell_middle(cell)) for cell in range(6)] == list(
        range(6)
    )
    assert board.places.cell_at(3.2, 1) is None


# -- the keyboard --------------------------------------------------------------------------------


def test_the_first_arrow_key_selects_the_middle() -> None:
    board = BoardModel(dots(3, 3))
    start = board.step(None, 0, 1)
    assert start is not None
    assert math.dist(board.places.middle(start), (1.5, 1.5)) <= 0.5
    assert BoardModel(tic_tac_toe()).step(None, 1, 0) == 4


def test_right_moves_along_the_row_and_then_to_the_next_row() -> None:
    board = BoardModel(dots(1, 2))
    way = [0]
    for _ in range(7):
        step = board.step(way[-1], 1, 0)
        assert step is not None
        way.append(step)
    # The order is: edges above, vertical edges, edges below. After the last one there is none.
    assert way == [0, 1, 4, 5, 6, 2, 3, 3]
    assert board.step(4, -1, 0) == 1
    assert board.step(0, -1, 0) == 0


def test_down_goes_straight_through_the_rows() -> None:
    board = BoardModel(dots(3, 3))
    way = [1]
    for _ in range(7):
        step = board.step(way[-1], 0, 1)
        assert step is not None
        way.append(step)
    columns = [board.places.middle(action)[0] for action in way]
    assert columns == [1.5, 1, 1.5, 1, 1.5, 1, 1.5, 1.5]
    up = board.step(way[-1], 0, -1)
    assert up == way[-3]


def test_arrows_skip_taken_places() -> None:
    board = BoardModel(tic_tac_toe())
    board.show((), (4, 5, 3))
    assert board.step(1, 0, 1) == 7
    assert board.step(0, 0, 1) == 6
    # The arrows also work from a place that has been taken meanwhile.
    assert board.step(4, 0, -1) == 1
    assert board.step(4, 1, 0) == 6


def test_arrows_select_nothing_after_the_game() -> None:
    board = BoardModel(tic_tac_toe())
    board.show((), (0, 1, 4, 2, 8))
    assert board.step(None, 0, 1) is None
    assert board.step(3, 0, 1) is None


@settings(max_examples=60)
@given(data=st.data())
def test_the_arrows_reach_every_free_place(data: st.DataObject) -> None:
    rows, cols = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 6))
    kind = data.draw(st.sampled_from((dots, tic_tac_toe) if max(rows, cols) >= 3 else (dots,)))
    game = data.draw(st.sampled_from((kind(rows, cols), connect_four(), nim())))
    board = BoardModel(game)
    board.show((), played(game, data.draw(st.integers(0, game.num_actions)), rows))
    free = board.state.legal_actions()
    if not free:
        return
    start = data.draw(st.sampled_from(free))
    reached, waiting = {start}, [start]
    while waiting:
        at = waiting.pop()
        for dx, dy in ARROWS:
            to = board.step(at, dx, dy)
            assert to is not None
            if dy and to != at:
                assert (board.places.middle(to)[1] - board.places.middle(at)[1]) * dy > 0
            if to not in reached:
                reached.add(to)
                waiting.append(to)
    assert reached == set(free)
