"""The bot `newell-simon`: the classical rules by which people play perfect tic-tac-toe.

Theory of operation
-------------------
Eight rules are asked in order, and the first that has an answer decides: win, block, fork, block a
fork, centre, opposite corner, corner, side. All cells that a rule allows are equal to it, and
chance draws among them. No rule looks further than the lines on the board, and still the player
never loses from the empty board. Put into a position that the rules would have avoided (an opening
of a match, say) it may lose what could be held.

A *threat* is a line with two marks of one player and an empty cell, a *fork* a cell that gives its
player two threats at once, which no single answer meets. The fourth rule is the subtle one: it
first looks for a threat of its own, which the opponent must answer at once and so cannot fork,
unless that very answer is a fork (X in two opposite corners, O in the centre: a third corner would
force X into the fourth and into a fork); only without such a threat it occupies a cell of the
fork.

Sources: A. Newell and H. Simon, Human Problem Solving, 1972; K. Crowley and R. Siegler, Flexible
Strategy Use in Young Children's Tic-Tac-Toe, Cognitive Science 17, 1993, for the list of rules.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Final

from bots.api import Bot, BotError, Choice, Limit, StopFlag
from games.api import Game, State
from games.tic_tac_toe.grid import Grid
from games.tic_tac_toe.rules import TicTacToe, TicTacToeState

_CENTRE: Final = 4
_OPPOSITE_CORNERS: Final = ((0, 8), (2, 6), (6, 2), (8, 0))
_SIDES: Final = (1, 3, 5, 7)

Rule = Callable[[Grid, int, int], list[int]]
"""The cells, ascending, that a rule allows on a grid, given the marks of the mover and of the
other player as sets; empty when it has no answer."""


class NewellSimonBot(Bot):
    """Plays 3x3 tic-tac-toe by rule; chance decides among equals."""

    name = "newell-simon"
    version = "1"
    summary = "Plays 3x3 tic-tac-toe by eight classical rules; never loses from an empty board."

    @classmethod
    def plays(cls, game: Game) -> bool:
        """Only tic-tac-toe on 3x3 cells with three in a row to win."""
        return isinstance(game, TicTacToe) and set(game.params.values()) == {3}

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """A cell of the first rule that has one; the score is 1 where that rule wins by force.

        Raises:
            BotError: another game or size.
        """
        start = perf_counter()
        name, cells = rule_cells(state)
        cell = self.rng.choice(cells)
        score = 1.0 if name in ("win", "fork") else None
        return Choice(cell, score=score, nodes=len(cells), elapsed=perf_counter() - start)


def rule_cells(state: State) -> tuple[str, list[int]]:
    """The name of the first rule that has an answer in `state` (not over) and the cells that it
    allows, ascending: all equally good to it.

    Raises:
        BotError: not tic-tac-toe 3x3x3.
    """
    if not isinstance(state, TicTacToeState) or not NewellSimonBot.plays(state.game):
        raise BotError(f"The bot {NewellSimonBot.name} plays tic-tac-toe 3x3x3 only.")
    mover = state.current_player()
    own, other = state.marks[mover], state.marks[1 - mover]
    answers = ((name, rule(state.grid, own, other)) for name, rule in RULES)
    return next((name, cells) for name, cells in answers if cells)


def _empty(grid: Grid, own: int, other: int) -> list[int]:
    return [cell for cell in range(grid.num_cells) if not (own | other) >> cell & 1]


def _win(grid: Grid, own: int, other: int) -> list[int]:
    return [cell for cell in _empty(grid, own, other) if grid.completes(own | 1 << cell, cell)]


def _block(grid: Grid, own: int, other: int) -> list[int]:
    return _win(grid, other, own)


def _fork(grid: Grid, own: int, other: int) -> list[int]:
    """The cells after which `own` could win in two places."""
    return [
        cell for cell in _empty(grid, own, other) if len(_win(grid, own | 1 << cell, other)) >= 2
    ]


def _block_fork(grid: Grid, own: int, other: int) -> list[int]:
    forks = _fork(grid, other, own)
    if not forks:
        return []
    forcing = []
    for cell in _empty(grid, own, other):
        marked = own | 1 << cell
        # There is no win on the board at this rule and no fork of ours: one threat at most.
        if (forced := _win(grid, marked, other)) and forced[0] not in _fork(grid, other, marked):
            forcing.append(cell)
    return forcing or forks


def _centre(grid: Grid, own: int, other: int) -> list[int]:
    return [cell for cell in _empty(grid, own, other) if cell == _CENTRE]


def _opposite_corner(grid: Grid, own: int, other: int) -> list[int]:
    empty = _empty(grid, own, other)
    return [cell for cell, far in _OPPOSITE_CORNERS if cell in empty and other >> far & 1]


def _corner(grid: Grid, own: int, other: int) -> list[int]:
    empty = _empty(grid, own, other)
    return [cell for cell, _ in _OPPOSITE_CORNERS if cell in empty]


def _side(grid: Grid, own: int, other: int) -> list[int]:
    return [cell for cell in _empty(grid, own, other) if cell in _SIDES]


RULES: Final[tuple[tuple[str, Rule], ...]] = (
    ("win", _win),
    ("block", _block),
    ("fork", _fork),
    ("block a fork", _block_fork),
    ("centre", _centre),
    ("opposite corner", _opposite_corner),
    ("corner", _corner),
    ("side", _side),
)
"""The rules by name, in the order in which they are asked."""
