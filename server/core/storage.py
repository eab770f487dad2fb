"""What the server asks of its storage; `server/store/sql.py` is the real one.

The journal is the truth about unfinished rooms: one entry for each commit, holding the msgpack
frames of all the events that waited for it, one after another, exactly as they are sent. A
finished game is one row with its record. An entry whose rooms are all closed can go.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from protocol.common import PairTag
from server.core.match import ThinkingTime
from server.core.rating_book import RatedGame
from server.tournaments.core.rows import Entrant, Pairing, Status


class StoreError(Exception):
    """The storage cannot be used; one sentence for the host."""


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player. `token_hash` is the SHA-256 of the token (32 bytes); `engine` and
    `engine_version` are empty for people. Times are milliseconds since 1970, UTC."""

    name: str
    kind: Literal["human", "bot"]
    engine: str
    engine_version: str
    token_hash: bytes
    created_ms: int


@dataclass(frozen=True, slots=True)
class GameRow:
    """A finished game. `size` is such as ``5x5``, `engines` such as ``("rules 1", "")``,
    `result` such as ``1-0``, `record` the whole text record. Pairs are by seat. Times are
    milliseconds since 1970, UTC. `tag` is set for a game of a tournament; `thoughts` are what the
    moves of the seats took."""

    game_id: str
    room: str
    match: int
    game: str
    size: str
    players: tuple[str, str]
    engines: tuple[str, str]
    rated: bool
    private: bool
    time_control: str
    started_ms: int
    finished_ms: int
    termination: str
    result: str
    winner: int | None
    scores: tuple[int, int]
    plies: int
    record: str
    tag: PairTag | None = None
    thoughts: tuple[ThinkingTime, ThinkingTime] = field(
        default_factory=lambda: (ThinkingTime(), ThinkingTime())
    )


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament; `terms` is JSON (see `server/tournaments`), `owner` the name of the player who
    organises it. Times are milliseconds since 1970, UTC, None before it started or ended."""

    tournament_id: str
    name: str
    format: str
    status: Status
    owner: str
    terms: str
    created_ms: int
    started_ms: int | None = None
    finished_ms: int | None = None


@dataclass(frozen=True, slots=True)
class TournamentChange:
    """Rows of one tournament that are new or have changed."""

    tournament_id: str
    row: TournamentRow | None = None
    entrants: Sequence[Entrant] = ()
    pairings: Sequence[Pairing] = ()


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One commit: `frames` is a msgpack stream of events, oldest first."""

    entry_id: int
    at_ms: int
    frames: bytes


@dataclass(frozen=True, slots=True)
class Batch:
    """All that goes into one transaction. `entry` is None when no events wait. `players` are
    new, or known ones (same name) whose kind or engine has changed."""

    entry: JournalEntry | None
    games: Sequence[GameRow] = ()
    players: Sequence[PlayerRow] = ()
    tournaments: Sequence[TournamentChange] = ()


class Store(Protocol):
    """The storage. All methods raise `StoreError` when the database fails."""

    async def commit(self, batch: Batch) -> None:
        """Store the batch in one transaction, durable when this returns; all of it or nothing.
        A player row replaces the one of the same name (compared by `name.casefold()`), a game
        row of a known id is ignored (it was stored before a crash), a row of a tournament
        replaces the one of the same numbers."""

    async def has_entry(self, entry_id: int) -> bool:
        """Whether that journal entry is stored (asked after a commit whose outcome is unknown)."""

    async def last_entry_id(self) -> int:
        """The highest entry id ever used, 0 at the start; deleted entries count too."""

    def journal(self) -> AsyncIterator[JournalEntry]:
        """All entries, in order of their ids."""

    async def delete_entries(self, entry_ids: Collection[int]) -> None:
        """Forget these journal entries."""

    async def player_by_token_hash(self, token_hash: bytes) -> PlayerRow | None:
        """The player whose token has this hash."""

    async def player_by_name(self, name: str) -> PlayerRow | None:
        """The player of this name, whatever the case of its letters."""

    async def game(self, game_id: str) -> GameRow | None:
        """A finished game."""

    async def games(
        self,
        *,
        limit: int,
        before_ms: int | None = None,
        player: str | None = None,
        game: str | None = None,
    ) -> Sequence[GameRow]:
        """Finished games that are not private, newest first, with `record` empty; `before_ms`
        pages on, `player` and `game` select."""

    async def tournaments(self) -> Sequence[TournamentRow]:
        """All tournaments, newest first."""

    async def has_tournament(self, tournament_id: str) -> bool:
        """Whether there is such a tournament, be its rows readable or not."""

    async def tournament(
        self, tournament_id: str
    ) -> tuple[TournamentRow, Sequence[Entrant], Sequence[Pairing]] | None:
        """A tournament with its entrants and pairings, each in the order of their numbers."""

    async def tournament_games(
        self, tournament_id: str, *, records: bool = False
    ) -> Sequence[GameRow]:
        """All finished games of a tournament in the order in which they ended; `record` is empty
        unless `records`."""

    def rated_games(self) -> AsyncIterator[RatedGame]:
        """All finished rated games that have a result, in the order in which they ended."""

    async def ping(self) -> None:
        """Read something, to see that the database answers."""

    async def close(self) -> None:
        """Let go of the database."""
