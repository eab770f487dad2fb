"""Pass finished games to workers that judge them, and report the progress to waiting players.

The server itself judges nothing. Its constructor gets a `Reviewer`, or None; then there are only
stored reports. `server/core/review_queue.py` decides whose turn it is. This file runs the
workers, stores the reports, and sets the limits.

- One worker judges one game at a time. A worker that dies is started again, and its game gets a
  second try. A game that takes too long fails.
- A report is stored before it is sent. If it cannot be stored, it is sent nevertheless, because it
  can be made again.
- The reports come compressed and encoded for both codecs, so the event loop neither reads nor
  encodes them.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final, Literal, Protocol

import structlog

from doublecross.games.api.sentence import Sentence
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.review_messages import REPORT_VERSION
from doublecross.server.background import BackgroundTasks
from doublecross.server.core.errors import Refused
from doublecross.server.core.review_queue import ReviewOrder, ReviewProgress, ReviewQueue
from doublecross.server.core.storage import GameRow, ReviewRow, Store, StoreError
from doublecross.server.shell.addresses.admission import Action, AddressLimits, Admission, Rate

MOST_WAITING: Final = 32
"""The most games that wait for a worker."""
DEADLINE_S: Final = 300.0
"""Seconds for one game. The first game takes long: a process starts and kernels are compiled."""
TRIES: Final = 2
"""How often a game is tried when its worker dies."""
PLAYER_RATE: Final = Rate(30, 3600.0)
"""How many reviews may be made for one player."""
KEPT: Final = 2000
"""How many reports stay in the database."""
_FAILED_S: Final = 600.0
"""For how many seconds a game that has failed is not judged again."""
_MOST_RECENT: Final = 16
"""How many reports, and how many failures, stay in memory."""

_log = structlog.get_logger("reviews")


class ReviewFailedError(Exception):
    """A game cannot be judged. The message is one sentence for people."""


class WorkerDiedError(Exception):
    """The worker died while it judged a game. The message is one sentence for the host."""


@dataclass(frozen=True, slots=True)
class MadeReport:
    """A report as JSON (`text`) and as msgpack (`packed`), both compressed with zlib."""

    text: bytes
    packed: bytes


class Reviewer(Protocol):
    """An object that judges finished games, in processes of its own."""

    workers: int
    """How many games it judges at once."""
    version: str
    """The name of the judge; reports of another judge are made again."""

    def problem(self, game: str, moves: int) -> str:
        """Return why a game with this key and so many moves has no review; empty: it can have one.

        The text is one sentence.
        """

    async def judge(self, order: ReviewOrder, progress: Callable[[int], None]) -> MadeReport:
        """Judge a game; `progress` receives how many moves are judged, a few times a second.

        If the call is cancelled, the worker stops and is free for the next game.

        Raises:
            ReviewFailedError: the game cannot be judged.
            WorkerDiedError: the worker died.
        """

    async def close(self) -> None:
        """End all workers."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How the review of a game stands; see `doublecross.protocol.review_messages.ReviewState`."""

    status: Literal["queued", "working", "done", "failed"]
    place: int
    done: int
    moves: int
    reason: Sentence | None = None
    report: MadeReport | None = None

    def message(self, game_id: str) -> dict[str, Any]:
        """Return the message for clients, without the report."""
        return {
            "type": "review",
            "game_id": game_id,
            "status": self.status,
            "place": self.place,
            "done": self.done,
            "all": self.moves,
            "reason": self.reason,
            "phrase": self.reason and self.reason.phrase,
        }


Tell = Callable[[Collection[str], str, Standing], None]
"""Tell these players how the review of the game with this id stands."""


class ReviewService:
    """Let players wait for reviews. Call all methods in one event loop; end with `close`.

    `tell` sends a notice. `date` returns milliseconds since 1970, `real_s` seconds that never go
    back. `deadline_s` is the time for one game. The database keeps `kept` reports.
    """

    def __init__(
        self,
        reviewer: Reviewer | None,
        store: Store,
        tell: Tell,
        date: Callable[[], int],
        real_s: Callable[[], float],
        *,
        deadline_s: float = DEADLINE_S,
        kept: int = KEPT,
    ) -> None:
        self._reviewer = reviewer
        self.is_open = reviewer is not None
        """True when there are workers."""
        self._store = store
        self._tell = tell
        self._date = date
        self._real_s = real_s
        self._deadline_s = deadline_s
        self._kept = kept
        self._queue = queue = ReviewQueue(MOST_WAITING)
        # `forget` is for a player whose name another one may get.
        self.arrive, self.depart, self.forget = queue.arrive, queue.depart, queue.leave
        self.is_waiting = queue.is_waiting
        self._rates = Admission(AddressLimits({Action.REVIEW: PLAYER_RATE}), real_s)
        self._busy = 0
        """How many tasks use a worker, including those that are being stopped."""
        self._judging: dict[str, asyncio.Task[None]] = {}
        """The tasks that judge games of the queue."""
        self._tasks = BackgroundTasks()
        self._recent: OrderedDict[str, ReviewRow] = OrderedDict()
        self._failed: OrderedDict[str, tuple[float, Sentence]] = OrderedDict()
        """The time at which each game failed, in seconds of `real_s`, and the reason.

        Dates could go back, and such a game would have no review for as long.
        """
        self._closed = False
        self._made = self._failures = 0
        self._seconds = 0.0

    def figures(self) -> dict[str, Any]:
        """Return the numbers for `/health`.

        See `doublecross.server.shell.web.answers.ReviewFigures`.
        """
        return {
            "workers": 0 if self._reviewer is None else self._reviewer.workers,
            "waiting": self._queue.waiting,
            "working": self._queue.working,
            "made": self._made,
            "failed": self._failures,
            "seconds": round(self._seconds, 1),
        }

    async def ask(
        self, player: str, row: GameRow, admit: Callable[[], None] = lambda: None
    ) -> Standing:
        """Return how the review of a finished game stands.

        If it is neither done nor failed, the player waits for it from now on and gets a notice of
        every change, unless the player asks for another review. `admit` is called before the game
        joins the queue; it may raise `Refused`.

        Raises:
            Refused: the game cannot have a review, too many games wait, or the player has asked for
                too many.
        """
        game_id = row.game_id
        found = await self.find(game_id)
        if found is not None:
            report = MadeReport(found.text, found.packed)
            return Standing("done", 0, found.moves, found.moves, report=report)
        if game_id not in self._queue:
            problem = self.problem(row)
            if problem:
                raise Refused(ErrorCode.NO_REVIEW, problem)
            failed = self._failure(game_id)
            if failed:
                return Standing("failed", 0, 0, row.plies, failed)
            if self._queue.is_full:
                raise Refused(
                    ErrorCode.NO_REVIEW,
                    "{most} games wait for their review already; try again in a minute.",
                    MOST_WAITING,
                )
            admit()
            # The rate is charged last, so that a refusal for another reason costs nothing.
            if self._rates.wait_s(player, Action.REVIEW):
                raise Refused(
                    ErrorCode.NO_REVIEW,
                    "You have asked for {most} reviews within an hour; try again in a few minutes.",
                    PLAYER_RATE.most,
                )
        self._queue.ask(player, ReviewOrder(game_id, row.record, row.plies))
        # The player gets the answer below, and needs no notice of the same.
        self._go_on(but=player)
        return _standing(self._queue.progress(game_id))

    def problem(self, row: GameRow) -> Sentence:
        """Return why nobody can judge a game here, in a sentence; empty: it can be judged."""
        if self._reviewer is None or self._closed:
            return Sentence("This server makes no reviews of games.")
        return Sentence(self._reviewer.problem(row.game, row.plies))

    async def find(self, game_id: str) -> ReviewRow | None:
        """Return the report of a game, if there is one that is good enough."""
        # Whatever is stored is not good enough, or it would not be judged.
        if game_id in self._queue:
            return None
        if game_id not in self._recent:
            stored = await self._store.review(game_id)
            # A newer report may have been made meanwhile.
            if game_id not in self._recent and stored is not None and self._is_good(stored):
                return stored
        return self._recent.get(game_id)

    def sweep(self, now: int) -> None:
        """Forget the players who have been away for too long; `now` is in milliseconds."""
        self._queue.sweep(now)
        self._go_on()

    async def close(self) -> None:
        """Stop all workers."""
        self._closed = True
        await self._tasks.close()
        if self._reviewer is not None:
            await self._reviewer.close()

    # -- inner steps -------------------------------------------------------------------------

    def _is_good(self, row: ReviewRow) -> bool:
        """Return whether clients can read a report, and no better judge is available."""
        return _is_readable(row) if self._reviewer is None else row.version == self._version

    @property
    def _version(self) -> str:
        assert self._reviewer is not None
        return f"{REPORT_VERSION}.{self._reviewer.version}"

    def _failure(self, game_id: str) -> Sentence:
        """Return why a game has failed not long ago, or an empty text."""
        at_s, reason = self._failed.get(game_id, (0.0, Sentence("")))
        return reason if self._real_s() - at_s < _FAILED_S else Sentence("")

    def _go_on(self, but: str = "") -> None:
        """Stop and start workers as the queue says, and tell the players except `but`."""
        for game_id in self._queue.take_abandoned():
            # The cancelled task tells nobody, because nobody waits for the game.
            self._judging.pop(game_id).cancel()
        reviewer = self._reviewer
        while reviewer is not None and not self._closed and self._busy < reviewer.workers:
            order = self._queue.start()
            if order is None:
                break
            self._busy += 1
            task = self._tasks.start(self._work(reviewer, order))
            # Use a callback: a task that is cancelled early executes nothing of its coroutine.
            task.add_done_callback(self._ended)
            self._judging[order.game_id] = task
        for game_id, players, progress in self._queue.changes():
            others = [player for player in players if player != but]
            self._tell(others, game_id, _standing(progress))

    async def _work(self, reviewer: Reviewer, order: ReviewOrder) -> None:
        """Judge one game of the queue and tell the result."""
        game_id, began = order.game_id, monotonic()
        try:
            made = await self._judge(reviewer, order)
            await self._keep(order, made)
            result = self._succeed(order, made, monotonic() - began)
        except ReviewFailedError as failed:
            result = self._fail(order, Sentence(failed.args[0]))
        except Exception:  # noqa: BLE001 - a bug must not leave the players waiting
            _log.exception("review_crashed", game=game_id)
            result = self._fail(order, Sentence("This game could not be judged; the log says why."))
        del self._judging[game_id]
        self._tell(self._queue.end(game_id), game_id, result)

    def _ended(self, _task: asyncio.Task[None]) -> None:
        """Give the worker of a task that has ended to the next game."""
        self._busy -= 1
        self._go_on()

    async def _judge(self, reviewer: Reviewer, order: ReviewOrder) -> MadeReport:
        """Return the report of a game; try again if the worker dies.

        Raises:
            ReviewFailedError: the game cannot be judged.
        """

        def progress(done: int) -> None:
            self._queue.judged(order.game_id, done)
            self._go_on()

        for tried in range(1, TRIES + 1):
            try:
                async with asyncio.timeout(self._deadline_s):
                    return await reviewer.judge(order, progress)
            except TimeoutError:
                raise ReviewFailedError(
                    Sentence(
                        "The game was not judged within {minutes} minutes; try again when the"
                        " server has less to do.",
                        f"{self._deadline_s / 60:.0f}",
                    )
                ) from None
            except WorkerDiedError as died:
                _log.warning("review_worker_died", game=order.game_id, why=str(died), tries=tried)
            # The second try begins at the first move.
            progress(0)
        raise ReviewFailedError(
            "The process that judges games has ended twice over this game;"
            " the server's log says why."
        )

    def _succeed(self, order: ReviewOrder, made: MadeReport, seconds: float) -> Standing:
        self._made += 1
        self._seconds += seconds
        _log.info(
            "review_made",
            game=order.game_id,
            moves=order.moves,
            seconds=round(seconds, 1),
            waiting=self._queue.waiting,
        )
        return Standing("done", 0, order.moves, order.moves, report=made)

    def _fail(self, order: ReviewOrder, reason: Sentence) -> Standing:
        self._failures += 1
        self._failed[order.game_id] = self._real_s(), reason
        self._failed.move_to_end(order.game_id)
        if len(self._failed) > _MOST_RECENT:
            self._failed.popitem(last=False)
        _log.warning("review_failed", game=order.game_id, why=reason)
        return Standing("failed", 0, 0, order.moves, reason)

    async def _keep(self, order: ReviewOrder, made: MadeReport) -> None:
        """Store a report; if that fails, it is at least in memory for a while."""
        row = ReviewRow(
            order.game_id, self._version, order.moves, made.text, made.packed, self._date()
        )
        self._recent[order.game_id] = row
        if len(self._recent) > _MOST_RECENT:
            self._recent.popitem(last=False)
        try:
            await self._store.add_review(row, self._kept)
        except StoreError as error:
            _log.warning("review_not_stored", game=order.game_id, why=str(error))


def _standing(progress: ReviewProgress) -> Standing:
    return Standing(progress.status, progress.place, progress.done, progress.moves)


async def stored_report(store: Store, game_id: str) -> ReviewRow | None:
    """Return the stored report of a game if clients can read it, whichever judge has made it.

    Raises:
        StoreError: the database failed.
    """
    found = await store.review(game_id)
    return found if found is not None and _is_readable(found) else None


def _is_readable(row: ReviewRow) -> bool:
    return row.version.startswith(f"{REPORT_VERSION}.")
