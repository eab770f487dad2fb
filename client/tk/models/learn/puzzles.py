"""The model of the puzzle screen: which puzzle is open, the player's session, and the progress.

Theory of operation
-------------------
A puzzle knows what its first moves cost, so the first move is judged even if no values can be had.
A shown solution begins in the position in which the player gave up, and `step` walks through it. A
puzzle does not count as solved while this model remembers that its solution was shown.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Final

from doublecross.analysis.puzzles.book import PuzzleBook
from doublecross.analysis.puzzles.kinds import KINDS
from doublecross.analysis.puzzles.progress import PuzzleProgress
from doublecross.analysis.puzzles.puzzle import DIFFICULTIES, Puzzle
from doublecross.analysis.puzzles.session import PuzzleSession, Status
from doublecross.client.language import plural, tr
from doublecross.client.tk.models.learn.solving import SolvingModel, Tone
from doublecross.client.tk.models.words import said

_PREPARING: Final = tr("Working out the solution ...")
_NONE: Final = tr("There is no other puzzle like this. Choose another kind or difficulty.")
_AGAIN: Final = tr("You have solved all puzzles like this, so here is one of them again.")


class PuzzleModel(SolvingModel):
    """Puzzles of `book`, first that of today if it is not solved in `progress`.

    `today` returns the day in UTC. `on_solved` is called with the progress after a puzzle was
    solved. `kind` and `difficulty` are those that `open_next` chooses from; None means any.
    """

    session: PuzzleSession

    def __init__(
        self,
        book: PuzzleBook,
        progress: PuzzleProgress,
        on_solved: Callable[[PuzzleProgress], None],
        today: Callable[[], date],
    ) -> None:
        self.book = book
        self.progress = progress
        self.kind: str | None = None
        self.difficulty: int | None = None
        self._on_solved = on_solved
        self._today = today
        self._seen: set[str] = set()
        self._helped: set[str] = set()
        self._notice = ""
        self.open_today()
        if self.solved_before:
            self.open_next()

    # -- puzzles -----------------------------------------------------------------------------

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle that is open."""
        return self.session.puzzle

    def open_today(self) -> None:
        """Open the puzzle of today."""
        self.open(self.book.of_day(self._today()))

    def open_next(self) -> bool:
        """Open another puzzle of the chosen kind and difficulty; return false if there is none.

        Those that were not open yet come first, then those that are not solved, then all others.
        """
        here = {self.puzzle.id}
        for skipped in (self.progress.solved | self._seen, self.progress.solved | here, here):
            found = self.book.choose(skipped, self.kind, self.difficulty)
            if found is not None:
                self.open(found)
                if self.solved_before:
                    self._notice = _AGAIN
                return True
        self._notice = _NONE
        return False

    def open(self, puzzle: Puzzle) -> None:
        """Open a puzzle."""
        self._at: int | None = None
        self._started: int | None = None
        self._notice = ""
        self._seen.add(puzzle.id)
        today = self._today()
        self._day = today if puzzle == self.book.of_day(today) else None
        self.solved_before = puzzle.id in self.progress.solved
        self._kept = False
        self._set(PuzzleSession(puzzle), puzzle.game, puzzle.actions)
        # Opening a puzzle again makes nobody forget its solution.
        self.session.helped = puzzle.id in self._helped

    # -- the player --------------------------------------------------------------------------

    def play(self, action: int) -> bool:
        """Play an edge; return whether that was possible now."""
        return self._done(self.session.play(action))

    def retry(self) -> bool:
        """Take a wrong move back, or ask again after a problem; return whether there was one."""
        return self._done(self.session.retry() or self._blocked)

    def show(self) -> bool:
        """Play the solution out, to step through it; return whether that was possible now."""
        at = len(self.session.moves) - (self.session.status is Status.WRONG)
        if not self.session.show():
            return False
        self._helped.add(self.puzzle.id)
        self._at = self._started = at
        return self._done(True)

    def restart(self) -> None:
        """Begin the puzzle again."""
        self.session.restart()
        self._at = self._started = None
        self._done(True)

    def step(self, by: int) -> bool:
        """Go through the moves after the end; return whether there is such a move."""
        at = len(self.shown) + by
        if not self.session.over or not 0 <= at <= len(self.session.moves):
            return False
        self._at, self._notice = at, ""
        return True

    # -- what is shown -----------------------------------------------------------------------

    @property
    def shown(self) -> tuple[int, ...]:
        """The moves of the session that are on the board."""
        return self.session.moves if self._at is None else self.session.moves[: self._at]

    @property
    def counts_line(self) -> str:
        """How many puzzles are solved, and on how many days in a row that of the day."""
        counts = self.progress.counts(self.book).values()
        solved, clean = sum(each.solved for each in counts), sum(each.clean for each in counts)
        parts = [tr("{solved} of {count} solved", solved=solved, count=len(self.book.puzzles))]
        if clean:
            parts.append(tr("{count} at the first try", count=clean))
        days = self.progress.streak(self._today())
        if days:
            parts.append(plural("daily puzzle: 1 day", "daily puzzle: {n} days", days))
        return " · ".join(parts)

    @property
    def kinds(self) -> dict[str | None, str]:
        """The kinds to choose from, with their titles and counts; None is any kind."""
        counts = self.progress.counts(self.book)
        titles: dict[str | None, str] = {
            kind: f"{tr(KINDS[kind].title)} · {count.solved}/{count.all}"
            for kind, count in counts.items()
        }
        return {None: tr("Any kind"), **titles}

    @property
    def difficulties(self) -> dict[int | None, str]:
        """The difficulties to choose from; None is any."""
        return {
            None: tr("Any difficulty"),
            **{n: tr("Difficulty {number}", number=n) for n in DIFFICULTIES},
        }

    @property
    def heading(self) -> str:
        """The name of the puzzle, which does not give its idea away: ``Today's puzzle``."""
        title = tr(KINDS[self.puzzle.kind].title)
        told = self.session.over or self.kind == self.puzzle.kind
        parts = [tr("Today's puzzle")] if self._day is not None else []
        parts += [title] if told else [] if parts else [tr("Puzzle")]
        return " · ".join(parts)

    @property
    def about(self) -> str:
        """The difficulty and size of the puzzle, and whether it was solved."""
        text = (
            tr("Difficulty {number} of {count} · solved")
            if self.puzzle.id in self.progress.solved
            else tr("Difficulty {number} of {count}")
        )
        return text.format(number=self.puzzle.difficulty, count=max(DIFFICULTIES))

    @property
    def you(self) -> str:
        """Return who the player is, with the score, and which turn it is: ``You are A · 2-1``."""
        turns = self.puzzle.turns
        now = min(self.session.turn + 1, turns)
        you = self._you_are(self.board.state)
        if turns > 1 and not self.session.over:
            return tr("{you} · turn {number} of {count}", you=you, number=now, count=turns)
        return you

    @property
    def task(self) -> str:
        """The question of the puzzle."""
        return tr(KINDS[self.puzzle.kind].question)

    @property
    def message(self) -> tuple[str, Tone]:
        """The sentences below the question, and their tone."""
        session, heard = self.session, " ".join(map(said, self.session.feedback))
        if self._notice:
            return self._notice, "hint"
        if self._blocked:
            return tr("{sentence} Try again.", sentence=self._problem), "wrong"
        match session.status:
            case Status.SOLVED if self._at in (None, len(session.moves)):
                return f"{heard} {self._praise}".strip(), "good"
            case Status.SHOWN | Status.SOLVED:
                return self._step_line, "hint"
            case Status.WRONG:
                return heard, "wrong"
            case Status.WAITING:
                return self.waiting_line, "plain"
            case Status.SHOWING:
                return _PREPARING, "plain"
        if not session.moves:
            return "", "plain"
        return tr("{sentence} Right. Go on.", sentence=heard).strip(), "good"

    @property
    def can_play(self) -> bool:
        """Return whether a click on the board means something now."""
        return self.session.status is Status.YOURS

    @property
    def can_retry(self) -> bool:
        """Return whether there is a wrong move to take back, or a request to repeat."""
        return self.session.status is Status.WRONG or self._blocked

    @property
    def retry_text(self) -> str:
        """Return the text of the button for `retry` or `restart`."""
        if self._blocked:
            return tr("Try again")
        return tr("Take it back") if self.can_retry else tr("Begin again")

    @property
    def can_show(self) -> bool:
        """Return whether the solution can be shown now."""
        return self.session.status in (Status.YOURS, Status.WRONG)

    @property
    def can_restart(self) -> bool:
        """Return whether there are moves to take back."""
        return bool(self.session.moves)

    @property
    def can_step(self) -> tuple[bool, bool]:
        """Return whether there are moves to step back, and on."""
        at = len(self.shown)
        return self.session.over and at > 0, self.session.over and at < len(self.session.moves)

    @property
    def may_outline(self) -> bool:
        """Return whether outlines may be shown: always, because they name no move."""
        return True

    # -- inside ------------------------------------------------------------------------------

    @property
    def _blocked(self) -> bool:
        """Return whether the session waits for values that could not be had."""
        return bool(self._problem) and self.session.status in (Status.WAITING, Status.SHOWING)

    @property
    def _praise(self) -> str:
        session = self.session
        if session.helped:
            return tr("Solved, but it does not count: you have seen the solution.")
        if session.mistakes:
            return plural(
                "Solved, after 1 mistake.", "Solved, after {n} mistakes.", session.mistakes
            )
        return tr("Solved.") if self.solved_before else tr("Solved at the first try.")

    @property
    def _step_line(self) -> str:
        """Say which move of the solution is on the board."""
        moves, shown = self.session.moves, self.shown
        if len(shown) == self._started:
            count = len(moves) - len(shown)
            return plural(
                "The solution has 1 move. Step through it with › or the arrow keys.",
                "The solution has {n} moves. Step through it with › or the arrow keys.",
                count,
            )
        if not shown:
            return tr("The position of the puzzle.")
        state = self.puzzle.state()
        for action in shown[:-1]:
            state.apply(action)
        game = self.puzzle.game
        who = game.seat_names[state.current_player()]
        return tr(
            "{number} of {count}: {name} draws {edge}.",
            number=len(shown),
            count=len(moves),
            name=who,
            edge=game.action_name(shown[-1]),
        )

    def _done(self, happened: bool) -> bool:
        if happened:
            self._problem = self._notice = ""
        return super()._done(happened)

    def _note(self) -> None:
        if self.session.status is not Status.SOLVED or self.session.helped or self._kept:
            return
        self._kept = True
        clean = not self.session.mistakes
        self.progress = self.progress.with_solved(self.puzzle.id, clean=clean, day=self._day)
        self._on_solved(self.progress)
