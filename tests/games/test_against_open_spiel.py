"""Compare all games with OpenSpiel, ply by ply, in thousands of random games."""

from __future__ import annotations

from random import Random

import pytest

from doublecross.games.api import Game
from doublecross.games.connect_four.rules import ConnectFour
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from doublecross.games.nim.rules import Nim
from doublecross.games.tic_tac_toe.rules import TicTacToe

pyspiel = pytest.importorskip("pyspiel")

DOTS_GAMES = {
    (1, 1): 20, (1, 4): 75, (2, 2): 375, (2, 3): 250, (3, 2): 250, (3, 3): 250, (10, 1): 75,
    (4, 4): 125, (3, 5): 125, (5, 5): 100, (7, 4): 50, (6, 6): 37, (4, 9): 37, (10, 10): 20,
}  # fmt: skip
LINE_GAMES = {
    (3, 3, 3): 150, (1, 5, 3): 75, (4, 3, 3): 150, (3, 4, 4): 100, (4, 4, 4): 100, (5, 7, 4): 75,
    (6, 6, 5): 50, (10, 10, 5): 20, (10, 2, 10): 25,
}  # fmt: skip
DROP_GAMES = {
    (6, 7, 4): 150, (1, 5, 3): 25, (5, 4, 3): 100, (4, 4, 4): 100, (7, 6, 5): 50,
    (10, 10, 5): 20, (2, 10, 4): 50, (10, 1, 4): 20,
}  # fmt: skip
HEAPS = {
    (1, 3, 5, 7): 100, (3, 4, 5): 100, (1, 1): 20, (10, 10, 10, 10): 25, (2, 9): 50,
    (6, 1, 6): 50,
}  # fmt: skip


@pytest.mark.parametrize(("size", "count"), DOTS_GAMES.items(), ids=str)
def test_dots_and_boxes(size: tuple[int, int], count: int) -> None:
    rows, cols = size
    game = DotsAndBoxes({"rows": rows, "cols": cols})
    theirs = pyspiel.load_game(f"dots_and_boxes(num_rows={rows},num_cols={cols})")
    assert theirs.num_distinct_actions() == game.num_actions
    rng = Random(f"{size}")
    for number in range(count):
        state, other = game.initial_state(), theirs.new_initial_state()
        while True:
            legal = other.legal_actions()
            assert state.legal_actions() == legal
            assert state.is_terminal() == other.is_terminal()
            assert state.returns() == tuple(other.returns())
            if other.is_terminal():
                assert state.current_player() < 0
            else:
                assert state.current_player() == other.current_player()
            owners = open_spiel_owners(str(other), rows, cols)
            assert state.owners() == owners
            assert state.scores() == (owners.count(0), owners.count(1))
            if number % 10 == 0:
                # One digit for each edge in the order of their numbers, 1 for drawn.
                assert int(other.dbn_string()[::-1], 2) == state.edges
            if not legal:
                break
            action = rng.choice(legal)
            state.apply(action)
            other.apply_action(action)


def open_spiel_owners(text: str, rows: int, cols: int) -> tuple[int, ...]:
    """Return who owns each box in OpenSpiel's drawing, which shows seats as 1 and 2."""
    lines = text.split("\n")
    return tuple(
        {"1": 0, "2": 1, " ": -1}[lines[2 * row + 1][4 * col + 2]]
        for row in range(rows)
        for col in range(cols)
    )


@pytest.mark.parametrize(("size", "count"), LINE_GAMES.items(), ids=str)
def test_lines(size: tuple[int, int, int], count: int) -> None:
    rows, cols, line = size
    compare_lines(size, f"mnk(m={cols},n={rows},k={line})", count)


def test_tic_tac_toe() -> None:
    compare_lines((3, 3, 3), "tic_tac_toe", 2000)


def compare_marks(game: Game, theirs: pyspiel.Game, count: int, rng: Random) -> None:
    """Play `count` random games of marks in a row beside OpenSpiel, and compare each position."""
    for _ in range(count):
        state, other = game.initial_state(), theirs.new_initial_state()
        while True:
            legal = other.legal_actions()
            assert state.legal_actions() == legal
            assert state.is_terminal() == other.is_terminal()
            assert state.returns() == tuple(other.returns())
            assert state.scores() == tuple(int(utility == 1) for utility in other.returns())
            marks = str(other).replace("\n", "")
            assert state.owners() == tuple({"x": 0, "o": 1, ".": -1}[mark] for mark in marks)
            if not legal:
                break
            assert state.current_player() == other.current_player()
            action = rng.choice(legal)
            state.apply(action)
            other.apply_action(action)


def compare_lines(size: tuple[int, int, int], name: str, count: int) -> None:
    game = TicTacToe(dict(zip(("rows", "cols", "line"), size, strict=True)))
    theirs = pyspiel.load_game(name)
    compare_marks(game, theirs, count, Random(name))


@pytest.mark.parametrize(("size", "count"), DROP_GAMES.items(), ids=str)
def test_connect_four(size: tuple[int, int, int], count: int) -> None:
    rows, cols, line = size
    game = ConnectFour({"rows": rows, "cols": cols, "line": line})
    theirs = pyspiel.load_game(f"connect_four(rows={rows},columns={cols},x_in_row={line})")
    assert (game.num_actions, game.max_game_length) == (
        theirs.num_distinct_actions(),
        theirs.max_game_length(),
    )
    compare_marks(game, theirs, count, Random(f"{size}"))


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize(("sizes", "count"), HEAPS.items(), ids=str)
def test_nim(sizes: tuple[int, ...], count: int, misere: bool) -> None:
    names = dict(zip("abcd", (*sizes, 0, 0), strict=False))
    game = Nim({**names, "misere": int(misere)})
    piles = ";".join(map(str, sizes))
    theirs = pyspiel.load_game(f"nim(pile_sizes={piles},is_misere={str(misere).lower()})")
    assert game.max_game_length == theirs.max_game_length()
    rng = Random(f"{sizes} {misere}")
    for _ in range(count):
        state, other = game.initial_state(), theirs.new_initial_state()
        left = list(sizes)
        while True:
            legal = state.legal_actions()
            # OpenSpiel's action is the heap plus the number of heaps times (objects taken - 1).
            places = {action: game.heaps.where[action] for action in legal}
            numbers = {
                heap + (left[heap] - place - 1) * len(sizes): action
                for action, (heap, place) in places.items()
            }
            assert sorted(numbers) == other.legal_actions()
            assert state.left == tuple(left)
            assert state.is_terminal() == other.is_terminal()
            assert state.returns() == tuple(other.returns())
            assert state.scores() == tuple(int(utility > 0) for utility in other.returns())
            if not legal:
                break
            assert state.current_player() == other.current_player()
            number = rng.choice(other.legal_actions())
            heap, place = places[numbers[number]]
            left[heap] = place
            state.apply(numbers[number])
            other.apply_action(number)
