"""After a game against a bot: the person's costliest move, the better one, and one sentence."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.report import GameReport
from client.tk.models.analysis.game import cost_words

NOTHING = "No move of yours certainly cost a box. Well played!"


@dataclass(frozen=True, slots=True)
class WorstMove:
    """The costliest move of a person, for a small board.

    The board shows the position after `moves`, in which `played` was played and `better` was the
    best move. `ply` is the number of moves after it.
    """

    sentence: str
    moves: tuple[int, ...]
    played: int
    better: int

    @property
    def ply(self) -> int:
        """The number of moves up to and including the costly one."""
        return len(self.moves) + 1


def worst_move(report: GameReport, seat: int) -> WorstMove | None:
    """Return the costliest exact mistake of `seat` that cost at least one box, if any."""
    certain = [
        move
        for move in report.moves
        if move.seat == seat
        and move.judgement is not None
        and move.judgement.exact
        and move.judgement.best
        and move.cost.boxes >= 1
    ]
    if not certain:
        return None
    move = max(certain, key=lambda each: each.cost.net)
    judgement, name = move.judgement, report.game.action_name
    assert judgement is not None
    better = judgement.best[0]
    why = str(move.phrases[0]) if move.phrases else ""
    cost = f"{name(move.action)} cost {cost_words(move.cost, report.game.unit)}"
    sentence = f"{why} Better: {name(better)}." if why else f"{cost}; {name(better)} was better."
    before = tuple(each.action for each in report.moves[: move.ply])
    return WorstMove(sentence, before, move.action, better)
