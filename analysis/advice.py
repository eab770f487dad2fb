"""Define an adviser's answer for a position: the best actions, or a network's shares."""

from __future__ import annotations

from dataclasses import dataclass

from doublecross.games.api.sentence import Sentence


@dataclass(frozen=True, slots=True)
class Advice:
    """Advice for a position.

    `best` has the best actions, best first. `net` is the mover's expected net score at the end of
    the game: the mover's points of the whole game minus the opponent's. `exact` says whether it is
    certain. `phrase` is a sentence about the first of `best`; None if no rule of
    `doublecross.analysis.sentences.hints` applies.
    """

    best: tuple[int, ...]
    net: float
    exact: bool
    phrase: Sentence | None = None


@dataclass(frozen=True, slots=True)
class Policy:
    """The moves that a network would play in a position, without a search.

    `shares` has actions and their shares, from 0 to 1, the largest first. Actions that belong to
    the same move have the share of that move. Other actions are missing.
    """

    shares: tuple[tuple[int, float], ...]
