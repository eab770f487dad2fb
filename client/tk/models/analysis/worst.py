"""Decide what a game against a bot teaches the person, and which move was the costliest."""

from __future__ import annotations

from dataclasses import dataclass

from doublecross.analysis.report import GameReport
from doublecross.analysis.verdict import verdict
from doublecross.client.language import said, tr
from doublecross.client.tk.models.analysis.task import AnalysisRequest
from doublecross.client.tk.models.room.model import RoomModel


@dataclass(frozen=True, slots=True)
class WorstMove:
    """The costliest move of a person, for a small board.

    The board shows the position after `moves`, in which `played` was played and `better` was the
    best move.
    """

    moves: tuple[int, ...]
    played: int
    better: int


class WorstMoveSearch:
    """The search for what the last match of the room of `model` teaches.

    It is made once for each match that a person at this window has played alone against a bot.
    `found` is the costliest move, `line` what to say; both are empty without a search or an answer.
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
        snapshot = self._model.snapshot
        if snapshot.match != self._match:
            self.found, self.line, self._request = None, "", None
            self._match = None
        if self._match is not None or not self._wanted:
            return None
        self._match = snapshot.match
        (self._seat,) = self._model.seats.connections
        self.line = tr("Looking for your costliest move ...")
        self._request = AnalysisRequest(snapshot.game, snapshot.opening, snapshot.moves)
        return self._request

    @property
    def searching(self) -> bool:
        """Return whether a request waits for its answer."""
        return self._request is not None

    def take(self, request: AnalysisRequest, report: GameReport) -> bool:
        """Keep what `report` teaches; return false if the search was dropped before."""
        if request is not self._request:
            return False
        self._request = None
        result = self._model.snapshot.result
        assert result is not None
        found = verdict(report, self._seat, result.termination, result.winner)
        self.line = " ".join(map(said, found.phrases))
        if found.move is not None and found.move.judgement is not None:
            before = request.moves[: found.move.ply]
            better = found.move.judgement.best[0]
            self.found = WorstMove(before, found.move.action, better)
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
        snapshot, opponent = model.snapshot, model.seats.opponent
        return (
            snapshot.status == "finished"
            and model.ending is not None
            and not model.seats.shared
            and opponent is not None
            and model.is_bot(opponent)
            and len(snapshot.moves) > len(snapshot.start)
        )
