"""Follow the analysis of one game: whether it runs, how far it is, and its report."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from doublecross.analysis.report import GameReport
from doublecross.client.language import tr
from doublecross.games.api import Game


class TaskState(Enum):
    """The state of an analysis."""

    IDLE = "idle"
    WORKING = "working"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, eq=False, slots=True)
class AnalysisRequest:
    """The game to analyse; see `Helpers.review`. Two requests for one game differ."""

    game: Game
    opening: tuple[int, ...]
    moves: tuple[int, ...]


class AnalysisTask:
    """The analysis of the game with these `opening` and `moves`.

    `problem` is a sentence that says why there is no report. Late answers to a request that was
    stopped change nothing.
    """

    def __init__(self, game: Game, opening: tuple[int, ...], moves: tuple[int, ...]) -> None:
        self.report: GameReport | None = None
        self.problem = ""
        self._game = game
        self._opening = opening
        self._moves = moves
        self._request: AnalysisRequest | None = None
        self._done = 0

    @property
    def state(self) -> TaskState:
        """Return the state of the analysis."""
        if self._request is not None:
            return TaskState.WORKING
        if self.report is not None:
            return TaskState.DONE
        return TaskState.FAILED if self.problem else TaskState.IDLE

    @property
    def done(self) -> int:
        """How many moves are judged."""
        return self._done

    @property
    def total(self) -> int:
        """How many moves there are."""
        return len(self._moves)

    @property
    def line(self) -> str:
        """A sentence about the analysis that runs or has failed; empty otherwise."""
        if self.state is TaskState.WORKING:
            return tr("Analysing ... {done} of {total} moves", done=self._done, total=self.total)
        return self.problem if self.state is TaskState.FAILED else ""

    def begin(self) -> AnalysisRequest | None:
        """Begin the analysis and return its request; None if it runs, is done, or has no moves."""
        if self._request is not None or self.report is not None or not self._moves:
            return None
        self.problem, self._done = "", 0
        self._request = AnalysisRequest(self._game, self._opening, self._moves)
        return self._request

    def advance(self, request: AnalysisRequest, done: int) -> None:
        """Note that `done` moves are judged. The network thread may call this.

        It only stores a number, so Tk's thread sees either the old or the new one.
        """
        if request is self._request:
            self._done = done

    def take(self, request: AnalysisRequest, report: GameReport) -> bool:
        """Keep the report; return false if the request was stopped before."""
        if request is not self._request:
            return False
        self._request = None
        if len(report.moves) == len(self._moves):
            self.report = report
        else:
            self.problem = tr("The analysis does not fit this game; try again.")
        return True

    def fail(self, request: AnalysisRequest, sentence: str) -> bool:
        """Keep why the analysis failed; return false if the request was stopped before."""
        if request is not self._request:
            return False
        self._request = None
        self.problem = sentence
        return True

    def stop(self) -> None:
        """Forget the request that runs, if any."""
        self._request = None
