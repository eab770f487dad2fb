"""Openings of every game: fair, distinct up to symmetry, and complete where they are short."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, product, zip_longest
from random import Random

import pytest

from doublecross.games.api import SEATS, BadParameter, Game, PieceStyle, State
from doublecross.games.connect_four.rules import ConnectFour
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from doublecross.games.nim.rules import Nim, NimState
from doublecross.games.registry import GAMES
from doublecross.games.tic_tac_toe.rules import TicTacToe
from tests.contract.test_games_contract import ALL, every_game

Drawn = frozenset[tuple[object, ...]]


def drawn(state: State) -> Drawn:
    """Return what the geometry shows of a position, in doubled coordinates."""
    geometry = state.game.geometry()
    owners = state.owners()
    found: set[tuple[object, ...]] = set()
    for segment in geometry.segments:
        if not state.is_legal(segment.action):
            (x0, y0), (x1, y1) = geometry.points[segment.start], geometry.points[segment.end]
            found.add((x0 + x1, y0 + y1, "edge"))
    for cell in geometry.cells:
        if owners[cell.index] >= 0:
            corners = [geometry.points[corner] for corner in cell.corners]
            x, y = (sum(axis) / 2 for axis in zip(*corners, strict=True))
            found.add((x, y, owners[cell.index]))
    return frozenset(found)


def orbit(state: State) -> frozenset[Drawn]:
    """Return what is drawn of a position under all symmetries of the board."""
    geometry = state.game.geometry()
    right, low = 2 * geometry.width, 2 * geometry.height
    images = {drawn(state)}
    for _ in range(4):
        images |= {frozenset((right - x, y, what) for x, y, what in i) for i in images}
        # Discs fall down, so of their boards only the mirror image is equal.
        if geometry.pieces is not PieceStyle.DISC:
            images |= {frozenset((x, low - y, what) for x, y, what in i) for i in images}
        if right == low and geometry.pieces is not PieceStyle.DISC:
            images |= {frozenset((y, x, what) for x, y, what in i) for i in images}
    return frozenset(images)


def identity(state: State) -> object:
    """Return a value that is the same for openings that count as equal."""
    return tuple(sorted(state.left)) if isinstance(state, NimState) else orbit(state)


def is_fair(state: State) -> bool:
    """Return whether neither seat could score or win with the next action."""
    if isinstance(state.game, DotsAndBoxes):
        around = [set(cell.segments) for cell in state.game.geometry().cells]
        free = set(state.legal_actions())
        return bool(free) and all(len(e & free) >= 2 for e in around)
    if isinstance(state.game, Nim):
        assert isinstance(state, NimState)
        return sum(map(bool, state.left)) > 1
    if isinstance(state.game, ConnectFour):
        # Either seat may be the one to move.
        return all(no_win_next(state, seat) for seat in SEATS)
    # Either seat may be the one to move.
    owners, game = state.owners(), state.game
    assert isinstance(game, TicTacToe)
    for seat in (0, 1):
        for cell in state.legal_actions():
            mine = {i for i, owner in enumerate(owners) if owner == seat} | {cell}
            if any(
                all(line >> i & 1 == 0 or i in mine for i in range(game.num_actions))
                for line in game.grid.lines[cell]
            ):
                return False
    return bool(state.legal_actions())


def no_win_next(state: State, seat: int) -> bool:
    """Return whether no disc of `seat` completes a line, by trying all cells of a line."""
    game, owners = state.game, state.owners()
    rows, cols, line = game.params["rows"], game.params["cols"], game.params["line"]
    mine = {divmod(cell, cols) for cell, owner in enumerate(owners) if owner == seat}
    for col in state.legal_actions():
        row = max(r for r in range(rows) if owners[r * cols + col] < 0)
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            for back in range(line):
                cells = {(row + (i - back) * down, col + (i - back) * right) for i in range(line)}
                if cells <= mine | {(row, col)}:
                    return False
    return not state.is_terminal()


@every_game
def test_openings_are_fair_distinct_and_reproducible(game: Game) -> None:
    for length in (None, 0, 1, 2):
        found = game.openings(Random(1), 30, length)
        assert found == game.openings(Random(1), 30, length)
        assert found.wanted == 30
        assert found.sentence.endswith(".")
        assert found.short == (len(found.found) < 30) == ("fewer than" in found.sentence)
        seen: set[object] = set()
        for opening in found.found:
            assert length is None or len(opening) == length
            state = game.initial_state(opening)
            assert is_fair(state)
            image = identity(state)
            assert image not in seen
            seen.add(image)
    assert game.openings(Random(1), 30, 0).found == ((),)


@pytest.mark.parametrize("game", [DotsAndBoxes(), TicTacToe(TicTacToe.parse_size("5x6x4"))])
def test_openings_differ_between_generators(game: Game) -> None:
    assert game.openings(Random(1), 20).found != game.openings(Random(2), 20).found


@pytest.mark.parametrize(
    ("key", "size", "length"),
    [
        *(("dots-and-boxes", "1x1", n) for n in range(5)),
        *(("dots-and-boxes", "1x2", n) for n in range(8)),
        *(("dots-and-boxes", "2x2", n) for n in range(13)),
        *(("dots-and-boxes", "3x2", n) for n in (0, 1, 2, 3, 4, 11, 12)),
        ("dots-and-boxes", "3x3", 2),
        *(("tic-tac-toe", "3x3x3", n) for n in range(10)),
        *(("tic-tac-toe", "1x4x3", n) for n in range(5)),
        ("tic-tac-toe", "3x4x3", 3),
        *(("connect-four", "3x3x3", n) for n in range(8)),
        *(("connect-four", "4x3x3", n) for n in (4, 5)),
        *(("connect-four", "1x4x4", n) for n in range(5)),
        *(("nim", "1x3x5x0x1", n) for n in range(4)),
        *(("nim", "2x2x2x0x0", n) for n in range(7)),
    ],
)
def test_a_shortage_is_claimed_only_where_it_is_true(key: str, size: str, length: int) -> None:
    game = GAMES[key](GAMES[key].parse_size(size))
    classes: set[object] = set()
    marks = range(game.num_actions)
    candidates: Iterator[tuple[int, ...]] = combinations(marks, length)
    if key == "tic-tac-toe":
        candidates = (
            tuple(chain.from_iterable(zip_longest(first, second)))[:length]
            for first in combinations(marks, (length + 1) // 2)
            for second in combinations(sorted(set(marks) - set(first)), length // 2)
        )
    if key in ("connect-four", "nim"):
        candidates = product(marks, repeat=length)
    for opening in candidates:
        try:
            state = game.initial_state(opening)
        except ValueError:
            continue
        if is_fair(state):
            classes.add(identity(state))
    for wanted in {len(classes) // 2, len(classes), len(classes) + 1, 10 * len(classes) + 1}:
        found = game.openings(Random(3), wanted, length)
        assert len(found.found) == min(wanted, len(classes))
        assert found.short == (wanted > len(classes))
        assert len({identity(game.initial_state(opening)) for opening in found.found}) == len(
            found.found
        )


def test_sentences_name_number_and_size() -> None:
    sentences = {
        (size, n): DotsAndBoxes(DotsAndBoxes.parse_size(size)).openings(Random(1), n).sentence
        for size, n in (("1x1", 9), ("2x2", 50), ("5x5", 1), ("5x5", 9))
    }
    assert sentences == {
        ("1x1", 9): "There is only 1 opening of 1 safe edge on 1x1, fewer than the 9 wanted.",
        ("2x2", 50): "There are only 12 openings of 2 safe edges on 2x2, fewer than the 50 wanted.",
        ("5x5", 1): "1 opening of 4 safe edges on 5x5, no two alike.",
        ("5x5", 9): "9 openings of 4 safe edges on 5x5, no two alike.",
    }
    assert [Nim().openings(Random(1), 1, n).sentence for n in (1, 2)] == [
        "1 opening of 1 action with heaps of 1, 3, 5, 7, no two alike.",
        "1 opening of 2 actions with heaps of 1, 3, 5, 7, no two alike.",
    ]
    assert [ConnectFour().openings(Random(1), 1, n).sentence for n in (1, 2)] == [
        "1 opening of 1 disc on 6x7 with 4 in a row, no two alike.",
        "1 opening of 2 discs on 6x7 with 4 in a row, no two alike.",
    ]
    none = DotsAndBoxes(DotsAndBoxes.parse_size("1x1")).openings(Random(1), 2, 3)
    assert none.sentence == "There are no openings of 3 safe edges on 1x1, fewer than the 2 wanted."


def test_a_search_beyond_the_budget_is_refused_not_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("doublecross.games.dots_and_boxes.openings.BUDGET", 5_000)
    monkeypatch.setattr("doublecross.games.tic_tac_toe.openings.BUDGET", 5_000)
    with pytest.raises(BadParameter, match="too rare"):
        DotsAndBoxes().openings(Random(1), 1, 34)
    with pytest.raises(BadParameter, match="too rare"):
        TicTacToe(TicTacToe.parse_size("10x10x3")).openings(Random(1), 1, 60)


@pytest.mark.parametrize("game", ALL)
@pytest.mark.parametrize(
    ("n", "length"), [(-1, 1), (1, -1), (1, 10**6), (True, 1), (1, True), (1.0, 1)]
)
def test_requests_out_of_range_are_refused(game: Game, n: int, length: int) -> None:
    with pytest.raises(BadParameter):
        game.openings(Random(1), n, length)
