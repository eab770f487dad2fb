"""Say what a report means for the review of its game: marks, mistakes, notes, and the curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from doublecross.analysis.judgement import Cost, Estimate
from doublecross.analysis.report import GameReport, MoveReport
from doublecross.analysis.verdict import price
from doublecross.client.language import plural, said, tr

TIERS: Final = 3
"""How many degrees of mistakes have a colour of their own."""
_LEAST: Final = 0.5
"""The least cost that is marked, in boxes; half of one is the step between a win and a draw."""
_NAMED: Final = 2
"""How many better moves a note names."""


@dataclass(frozen=True, slots=True)
class CostMark:
    """The mark of a move that certainly cost something, such as ``−2``.

    `tier` is the degree of the mistake, from 0 to `TIERS` - 1. An estimated cost begins with ``~``.
    Where a game is only won, lost or drawn, ``??`` marks a win that became a loss, and ``?`` half
    of that.
    """

    text: str
    tier: int


@dataclass(frozen=True, slots=True)
class MoveNote:
    """The note about one move. `best` has the better moves, none if it was one of the best.

    `headline` is one short line, `sentences` say why, `outlook` is the result to expect.
    """

    headline: str
    sentences: tuple[str, ...]
    outlook: str
    best: tuple[int, ...] = ()
    mark: CostMark | None = None


@dataclass(frozen=True, slots=True)
class ExpectedCurve:
    """The expected final net score of seat 0 after 0, 1, 2 ... plies, as a plot shows it.

    `spreads` has the standard errors, 0 where the score is exact. `turning` is the number of moves
    up to and including the one after which the result could not be saved, or None.
    """

    nets: tuple[float, ...]
    spreads: tuple[float, ...]
    turning: int | None
    turning_sure: bool


class AnalysedGame:
    """A game with its `report`; `names` are those of the players."""

    def __init__(self, report: GameReport, names: tuple[str, str]) -> None:
        self.report = report
        self._names = names
        self.marks: tuple[CostMark | None, ...] = tuple(
            cost_mark(move.cost, report.game.unit, exact=_exact(move)) for move in report.moves
        )
        """The mark of each move, or None."""
        self.mistakes: tuple[int, ...] = tuple(
            number for number, mark in enumerate(self.marks, 1) if mark is not None
        )
        """The numbers of the moves with a mark, from 1: each is the ply after its move."""

    @property
    def curve(self) -> ExpectedCurve:
        """The expected final score over the game."""
        moves, turning = self.report.moves, self.report.turning
        values = [moves[0].before, *(move.after for move in moves)]
        return ExpectedCurve(
            tuple(value.mean for value in values),
            tuple(value.spread for value in values),
            None if turning is None else turning + 1,
            self.report.turning_sure,
        )

    def accuracy(self, seat: int) -> str:
        """Return how well a player played, such as ``92% accuracy``; empty if it had no choice."""
        percent = self.report.accuracy[seat]
        return "" if percent is None else tr("{percent:.0f}% accuracy", percent=percent)

    def mistake(self, ply: int, by: int) -> int | None:
        """Return the next marked move after `ply` (`by` > 0) or the last one before it, if any."""
        if by > 0:
            return next((at for at in self.mistakes if at > ply), None)
        return next((at for at in reversed(self.mistakes) if at < ply), None)

    def better_variation(self, ply: int) -> tuple[int, ...]:
        """Return the best variation from before move number `ply` on, if that was a mistake."""
        if not 0 < ply <= len(self.marks) or self.marks[ply - 1] is None:
            return ()
        judgement = self.report.moves[ply - 1].judgement
        if judgement is None or not judgement.best:
            return ()
        return judgement.pv or judgement.best[:1]

    def note(self, ply: int) -> MoveNote:
        """Return what to say about move number `ply`, from 1; 0: about the whole game."""
        if ply == 0:
            return self._summary()
        move = self.report.moves[ply - 1]
        mark = self.marks[ply - 1]
        name = self.report.game.action_name
        played = name(move.action)
        best: tuple[int, ...] = ()
        if move.judgement is None:
            headline = tr("{edge}: there was no choice.", edge=played)
        elif mark is not None:
            best = move.judgement.best[:_NAMED]
            between = tr("or")
            better = f" {between} ".join(map(name, best))
            headline = self._headline(played, move, better)
        elif move.judgement.every and move.judgement.best == (move.action,):
            headline = tr("{edge} was the only best move.", edge=played)
        elif move.cost.sure or not _exact(move):
            headline = tr("{edge}: no mistake was found.", edge=played)
        else:
            headline = tr("{edge} was one of the best moves.", edge=played)
        # The headline of a marked move has the cost already.
        phrases = (each for each in move.phrases if mark is None or each.rule != "cost")
        sentences = tuple(map(said, phrases))
        return MoveNote(headline, sentences, self.outlook(move.after), best, mark)

    def outlook(self, value: Estimate) -> str:
        """Return the result to expect, such as ``Ann should win by 3.``"""
        unit = self.report.game.unit
        lead = round(abs(value.mean))
        if value.exact and not lead:
            return tr("With best play the game ends in a draw.")
        if not lead or value.winner() is None:
            return tr("The result is open.")
        name = self._names[0 if value.mean > 0 else 1]
        if value.exact:
            if unit:
                return tr("With best play {name} wins by {lead}.", name=name, lead=lead)
            return tr("With best play {name} wins.", name=name)
        return (
            tr("{name} should win by about {lead}.", name=name, lead=lead)
            if unit
            else tr("{name} should win.", name=name)
        )

    def _summary(self) -> MoveNote:
        report = self.report
        count = len(self.mistakes)
        found = plural("1 mistake.", "{n} mistakes.", count)
        if not count:
            found = tr("No mistake was found.")
        if report.turning is None:
            turned = ""
        else:
            move = report.moves[report.turning]
            text = (
                tr("The game turned at move {move}: {name} {edge}.")
                if report.turning_sure
                else tr("The game probably turned at move {move}: {name} {edge}.")
            )
            turned = text.format(
                move=report.turning + 1,
                name=self._names[move.seat],
                edge=report.game.action_name(move.action),
            )
        return MoveNote(found, (turned,) if turned else (), self.outlook(report.moves[0].before))

    def _headline(self, played: str, move: MoveReport, better: str) -> str:
        cost = said(price(self.report.game, move))
        if not better:
            text = tr("{edge} cost {cost}.") if _exact(move) else tr("{edge} cost about {cost}.")
        elif _exact(move):
            text = tr("{edge} cost {cost}. Better: {better}.")
        else:
            text = tr("{edge} cost about {cost}. Better: {better}.")
        return text.format(edge=played, cost=cost, better=better)


def cost_mark(cost: Cost, unit: str, *, exact: bool) -> CostMark | None:
    """Return the mark for this cost, or None if nothing certain was lost."""
    if not cost.sure or cost.boxes < _LEAST:
        return None
    if not unit:
        steps = round(cost.net)
        return CostMark("?" * steps, steps)
    boxes = max(1, round(cost.boxes + 1e-9))
    return CostMark(f"{'' if exact else '~'}−{boxes}", min(TIERS, boxes) - 1)


def _exact(move: MoveReport) -> bool:
    return move.judgement is None or move.judgement.exact
