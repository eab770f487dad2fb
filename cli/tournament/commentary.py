"""Comment on a game while it is played: its score so far, and the move that decided it.

A thread judges the moves, because a judgement may take a second. The kernels of the judge let other
threads run.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Final

from doublecross.analysis.report import judge_move
from doublecross.analysis.verdict import why_bad
from doublecross.cli.shared.board_display import BoardDisplay

if TYPE_CHECKING:
    from doublecross.analysis.judgement import Evaluator
    from doublecross.analysis.report import MoveReport
    from doublecross.games.api import Game, State

_WAIT_S: Final = 20.0
"""How long the end of a game waits for the judge, in seconds."""


class CommentedBoard(BoardDisplay):
    """A live board with the running score and a sentence at the turning point.

    Without a `judge` the sentence names the capture that took the lead for good.
    """

    def __init__(self, game: Game, names: tuple[str, str], judge: Evaluator | None) -> None:
        super().__init__(game, names)
        self._judge = judge
        self._thread = ThreadPoolExecutor(1, "commentary")
        self._reports: list[Future[MoveReport]] = []
        self._scores: list[tuple[int, int]] = []
        """The score after each turn with captures."""
        self._mover: int | None = None
        """The seat whose turn made the last of these scores; None if that turn has ended."""
        self._comment = ""

    @contextlib.contextmanager
    def showing(self) -> Iterator[None]:
        """Show the board inside this context; then wait for the judge and print the end."""
        try:
            with super().showing():
                yield
                wait(self._reports, _WAIT_S)
                self._comment = self._turning_point() or self._comment
        finally:
            self._thread.shutdown(wait=False, cancel_futures=True)

    def _played(self, before: State, action: int) -> None:
        seat, after = before.current_player(), self._state
        old, new = before.scores(), after.scores()
        if new != old:
            first, second = new
            if self._mover == seat:
                self._scores[-1] = (first, second)
            else:
                self._scores.append((first, second))
            self._mover = seat
        else:
            self._mover = None
        if self._judge is not None:
            self._reports.append(self._thread.submit(judge_move, before, action, None, self._judge))
            self._comment = self._turning_point() or self._comment
        elif new[seat] > new[1 - seat] and old[seat] <= old[1 - seat]:
            self._comment = (
                f"Turning point, move {after.ply}: {self._names[seat]} takes the lead, "
                f"{new[seat]}:{new[1 - seat]}."
            )

    def _turning_point(self) -> str | None:
        """Return a sentence about the last judged move that changed the winner, if there is one."""
        for report in reversed(self._reports):
            if not report.done() or report.cancelled():
                continue
            move = report.result()
            before, after = move.before, move.after
            if before.exact and after.exact and before.winner() != after.winner():
                turned = (said for said in move.phrases if "-to-" in said.rule)
                said = " ".join(map(str, (*why_bad(self._game, move), *turned)))
                return f"Turning point, move {move.ply + 1} of {self._names[move.seat]}: {said}"
        return None

    def _notes(self) -> list[str]:
        scores = ", ".join(f"{first}:{second}" for first, second in self._scores)
        notes = [f"Score: {scores}" if scores else "", self._comment]
        return [*super()._notes(), *filter(None, notes)]
