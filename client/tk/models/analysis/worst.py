"""After a game against a bot: the person's costliest move, the better one, and one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from analysis.report import GameReport
from client.language import tr
from client.tk.models.analysis.game import cost_words
from client.tk.models.analysis.task import AnalysisRequest
from client.tk.models.room.model import RoomModel
from client.tk.models.words import said

NOTHING: Final = tr("No move of yours certainly cost a box. Well played!")


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
    why = said(move.phrases[0]) if move.phrases else ""
    if why:
        sentence = tr("{sentence} Better: {edge}.", sentence=why, edge=name(better))
    else:
        sentence = tr(
            "{edge} cost {cost}; {better} was better.",
            edge=name(move.action),
            cost=cost_words(move.cost, report.game.unit),
            better=name(better),
        )
    before = tuple(each.action for each in report.moves[: move.ply])
    return WorstMove(sentence, before, move.action, better)


class WorstMoveSearch:
    """The search for the costliest move in the last match of the room of `model`.

    It is made once for each match that a person at this window has played alone against a bot.
    `found` is the move, `line` a sentence to show; both are empty without a search or an answer.
    """

    def __init__(self, model: RoomModel) -> None:
        self.found: WorstMove | None = None
        self.line = ""
        self._model = model
        self._match: int | None = None
        self._seat = 0
        self._request: AnalysisRequest | None = None

    def update(self) -> AnalysisRequest | None:
        """Follow the room: return the request to make now, if any.

        A new match drops the search of the one before.
        """
        picture = self._model.picture
        if picture.match != self._match:
            self.found, self.line, self._request = None, "", None
            self._match = None
        if self._match is not None or not self._wanted:
            return None
        self._match = picture.match
        (self._seat,) = self._model.seats.connections
        self.line = tr("Looking for your costliest move ...")
        self._request = AnalysisRequest(picture.game, picture.opening, picture.moves)
        return self._request

    @property
    def searching(self) -> bool:
        """Whether a request waits for its answer."""
        return self._request is not None

    def take(self, request: AnalysisRequest, report: GameReport) -> bool:
        """Keep the move that `report` shows; return false if the search was dropped before."""
        if request is not self._request:
            return False
        self._request = None
        self.found = worst_move(report, self._seat)
        self.line = NOTHING if self.found is None else self.found.sentence
        return True

    def fail(self, request: AnalysisRequest) -> bool:
        """Show nothing, because there is no report; return false if the search was dropped."""
        if request is not self._request:
            return False
        self._request = None
        self.line = ""
        return True

    @property
    def _wanted(self) -> bool:
        model = self._model
        picture, opponent = model.picture, model.seats.opponent
        return (
            picture.status == "finished"
            and model.ending is not None
            and not model.seats.shared
            and opponent is not None
            and model.is_bot(opponent)
            # Only where the score counts something does a move have a cost in it.
            and bool(picture.game.unit)
            and len(picture.moves) > len(picture.start)
        )
