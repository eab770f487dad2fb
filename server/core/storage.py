"""The interface of the server's storage; `server/store/sql.py` implements it on a database.

The journal is the source of truth for unfinished rooms. Each commit adds one entry with all events
that waited for the commit, as msgpack frames, exactly as the server sends them. A finished game is
one row with its record. An entry can be deleted once all its rooms are closed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from doublecross.protocol.common import PairTag
from doublecross.server.core.bot_work import BotWorkStore
from doublecross.server.core.people.accounts import AccountStore, PlayerRow
from doublecross.server.core.people.classrooms import ClassroomStore
from doublecross.server.core.people.notes import NoteStore
from doublecross.server.core.people.progress import ProgressStore
from doublecross.server.core.people.pushes import PushStore
from doublecross.server.core.people.social import SocialStore
from doublecross.server.core.rating_book import RatedGame
from doublecross.server.core.rooms.match import ThinkingTime
from doublecross.server.core.rooms.plans import PlanRow, PlanStore
from doublecross.server.core.rooms.sleeping import SleepingRoom
from doublecross.server.core.tournament_rows import Entrant, Pairing, Status


class StoreError(Exception):
    """Raised when the storage fails. The message is one sentence for the host."""


class DatabaseTakenError(StoreError):
    """Raised by a write or a check when another server writes there in place of this one.

    That is another server that has opened the database or, in a cluster, another process that has
    taken the log. Nothing was stored, and this server can never store anything there again.
    """


@dataclass(frozen=True, slots=True)
class GameRow:
    """A finished game.

    Examples: `size` ``5x5``, `engines` ``("rules 1", "")``, `result` ``1-0``. `record` is the whole
    text record. Tuples of two are by seat. `tag` is set for a game of a tournament. `thoughts` are
    the thinking times. `code` is the join code of a private room. `accounts` are the players'
    account ids; the storage fills them in. `output` is what a bot that failed had written, which is
    for its owner only. Times are milliseconds since 1970, UTC.
    """

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
    code: str | None = None
    accounts: tuple[str | None, str | None] = (None, None)
    output: str | None = None


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """The report of a finished game.

    `version` names the form of the report and the judge (see `server/shell/analysis/reviews.py`).
    `moves` is the number of moves. `text` is the report as JSON and `packed` the same as msgpack,
    both compressed with zlib. `made_ms` is in milliseconds since 1970, UTC.
    """

    game_id: str
    version: str
    moves: int
    text: bytes
    packed: bytes
    made_ms: int


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament.

    `terms` is JSON (see `server/tournaments`), `owner` the organiser's name and `owner_id` the
    organiser's account id. Times are milliseconds since 1970, UTC. `started_ms` and `finished_ms`
    are None before the start and the end.
    """

    tournament_id: str
    name: str
    format: str
    status: Status
    owner: str
    terms: str
    created_ms: int
    started_ms: int | None = None
    finished_ms: int | None = None
    owner_id: str | None = None


@dataclass(frozen=True, slots=True)
class TournamentChange:
    """The new and changed rows of one tournament."""

    tournament_id: str
    row: TournamentRow | None = None
    entrants: Sequence[Entrant] = ()
    pairings: Sequence[Pairing] = ()


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """The events of one commit: `frames` is a msgpack stream of events, oldest first."""

    entry_id: int
    at_ms: int
    frames: bytes


@dataclass(frozen=True, slots=True)
class Batch:
    """The contents of one transaction.

    `entry` is None when no events wait. `players` are new players, and known ones (same name)
    whose kind or engine has changed. The rows of `asleep` replace earlier ones of the same rooms;
    after that, those of `woken` are removed. Of the `plans` the last one of each seat counts.
    """

    entry: JournalEntry | None
    games: Sequence[GameRow] = ()
    players: Sequence[PlayerRow] = ()
    tournaments: Sequence[TournamentChange] = ()
    asleep: Sequence[SleepingRoom] = ()
    woken: Sequence[str] = ()
    plans: Sequence[PlanRow] = ()

    @property
    def has_rows(self) -> bool:
        """True when there is anything but the entry."""
        rows = (self.games, self.players, self.tournaments, self.asleep, self.woken, self.plans)
        return any(rows)


Gather: TypeAlias = Callable[[AsyncIterator[JournalEntry]], Awaitable[Mapping[str, bytes]]]
"""A function that reads journal entries and returns the open rooms in them.

The result has the stored events of each room as one entry, by the id of the room.
"""


class SleepingStore(Protocol):
    """Read the rooms that sleep. All methods raise `StoreError` when the database fails."""

    async def room(self, room_id: str) -> SleepingRoom | None:
        """Return a room, or None if it does not sleep."""

    async def due(
        self, until_ms: int, after: tuple[int, str], limit: int
    ) -> Sequence[SleepingRoom]:
        """Return up to `limit` rooms that are due until some time, in their order.

        `after` has the time and the room of the last one of the page before.
        """

    async def first_due(self, after_ms: int) -> int | None:
        """Return when the next room is due after some time, or None."""

    async def of_player(self, player: str) -> Sequence[SleepingRoom]:
        """Return the rooms of a player, those first that are due first."""

    async def of_tournament(
        self, tournament: str, players: Collection[str]
    ) -> Sequence[SleepingRoom]:
        """Return the rooms of a tournament; `players` are all who play in it."""

    async def counts(self) -> Counter[str]:
        """Return how many rooms each player has that sleep."""
        ...


class Store(Protocol):
    """Store and read the server's data. All methods raise `StoreError` when the database fails."""

    @property
    def accounts(self) -> AccountStore:
        """The accounts in the same database."""

    @property
    def classrooms(self) -> ClassroomStore:
        """The classes in the same database."""

    @property
    def bot_work(self) -> BotWorkStore:
        """What bots did, in the same database."""

    @property
    def sleeping(self) -> SleepingStore:
        """The rooms that sleep, in the same database."""

    @property
    def plans(self) -> PlanStore:
        """Conditional moves, in the same database."""

    @property
    def progress(self) -> ProgressStore:
        """What players learn, in the same database."""

    @property
    def pushes(self) -> PushStore:
        """The storage of subscriptions of browsers."""

    @property
    def notes(self) -> NoteStore:
        """What players note about their games, in the same database."""

    @property
    def social(self) -> SocialStore:
        """Ties, talk and reports in the same database."""

    async def commit(self, batch: Batch) -> None:
        """Store the whole batch in one transaction; it is durable when this returns.

        Of a known player (compared by `name.casefold()`), only the kind and the engine change. A
        game row with a known id is ignored, because it was stored before a crash. A row of a
        tournament replaces the row with the same number.
        """

    async def has_entry(self, entry_id: int) -> bool:
        """Return whether this journal entry is stored.

        The server asks this after a commit whose outcome it does not know.
        """

    async def last_entry_id(self) -> int:
        """Return the highest entry id ever used, deleted entries included; 0 at first."""

    def journal(self) -> AsyncIterator[JournalEntry]:
        """Yield all journal entries in the order of their ids."""

    async def delete_entries(self, entry_ids: Collection[int]) -> None:
        """Delete these journal entries."""

    async def player_by_name(self, name: str) -> PlayerRow | None:
        """Return the player with this name, without regard to case, or None."""

    async def players_like(self, name: str, look: str) -> Sequence[PlayerRow]:
        """Return the player with this name, without regard to case, and one with this look.

        The player with the name comes first, if there is one.
        """

    async def complete_looks(self, version: str, look_of: Callable[[str], str]) -> None:
        """Store the looks of all names whose look is missing, or is not of this version.

        The text of a look begins with its version.
        """

    async def take_logs(self, gather: Gather) -> int:
        """Move the open rooms of a cluster into the journal, and return how many there were.

        `gather` reads the entries of one log. A single server calls this when it starts, before it
        reads the journal. From then on no process of the cluster can store anything.
        """

    async def game(self, game_id: str) -> GameRow | None:
        """Return a finished game, or None."""

    async def games(
        self,
        *,
        limit: int,
        before_ms: int | None = None,
        before_id: str = "",
        player: str | None = None,
        opponent: str | None = None,
        game: str | None = None,
        records: bool = False,
    ) -> Sequence[GameRow]:
        """Return up to `limit` finished public games, newest first.

        Without `records`, `record` is empty.

        `before_ms` continues with games that finished earlier. Games can finish in the same
        millisecond: with the id of the last game of a page as `before_id`, the games of that
        millisecond with a smaller id follow too. `player` and `game` select games of one player and
        of one game's key. With `opponent` too they are those of the player's last games that were
        against that one.
        """

    async def own_games(
        self,
        player: str,
        account_id: str,
        *,
        limit: int,
        before_ms: int | None = None,
        before_id: str = "",
    ) -> Sequence[GameRow]:
        """Return up to `limit` finished games of an account, as `games` does, private ones too.

        `player` is its name. Only the player may see them.
        """

    async def review(self, game_id: str) -> ReviewRow | None:
        """Return the stored report of a game, or None."""

    async def add_review(self, row: ReviewRow, keep: int) -> None:
        """Store a report in place of an earlier one of the same game.

        Only the `keep` newest reports stay, and those of the same millisecond as the oldest of
        them.
        """

    async def tournaments(self) -> Sequence[TournamentRow]:
        """Return all tournaments, newest first."""

    async def entered(self, player: str) -> Collection[str]:
        """Return the ids of the tournaments in which a player is now, of those that go on."""
        ...

    async def has_tournament(self, tournament_id: str) -> bool:
        """Return whether the tournament exists, even if its rows are unreadable."""

    async def tournament(
        self, tournament_id: str
    ) -> tuple[TournamentRow, Sequence[Entrant], Sequence[Pairing]] | None:
        """Return a tournament with its entrants and its pairings in the order of their numbers.

        Return None when it does not exist.
        """

    async def tournament_games(
        self, tournament_id: str, *, records: bool = False, after: GameRow | None = None
    ) -> Sequence[GameRow]:
        """Return the finished games of a tournament in the order in which they ended.

        These are all of them, or those that come after the game `after` in that order. `record` is
        empty unless `records` is true.
        """

    async def count_tournament_games(self, tournament_id: str) -> int:
        """Return how many finished games a tournament has."""

    def rated_games(self) -> AsyncIterator[RatedGame]:
        """Yield all rated games with a result in the order in which they ended."""

    async def ping(self) -> None:
        """Check that the database answers. This waits for no other read."""

    async def check_owner(self) -> None:
        """Check that no other server has opened the database; read only, wait for no other read.

        Raises:
            DatabaseTakenError: another server has opened it.
        """

    async def check_writable(self) -> None:
        """Check that a commit could be stored now, by writing as much and removing it again."""

    async def close(self) -> None:
        """Close the database."""
