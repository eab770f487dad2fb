"""Games of every kind that a player has lost: by a blunder, or by giving up."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from doublecross.analysis.report import GameReport, make_report
from doublecross.games.registry import GAMES, make_game
from tests.analysis.judges import NetJudge

_SMALL: Final[dict[str, dict[str, int]]] = {
    "dots-and-boxes": {"rows": 2, "cols": 2},
    "connect-four": {"rows": 4, "cols": 4, "line": 3},
}
"""Sizes for games that are too large by default."""
KEYS: Final = tuple(GAMES)


@dataclass(frozen=True)
class Played:
    """A game, and the seat that has lost it; `blunder` is the ply of its only mistake, if any."""

    report: GameReport
    seat: int
    blunder: int | None = None


@cache
def best_play(key: str, plies: int | None = None) -> Played:
    """Return a game without mistakes; its seat is the one that wins, or else the first."""
    return _play(key, plies, blunders=False)


@cache
def blunder(key: str) -> Played:
    """Return a whole game that one bad move has lost."""
    return _play(key, None, blunders=True)


def _play(key: str, plies: int | None, *, blunders: bool) -> Played:
    judge, state = _judge(key), make_game(key, _SMALL.get(key)).initial_state()
    seat, at = None, None
    while not state.is_terminal() and state.ply != plies:
        mover, actions = state.current_player(), state.legal_actions()
        judged = {action: judge.judge(state, action) for action in actions}
        found: Any = judged[actions[0]]
        seat = (0 if found.before.mean >= 0 else 1) if seat is None else seat
        bad = [action for action in actions if judged[action].played.of(mover) < 0]
        if blunders and at is None and bad and found.before.of(mover) >= 0:
            seat, at = mover, state.ply
            state.apply(bad[0])
        else:
            state.apply(found.best[0])
    assert seat is not None
    report = make_report(state.game, (), state.history(), judge)
    return Played(report, seat, at)


@cache
def _judge(key: str) -> NetJudge:
    return NetJudge()
