"""Find balanced openings: judge those that a game offers by exact values or by playouts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count, tee
from random import Random
from typing import Final

from doublecross.bots.api import Limit
from doublecross.bots.rules import RulesBot
from doublecross.bots.workers.child import Flag
from doublecross.games.api import Game
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState

Opening = tuple[int, ...]
Figure = Callable[[Opening], float | None]

_FIRST: Final = 64
"""The openings that are drawn at first; then twice as many, and so on."""
PATIENCE: Final = 200
"""The search ends after so many openings in a row that are not balanced."""


class TooFewError(Exception):
    """No further balanced opening was found; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Balance:
    """Says how an opening is judged for the player who moves first.

    `figure` returns None for what it cannot find out. It depends on nothing but the opening, so it
    can be computed anywhere, in any order. A figure that is at most `reach` from `middle` is
    balanced. `words` show it to users.
    """

    figure: Figure
    middle: float
    reach: float
    words: str


NO_BALANCE: Final = Balance(lambda _: 0, 0, 0, "")
"""Every opening is balanced."""


def find_balanced(
    game: Game,
    seed: int,
    length: int | None,
    balance: Balance,
    mapped: Callable[[Figure, Iterable[Opening]], Iterable[float | None]] = map,
) -> Iterator[tuple[Opening, str]]:
    """Yield balanced openings, no two equal up to the symmetry of the board, and their figures.

    `mapped` does what `map` does; it may compute figures ahead.

    Raises:
        TooFewError: there are no more, or hardly any.
        BadParameter: openings of this length are impossible or too rare.
    """
    found, judged = 0, 0
    missed: list[float | None] = []
    openings, ahead = tee(_candidates(game, seed, length))
    for opening, figure in zip(openings, mapped(balance.figure, ahead), strict=True):
        judged += 1
        if figure is None or abs(figure - balance.middle) > balance.reach:
            missed.append(figure)
            if len(missed) == PATIENCE:
                raise TooFewError(_missed(missed, balance))
            continue
        missed, found = [], found + 1
        yield opening, balance.words.format(figure)
    raise TooFewError(
        f"There are no more openings of this length: {found} of {judged} are balanced."
        " Choose another length."
    )


def _missed(missed: list[float | None], balance: Balance) -> str:
    known = [figure for figure in missed if figure is not None]
    text = f"None of the last {len(missed)} openings was balanced"
    if known:
        low, high = balance.words.format(min(known)), balance.words.format(max(known))
        text += f": they had from {low} to {high}"
    if len(known) < len(missed):
        text += f", and {len(missed) - len(known)} took too many nodes"
    return f"{text}; choose another length or a wider range."


def _candidates(game: Game, seed: int, length: int | None) -> Iterator[Opening]:
    """Yield different openings of `game` until none is left."""
    seen: set[Opening] = set()
    for doubled in count():
        # The same seed begins with the same openings.
        openings = game.openings(Random(seed), _FIRST << doubled, length)
        new = [opening for opening in openings.found if opening not in seen]
        seen.update(new)
        yield from new
        if openings.short:
            return


def exact_balance(game: Game, nodes: int, within: int) -> Balance:
    """Return the balance by exact values: net boxes, or 1, 0 or -1.

    A value that needs more than `nodes` nodes stays unknown.
    """
    if isinstance(game, DotsAndBoxes):
        return Balance(partial(_boxes, game, nodes), 0, within, "value {:+g}")
    return Balance(partial(_utility, game, nodes), 0, within, "value {:+g}")


def _boxes(game: DotsAndBoxes, nodes: int, opening: Opening) -> float | None:
    # These need packages for the search.
    from doublecross.bots.search.exact.solver import SearchWatch, Solver, prepare

    prepare(game.board)
    state = game.initial_state(opening)
    assert isinstance(state, DotsAndBoxesState)
    # With a used table a search needs fewer nodes, and how many would depend on the others before.
    bounds = Solver(game.board).bounds(state.edges, SearchWatch(nodes=nodes))
    return bounds.low if bounds.exact else None


def _utility(game: Game, nodes: int, opening: Opening) -> float | None:
    from doublecross.bots.judging.solved import SolvedJudge, TooLargeError

    state = game.initial_state(opening)
    try:
        value = SolvedJudge(game, nodes).values(state).value.mean
    except TooLargeError:
        return None
    return value if state.current_player() == 0 else -value


def playout_balance(game: Game, playouts: int, band: float, seed: int) -> Balance:
    """Return the balance by games of the bot `rules` against itself.

    The figure is the share of points in percent. It is balanced within `band` of 50 %.
    """
    return Balance(partial(_share, game, playouts, seed), 50, band, "{:g} %")


def _share(game: Game, playouts: int, seed: int, opening: Opening) -> float:
    points = 0.0
    for number in range(playouts):
        bot = RulesBot(Random(f"{seed}/{opening}/{number}"))
        state = game.initial_state(opening)
        first = state.current_player()
        while not state.is_terminal():
            state.apply(bot.choose(state.clone(), Limit(), Flag()).action)
        points += (state.returns()[first] + 1.0) / 2.0
    return 100.0 * points / playouts
