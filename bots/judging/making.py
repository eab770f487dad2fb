"""Choose the judge of a game's positions, and make its report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from doublecross.analysis.judgement import Judgement
from doublecross.analysis.report import GameReport, make_report
from doublecross.analysis.values import PositionValues
from doublecross.bots.judging.limits import JudgeError
from doublecross.bots.judging.solved import SolvedJudge, TooLargeError
from doublecross.bots.registry import NETWORKS, analysis_lacks
from doublecross.games.api import Game, State
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes

REVIEWED: Final = (
    "Games of Dots and Boxes can be reviewed, and small boards of other games, such as tic-tac-toe"
    " on 3x3."
)
"""A sentence for people about the games that have reports."""
GAME_OVER: Final = "The game is over: no move has a value."


class ValueJudge(Protocol):
    """Judges moves and positions of one game."""

    def judge(self, state: State, action: int) -> Judgement:
        """Judge the legal `action` in `state`."""

    def values(self, state: State, stop: Callable[[], bool] = ...) -> PositionValues:
        """Return the values of all legal actions in `state`, which must not be over.

        Raises:
            TooLargeError: too much can follow.
            Stopped: `stop` has returned True.
        """


def judge_of(game: Game, *, quick: bool = False) -> ValueJudge:
    """Return a judge for `game`; a `quick` one if people wait for the values of positions.

    Raises:
        JudgeError: packages for that are not installed.
    """
    if not isinstance(game, DotsAndBoxes):
        return SolvedJudge(game)
    if sentence := analysis_lacks(NETWORKS):
        raise JudgeError(sentence)
    from doublecross.bots.judging.judge import QUICK, judge_for  # it needs these packages

    return judge_for(game, QUICK if quick else None)


def make_review(
    game: Game,
    opening: Sequence[int],
    actions: Sequence[int],
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> GameReport:
    """Return the report of the game in which `actions` were played after `opening`.

    `progress` receives how many moves are judged, and how many there are.

    Raises:
        GameError: an action is not legal.
        JudgeError: the game cannot be reviewed; the sentence says why.
    """
    if not actions:
        raise JudgeError("This game has no moves, so there is nothing to review.")
    judge = judge_of(game)
    try:
        if isinstance(judge, SolvedJudge):
            # Whoever knows the beginning knows the rest; otherwise say so before the work.
            judge.values(game.initial_state(opening))
        return make_report(game, opening, actions, judge, progress)
    except TooLargeError:
        raise JudgeError(f"{game.full_title} is too large to be solved. {REVIEWED}") from None
