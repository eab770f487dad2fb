"""The bot `newell-simon`: it plays tic-tac-toe by the classical rules of perfect play.

Theory of operation
-------------------
The bot tries eight rules in order, and the first rule that allows a cell decides: win, block, fork,
block a fork, centre, opposite corner, corner, side. The bot draws at random among the cells that
the rule allows. No rule looks further than the lines on the board, and still the bot never loses
from the empty board. In a position that the rules would have avoided (after an opening of a match,
for example) it may lose although a draw was possible.

A *threat* is a line with two marks of one player and an empty cell. A *fork* is a cell that gives a
player two threats at once, which no single reply can block. The fourth rule is the subtle one. It
first looks for a cell that makes a threat: the opponent must block it at once and has no time to
fork. The rule leaves out threats whose blocking cell is itself a fork. For example, with X in two
opposite corners and O in the centre, O must not take a third corner, because X would block in the
fourth corner and fork. Only without such a threat the rule occupies a cell of the opponent's fork.

Sources: A. Newell and H. Simon, Human Problem Solving, 1972; K. Crowley and R. Siegler, Flexible
Strategy Use in Young Children's Tic-Tac-Toe, Cognitive Science 17, 1993, for the list of rules.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Final

from doublecross.bots.api import Bot, BotError, Choice, Limit, StopFlag
from doublecross.games.api import Game, State
from doublecross.games.tic_tac_toe.grid import Grid
from doublecross.games.tic_tac_toe.rules import TicTacToe, TicTacToeState

_CENTRE: Final = 4
_OPPOSITE_CORNERS: Final = ((0, 8), (2, 6), (6, 2), (8, 0))
_SIDES: Final = (1, 3, 5, 7)

Rule = Callable[[Grid, int, int], list[int]]
"""A function that returns the cells that a rule allows, ascending; empty when the rule does not
apply. The arguments are the grid, and the marks of the mover and of the opponent as bit sets."""


class NewellSimonBot(Bot):
    """Plays 3x3 tic-tac-toe by the rules of this module and breaks ties at random."""

    name = "newell-simon"
    version = "1"
    summary = "Plays 3x3 tic-tac-toe by eight classical rules; never loses from an empty board."

    @classmethod
    def plays(cls, game: Game) -> bool:
        """Return whether `game` is tic-tac-toe on 3x3 cells with three in a row to win."""
        return isinstance(game, TicTacToe) and set(game.params.values()) == {3}

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """Choose a cell of the first rule that applies; the score is 1 if that rule wins by force.

        Raises:
            BotError: the game or its size is a different one.
        """
        start = perf_counter()
        name, cells = rule_cells(state)
        cell = self.rng.choice(cells)
        score = 1.0 if name in ("win", "fork") else None
        return Choice(cell, score=score, nodes=len(cells), elapsed=perf_counter() - start)


def rule_cells(state: State) -> tuple[str, list[int]]:
    """Return the name of the first rule that applies and the cells that it allows, ascending.

    `state` must not be over.

    Raises:
        BotError: the game is not tic-tac-toe 3x3x3.
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
    """Return the cells after which `own` could win in two places."""
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
        # This rule runs only if the mover can neither win nor fork, so a cell makes at most one
        # threat.
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
"""The rules by name, in the order in which the bot tries them."""
