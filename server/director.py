"""Runs the tournaments of a server: opens their games, and takes in what came of them.

Theory of operation
-------------------
`server/tournament` decides who meets whom; this is the shell around it. Whatever may let a game
begin (a player comes, a game is over, a tournament starts) marks the tournament as due; once the
event loop has dealt with all that happened together, the tournament is asked for its next games,
and a room is opened for each, with both players in their seats.

Results live in finished games and nowhere else: a game's tag, in the first event of its room and
in its row, says which game of which tournament it is. After a restart a tournament is built again
from its rows, the finished games with its tags, and the tags of the rooms that go on. When a commit
fails, the same is done at once, as nobody knows what was stored; until then nothing is begun.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection, Coroutine, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import structlog

from protocol.common import MatchSettings, PairTag, PlayerInfo
from protocol.common import TournamentTerms as WireTerms
from protocol.errors import ErrorCode
from server.channel import Channel
from server.errors import Refused
from server.events import settings_dict
from server.records import engine_text
from server.room import Room
from server.store.api import StoreError, TournamentChange, TournamentRow
from server.terms import RoomTerms, check_settings
from server.tournament.rows import Outcome, Tag
from server.tournament.tournament import Changes, NewGame, Tournament
from server.tournament_messages import (
    Openings,
    built,
    core_terms,
    find_openings,
    id_of,
    refusing,
    tag_of,
    terms_text,
    tournament_state,
    wire_tag,
)

if TYPE_CHECKING:
    from server.authority import Authority

_log = structlog.get_logger("tournaments")

RELOAD_S: Final = 1.0
"""How long after a failure of the storage it is asked again, in seconds."""
OPEN_PER_OWNER: Final = 20
"""Tournaments of one organiser that have not ended."""


def outcome_of_room(room: Room) -> Outcome:
    """How the game of a tournament that this room was for has ended."""
    assert room.terms.tag is not None
    assert room.match is not None
    assert room.match.result is not None
    result = room.match.result
    return Outcome(
        tag_of(room.terms.tag),
        result.winner,
        result.scores,
        result.termination,
        room.finished_at or 0,
    )


@dataclass(slots=True)
class Held:
    """A tournament that has not ended. `numbers` are its entrants' by name, `rooms` those of its
    games that are being played."""

    row: TournamentRow
    wire: WireTerms
    openings: Openings
    core: Tournament
    settings: MatchSettings
    numbers: dict[str, int] = field(default_factory=dict)
    rooms: dict[Tag, str] = field(default_factory=dict)
    slots: dict[int, int] = field(default_factory=dict)
    """Games that entrants can begin now, by number; only those that can."""
    timer: asyncio.TimerHandle | None = None
    """When it is to be asked again, whatever happens until then."""
    stale: bool = False
    """Whether it must be built again from the storage before it goes on."""


class Director:
    """See the module's docstring. One for each server."""

    def __init__(self, authority: Authority) -> None:
        self._authority = authority
        self.held: dict[str, Held] = {}
        self._entered: dict[str, set[str]] = {}
        """The tournaments that a player is in, by name."""
        self._playing: Counter[str] = Counter()
        """Games of tournaments that a player is playing, by name."""
        self._due: dict[str, None] = {}
        self._called = False
        self._tasks: set[asyncio.Task[None]] = set()

    # -- starting ----------------------------------------------------------------------------

    async def load(self) -> None:
        """Take up all tournaments that have not ended; the rooms are there already.

        Raises:
            StoreError: the database fails.
        """
        await self._authority.committer.settled(games=True)
        for row in await self._authority.store.tournaments():
            if row.status in ("open", "running"):
                await self._take_up(row.tournament_id)

    async def close(self) -> None:
        """End what still asks the storage."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _take_up(self, tournament_id: str) -> None:
        store = self._authority.store
        found = await store.tournament(tournament_id)
        if found is None:
            self._forget(tournament_id)
            return
        row, entrants, pairings = found
        games = await store.tournament_games(tournament_id)
        rooms = {
            tag_of(room.terms.tag): room.id
            for room in self._authority.lobby.rooms.values()
            if room.terms.tag is not None
            and room.terms.tag.tournament == tournament_id
            and room.status == "playing"
        }
        wire, openings, core, changes = built(
            row, entrants, pairings, games, rooms, self._authority.now()
        )
        self._forget(tournament_id)
        held = self._hold(row, wire, openings, core)
        for tag, room_id in rooms.items():
            self._begun(held, tag, room_id)
        self._store(held, changes)
        for name in held.numbers:
            self._count_slots(name)
        self._wake(held)

    def _hold(
        self,
        row: TournamentRow,
        wire: WireTerms,
        openings: Openings,
        core: Tournament,
    ) -> Held:
        held = Held(row, wire, openings, core, wire.settings)
        self.held[row.tournament_id] = held
        for entrant in core.entrants:
            held.numbers[entrant.name] = entrant.number
            self._entered.setdefault(entrant.name, set()).add(row.tournament_id)
        return held

    def _forget(self, tournament_id: str) -> None:
        held = self.held.pop(tournament_id, None)
        if held is None:
            return
        if held.timer is not None:
            held.timer.cancel()
        for tag in list(held.rooms):
            self._ended(held, tag)
        for name in held.numbers:
            entered = self._entered[name]
            entered.discard(tournament_id)
            if not entered:
                del self._entered[name]

    # -- what players and organisers ask for ------------------------------------------------

    async def create(self, owner: str, key: str, terms: WireTerms) -> tuple[Held, str]:
        """A new tournament, and a sentence about its openings where they repeat; the same again
        for the same key. It is stored when the committer has got to it.

        Raises:
            Refused: terms that make no sense, or too many tournaments.
        """
        tournament_id = id_of(owner, key)
        known = self.held.get(tournament_id)
        if known is not None:
            return known, ""
        if await self._stored_row(tournament_id) is not None:
            raise Refused(ErrorCode.WRONG_STATE, "That tournament has ended.")
        mine = sum(held.row.owner == owner for held in self.held.values())
        if mine >= OPEN_PER_OWNER:
            raise Refused(ErrorCode.TOO_MANY, f"You have {mine} tournaments, which is the limit.")
        if terms.settings.opening:
            raise Refused(ErrorCode.BAD_PARAMETER, "A tournament chooses its openings by itself.")
        game = check_settings(terms.settings)
        if terms.seed is None:
            terms = terms.model_copy(update={"seed": self._authority.rng.getrandbits(48)})
        settings = terms.settings.model_copy(update={"params": dict(game.params)})
        terms = terms.model_copy(update={"settings": settings})
        openings, note = await asyncio.to_thread(find_openings, game, terms)
        if tournament_id in self.held:  # the same request has come twice
            return self.held[tournament_id], note
        with refusing():
            core = Tournament(core_terms(tournament_id, terms, openings))
        now = self._authority.now()
        row = TournamentRow(
            tournament_id,
            terms.name,
            terms.format,
            "open",
            owner,
            terms_text(terms, openings),
            now,
        )
        held = self._hold(row, terms, openings, core)
        self._store(held, None, whole=True)
        return held, note

    def join(self, held: Held, player: PlayerInfo, at_once: int) -> None:
        """`player` enters, or comes back.

        Raises:
            Refused: it may not.
        """
        engine, known = engine_text(player), held.core.find(player.name)
        if known is not None and known.state == "in":
            if known.engine != engine:
                raise Refused(
                    ErrorCode.WRONG_STATE,
                    f"{player.name} entered as {known.engine or 'a person'} and cannot play on as"
                    f" {engine or 'a person'}.",
                )
            return  # it comes back, and is in already
        with refusing():
            changes = held.core.join(player.name, engine, at_once, self._authority.now())
        for entrant in changes.entrants:
            held.numbers[entrant.name] = entrant.number
        self._entered.setdefault(player.name, set()).add(held.row.tournament_id)
        self._store(held, changes)
        self._count_slots(player.name)
        self._wake(held)

    def leave(self, held: Held, player: str) -> None:
        """`player` gets no more games.

        Raises:
            Refused: it is not in it.
        """
        with refusing():
            changes = held.core.leave(player, "left", self._authority.now())
        self._changed(held, changes)

    def set_aside(self, held: Held, player: str, reason: str) -> None:
        """The organiser sets `player` aside.

        Raises:
            Refused: it is not in it.
        """
        number = held.numbers.get(player)
        if number is None:
            raise Refused(ErrorCode.UNKNOWN_PLAYER, f"{player} is not in this tournament.")
        with refusing():
            changes = held.core.set_aside(
                number, reason or "set aside by the organiser", self._authority.now()
            )
        self._changed(held, changes)

    def start(self, held: Held) -> None:
        """The organiser starts it.

        Raises:
            Refused: it has started, or there are too few players.
        """
        now = self._authority.now()
        with refusing():
            changes = held.core.start(now)
        held.row = replace(held.row, started_ms=now)
        self._changed(held, changes)

    def end(self, held: Held) -> None:
        """The organiser ends it: what is being played goes on and counts.

        Raises:
            Refused: it has ended.
        """
        with refusing():
            changes = held.core.cancel(self._authority.now())
        self._changed(held, changes)

    def state(self, held: Held, note: str = "") -> dict[str, Any]:
        """How a tournament stands, as its message says it."""
        return tournament_state(held.row, held.wire, held.core, self._authority.peers, note=note)

    def listed(self, tournament_id: str) -> dict[str, Any]:
        """The line of a tournament in the lobby."""
        held = self.held[tournament_id]
        ended = held.row.status not in ("open", "running")
        return {
            "tournament": tournament_id,
            "name": held.row.name,
            "format": held.row.format,
            "settings": settings_dict(held.settings),
            "owner": held.row.owner,
            # One whose last games are still being played is on for those who watch.
            "status": "running" if ended else held.row.status,
            "entrants": len(held.numbers),
        }

    def find(self, tournament_id: str) -> Held:
        """A tournament that has not ended.

        Raises:
            Refused: there is none, or it is being read again.
        """
        held = self.held.get(tournament_id)
        if held is None:
            raise Refused(
                ErrorCode.UNKNOWN_TOURNAMENT, f"There is no open tournament {tournament_id}."
            )
        if held.stale:
            raise Refused(ErrorCode.STORAGE_FAILED, "The server's storage is behind; try again.")
        return held

    def check_organiser(self, held: Held, player: str) -> None:
        """Whether `player` may run it.

        Raises:
            Refused: only its organiser and the host's admins may.
        """
        if player != held.row.owner and player not in self._authority.admins:
            raise Refused(ErrorCode.NOT_YOURS, f"Only {held.row.owner} organises this tournament.")

    # -- what happens on the server ----------------------------------------------------------

    def came(self, name: str) -> None:
        """A player is connected."""
        self._presence(name)

    def went(self, name: str) -> None:
        """A player's connection is gone."""
        self._presence(name)

    def over(self, room: Room) -> None:
        """The game of a tournament has ended, and that is stored."""
        assert room.terms.tag is not None
        held = self.held.get(room.terms.tag.tournament)
        if held is None:
            return
        outcome = outcome_of_room(room)
        self._ended(held, outcome.tag)
        if not held.stale:  # otherwise it is among what is read again
            self._changed(held, held.core.over(outcome))
        for player in room.players:
            if player is not None:
                self._presence(player.name)
        self._let_go(held)

    def lost(self, tag: PairTag) -> None:
        """The room of a new game could not be stored and is gone."""
        held = self.held.get(tag.tournament)
        if held is not None:
            self._ended(held, tag_of(tag))
            self._reload(held)

    def _presence(self, name: str) -> None:
        if name not in self._entered:
            return
        self._count_slots(name)
        for tournament_id in self._entered[name]:
            self._wake(self.held[tournament_id])

    def _count_slots(self, name: str) -> None:
        """How many more games `name` can begin, in each of its tournaments."""
        peer = self._authority.peers.get(name)
        for tournament_id in self._entered.get(name, ()):
            held = self.held[tournament_id]
            number = held.numbers[name]
            entrant = held.core.entrants[number]
            free = 0
            if entrant.state == "in" and peer is not None and peer.player is not None:
                # Bots are rated by name and version: another program may not play on for it.
                same = engine_text(peer.player) == entrant.engine
                free = entrant.at_once - self._playing[name] if same else 0
            if free > 0:
                held.slots[number] = free
            else:
                held.slots.pop(number, None)

    # -- games -------------------------------------------------------------------------------

    def _wake(self, held: Held) -> None:
        """See to its next games once all that happens now has happened."""
        self._due[held.row.tournament_id] = None
        if not self._called:
            self._called = True
            asyncio.get_running_loop().call_soon(self._run_due)

    def _run_due(self) -> None:
        self._called = False
        due, self._due = self._due, {}
        for tournament_id in due:
            held = self.held.get(tournament_id)
            if held is None or held.stale or self._authority.closing:
                continue
            try:
                self._begin_games(held)
            except Exception:  # noqa: BLE001 - one tournament must not stop the others
                _log.exception("tournament_failed", tournament=tournament_id)

    def _begin_games(self, held: Held) -> None:
        if held.core.status != "running":
            return
        now = self._authority.now()
        most = held.wire.games_at_once
        left = None if most is None else most - len(held.rooms)
        started = held.core.next_games(held.slots, now, left)
        self._store(held, started.changes)
        for game in started.games:
            self._open(held, game)
        if held.timer is not None:
            held.timer.cancel()
            held.timer = None
        if started.wake_ms is not None:
            delay = max(0, started.wake_ms - now) / 1000
            held.timer = asyncio.get_running_loop().call_later(delay, self._wake, held)

    def _open(self, held: Held, game: NewGame) -> None:
        """Open the room of a game, with both players in it."""
        authority = self._authority
        players = [held.core.entrants[number].name for number in game.players]
        peers = [authority.peers.get(name) for name in players]
        if None in peers or len(authority.lobby.rooms) >= authority.limits.rooms:
            self._store(held, held.core.dropped(game.tag))
            return
        settings = held.settings.model_copy(update={"opening": game.opening})
        now = authority.now()
        terms = RoomTerms(
            authority.lobby.new_id(),
            settings,
            origin=held.row.tournament_id,
            tag=wire_tag(game.tag),
        )
        room, said = Room.open(terms, authority.times, now)
        for seat, peer in enumerate(peers):
            assert peer is not None
            assert peer.player is not None
            said += room.sit(peer.player, seat, now)
        authority.lobby.add_room(room)
        authority.channels[room.id] = Channel(room)
        authority.publish(room, said)
        self._begun(held, game.tag, room.id)
        for peer in peers:
            assert peer is not None
            authority.show_room(peer, room, None, origin=held.row.tournament_id)

    def _begun(self, held: Held, tag: Tag, room_id: str) -> None:
        held.rooms[tag] = room_id
        for name in self._players_of(held, tag):
            self._playing[name] += 1
            self._count_slots(name)

    def _ended(self, held: Held, tag: Tag) -> None:
        if held.rooms.pop(tag, None) is None:
            return
        for name in self._players_of(held, tag):
            self._playing[name] -= 1
            if not self._playing[name]:
                del self._playing[name]

    def _players_of(self, held: Held, tag: Tag) -> Iterator[str]:
        pairing = held.core.pairings[tag.pairing]
        for number in (pairing.first, pairing.second):
            assert number is not None
            yield held.core.entrants[number].name

    # -- storing -----------------------------------------------------------------------------

    def _changed(self, held: Held, changes: Changes) -> None:
        """Store changes, and see what follows from them."""
        self._store(held, changes)
        for entrant in changes.entrants:
            self._count_slots(entrant.name)
        self._wake(held)

    def _store(self, held: Held, changes: Changes | None, *, whole: bool = False) -> None:
        """Queue the rows of `changes`; `whole`: the tournament's own row too."""
        status = held.core.status
        now = self._authority.now()
        row = held.row
        ended = status in ("finished", "cancelled")
        if status != row.status:
            row = replace(row, status=status, finished_ms=now if ended else None)
            whole = True
        news = held.row.status != status
        held.row = row
        if changes is None and not whole:
            return
        entrants = () if changes is None else changes.entrants
        pairings = () if changes is None else changes.pairings
        if not (whole or entrants or pairings):
            return
        told = {held.row.owner, *held.numbers} if news else set()
        told.update(entrant.name for entrant in entrants if entrant.state != "in")
        self._authority.committer.tournament(
            TournamentChange(row.tournament_id, row if whole else None, entrants, pairings),
            lambda: self._stored(held, told),
            lambda: self._reload(held),
        )

    def _stored(self, held: Held, told: Collection[str]) -> None:
        """Its rows are stored: tell the lobby, and those whom it concerns."""
        self._authority.lobby_feed.tournament(held.row.tournament_id)
        if told:
            message = self.state(held)
            for name in told:
                self._authority.tell(name, message)
        self._let_go(held)

    def _let_go(self, held: Held) -> None:
        """Forget a tournament that has ended, with all its games."""
        if held.row.status in ("finished", "cancelled") and not held.rooms:
            self._forget(held.row.tournament_id)

    def _reload(self, held: Held) -> None:
        """A commit has failed: build the tournament again from what is stored."""
        if held.stale:
            return
        held.stale = True
        self._spawn(self._read_again(held.row.tournament_id))

    async def _read_again(self, tournament_id: str) -> None:
        while True:
            try:
                await self._authority.committer.settled(games=True)
                await self._take_up(tournament_id)
            except StoreError as error:
                _log.error("tournament_not_read", tournament=tournament_id, reason=str(error))
                await asyncio.sleep(RELOAD_S)
            else:
                return

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _stored_row(self, tournament_id: str) -> TournamentRow | None:
        try:
            found = await self._authority.store.tournament(tournament_id)
        except StoreError:
            raise Refused(
                ErrorCode.STORAGE_FAILED, "The server's storage does not answer; try again."
            ) from None
        return None if found is None else found[0]
