"""Decide which game is judged next, who waits for it, and at which place.

Theory of operation
-------------------
A game is in the queue once, however many players ask for it. A player waits for one game at a time:
asking for another one gives up the first. A player who disconnects is away. After `AWAY_MS` the
player waits no longer. So a short disconnect costs nobody a place.

A game for which nobody waits leaves the queue, even if it is being judged: what a worker does then
helps nobody, and others wait for the worker. `take_abandoned` names the games whose workers have to
stop.

`changes` returns what is different since it was called last, so callers need not know which step
changes whose place.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

AWAY_MS: Final = 30_000
"""How long a player may be disconnected and keep the place, in milliseconds."""

Status = Literal["queued", "working"]


@dataclass(frozen=True, slots=True)
class ReviewOrder:
    """A finished game to judge: its id, its text record, and its number of moves."""

    game_id: str
    record: str
    moves: int


@dataclass(frozen=True, slots=True)
class ReviewProgress:
    """The progress of a review.

    `place` counts from 1 in the queue, and is 0 once the game is being judged. `done` is the number
    of judged moves, and `moves` the number of all moves.
    """

    status: Status
    place: int
    done: int
    moves: int


@dataclass(slots=True)
class _Entry:
    """A game in the queue; `told` is the progress that its players know."""

    order: ReviewOrder
    players: dict[str, None] = field(default_factory=dict)
    working: bool = False
    done: int = 0
    told: ReviewProgress | None = None


class ReviewQueue:
    """The games that wait, at most `most_waiting`, and those that are being judged.

    Times are milliseconds of a clock that never goes back.
    """

    def __init__(self, most_waiting: int) -> None:
        self._most_waiting = most_waiting
        self._entries: dict[str, _Entry] = {}
        """By game, in the order in which the games came."""
        self._game_of: dict[str, str] = {}
        """The game for which each player waits."""
        self._away: dict[str, int] = {}
        """When the players who are away were seen last."""
        self._abandoned: list[str] = []

    def __contains__(self, game_id: str) -> bool:
        """Return whether the game waits or is being judged."""
        return game_id in self._entries

    @property
    def waiting(self) -> int:
        """The number of games that wait."""
        return sum(not entry.working for entry in self._entries.values())

    @property
    def working(self) -> int:
        """The number of games that are being judged."""
        return len(self._entries) - self.waiting

    @property
    def is_full(self) -> bool:
        """True when no other game can be added."""
        return self.waiting >= self._most_waiting

    def is_waiting(self, player: str) -> bool:
        """Return whether the player waits for a game."""
        return player in self._game_of

    def ask(self, player: str, order: ReviewOrder) -> None:
        """Let a player wait for a game, which joins the queue unless it is there.

        Raises:
            ValueError: the queue is full and does not have the game; nothing has changed.
        """
        entry = self._entries.get(order.game_id)
        if entry is None:
            # Ask this before `leave`, which might free a place: a refusal changes nothing.
            if self.is_full:
                raise ValueError("the queue is full")
            entry = self._entries[order.game_id] = _Entry(order)
        self._away.pop(player, None)
        if self._game_of.get(player) != order.game_id:
            self.leave(player)
            self._game_of[player] = order.game_id
        entry.players[player] = None

    def leave(self, player: str) -> None:
        """Let a player wait no longer; a game for which nobody waits leaves the queue."""
        self._away.pop(player, None)
        game_id = self._game_of.pop(player, None)
        if game_id is None:
            return
        entry = self._entries[game_id]
        del entry.players[player]
        if not entry.players:
            del self._entries[game_id]
            if entry.working:
                self._abandoned.append(game_id)

    def take_abandoned(self) -> list[str]:
        """Return the games that left the queue while they were judged, and forget them."""
        abandoned, self._abandoned = self._abandoned, []
        return abandoned

    def start(self) -> ReviewOrder | None:
        """Return the next game to judge, which then counts as being judged; None if none waits."""
        for entry in self._entries.values():
            if not entry.working:
                entry.working = True
                return entry.order
        return None

    def judged(self, game_id: str, done: int) -> None:
        """Note how many moves of a game are judged; a game that has left is ignored."""
        entry = self._entries.get(game_id)
        if entry is not None:
            entry.done = done

    def end(self, game_id: str) -> tuple[str, ...]:
        """Remove a game that is judged or has failed; return the players who wait for it."""
        players = tuple(self._entries.pop(game_id).players)
        for player in players:
            del self._game_of[player]
            self._away.pop(player, None)
        return players

    # -- players -----------------------------------------------------------------------------

    def depart(self, player: str, now: int) -> None:
        """Note that a player has disconnected."""
        if player in self._game_of:
            self._away[player] = now

    def arrive(self, player: str) -> None:
        """Note that a player is connected."""
        self._away.pop(player, None)

    def sweep(self, now: int) -> None:
        """Let the players wait no longer who have been away for too long."""
        # A copy, because `leave` changes the dict.
        for player, since in list(self._away.items()):
            if now - since >= AWAY_MS:
                self.leave(player)

    # -- progress ----------------------------------------------------------------------------

    def progress(self, game_id: str) -> ReviewProgress:
        """Return how far the review of a game in the queue is."""
        entry = self._entries[game_id]
        place = 0
        if not entry.working:
            # At most `most_waiting` games wait, so a search is quick.
            waiting = [key for key, each in self._entries.items() if not each.working]
            place = waiting.index(game_id) + 1
        return ReviewProgress(
            "working" if entry.working else "queued", place, entry.done, entry.order.moves
        )

    def changes(self) -> list[tuple[str, tuple[str, ...], ReviewProgress]]:
        """Return the games whose progress has changed, with their players and the progress.

        The first call after `ask` has the game that was added.
        """
        found = []
        for game_id, entry in self._entries.items():
            progress = self.progress(game_id)
            if progress != entry.told:
                entry.told = progress
                found.append((game_id, tuple(entry.players), progress))
        return found
