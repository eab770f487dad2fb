"""Runs the tournaments of a server: opens their games, and takes in what came of them.

Theory of operation
-------------------
`server/tournaments/core` decides who meets whom; this is the shell around it. Whatever may let a
game
begin (a player comes, a game is over, a tournament starts) marks the tournament as due; once the
event loop has dealt with all that happened together, the tournament is asked for its next games,
and a room is opened for each, with both players in their seats.

Results live in finished games and nowhere else: a game's tag, in the first event of its room and
in its row, says which game of which tournament it is. After a restart a tournament is built again
from its rows, the finished games with its tags, and the tags of the rooms that go on. When a commit
fails, the same is done at once, as nobody knows what was stored; until then it is *stale*, and
nothing is begun or changed in it.

While that is read the rooms go on. What ends before is among the rows that are read, because those
are stored first; what ends meanwhile is kept beside (`_reading`); every other room with a game of
the tournament is one whose end is still to be told, and its game is live.

A tournament whose rows make no sense is left alone, and everybody who asks for it is told so; the
others go on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Coroutine
from dataclasses import replace
from heapq import nlargest
from typing import TYPE_CHECKING, Any, Final

import structlog

from protocol.common import PairTag
from protocol.common import TournamentTerms as WireTerms
from protocol.errors import ErrorCode
from server.core.errors import Refused
from server.core.room import Room
from server.core.storage import StoreError, TournamentChange, TournamentRow
from server.core.terms import RoomTerms
from server.shell.channel import Channel
from server.shell.peer import tell_all
from server.tournaments.core.rows import Outcome
from server.tournaments.core.tournament import Changes, NewGame, Tournament
from server.tournaments.held import Held, outcome_of_room
from server.tournaments.messages import (
    built,
    outcome_of,
    read_tournament,
    tag_of,
    tournament_state,
    unreadable,
    wire_tag,
)
from server.tournaments.turnout import Turnout

if TYPE_CHECKING:
    from server.shell.authority import Authority

_log = structlog.get_logger("tournaments")

TICK_MS: Final = 250
"""How often tournaments are looked after when nothing happens in them, in milliseconds."""
RETRY_MS: Final = 1000
"""How long after a failure of the storage it is asked again, and after a full server for a room."""


class Director:
    """See the module's docstring. One for each server."""

    def __init__(self, authority: Authority) -> None:
        self.authority = authority
        self.held: dict[str, Held] = {}
        self.unreadable: set[str] = set()
        """Tournaments whose rows make no sense."""
        self.turnout = Turnout(self)
        self._due: dict[str, None] = {}
        self._called = False
        self._next_tick = 0
        self._reading: dict[str, list[Outcome]] = {}
        """Tournaments that are being read, and which of their games have ended meanwhile."""
        self._retry: dict[str, int] = {}
        """When to read a tournament again."""
        self._failed_ms: dict[str, int] = {}
        """When a tournament was last to be read again."""
        self._tasks: set[asyncio.Task[None]] = set()

    # -- starting ----------------------------------------------------------------------------

    async def load(self) -> None:
        """Take up all tournaments that have not ended, or that have games still; the rooms are
        there already.

        Raises:
            StoreError: the database fails.
        """
        await self.authority.committer.settled(games=True)
        rooms = self.authority.lobby.rooms.values()
        live = {room.terms.tag.tournament for room in rooms if room.terms.tag is not None}
        for row in await self.authority.store.tournaments():
            if row.status in ("open", "running") or row.tournament_id in live:
                await self._take_up(row.tournament_id)

    async def close(self) -> None:
        """End what still asks the storage."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _take_up(self, tournament_id: str) -> None:
        """Build a tournament from what is stored, in place of what was held of it.

        Raises:
            StoreError: the database fails.
        """
        authority = self.authority
        before = self.held.get(tournament_id)
        ended = self._reading[tournament_id] = []
        try:
            await authority.committer.settled(games=True)
            found = await read_tournament(authority.store, tournament_id)
            self._forget(tournament_id)
            if found is not None:
                outcomes = [*map(outcome_of, found.games), *ended]
                known = {outcome.tag for outcome in outcomes}
                live = {
                    tag_of(room.terms.tag)
                    for room in authority.lobby.rooms.values()
                    if room.terms.tag is not None
                    and room.terms.tag.tournament == tournament_id
                    and room.match is not None
                }
                made = built(found, outcomes, live - known, authority.now())
                self.unreadable.discard(tournament_id)
                self._go_on(found.row, *made, before)
        except StoreError:
            raise
        except Exception:  # noqa: BLE001 - whatever is wrong with it, the server goes on
            _log.exception("tournament_unreadable", tournament=tournament_id)
            self._forget(tournament_id)
            self.unreadable.add(tournament_id)
        finally:
            del self._reading[tournament_id]
        if before is not None:
            for name in before.numbers:  # in others it may have time now
                self.turnout.look_at(name)

    def _go_on(
        self,
        row: TournamentRow,
        wire: WireTerms,
        core: Tournament,
        changes: Changes,
        before: Held | None,
    ) -> None:
        """Hold a tournament that was read; `before` is what was held of it."""
        held = self.hold(row, wire, core)
        if before is not None:
            held.gone = {n: since for n, since in before.gone.items() if n < len(core.entrants)}
        self._show(held)
        self.store(held, changes)
        for name in held.numbers:
            self.turnout.look_at(name)
        self.wake(held)
        if before is not None:
            # What was told, or was to be told, before the storage failed may be wrong.
            self._tell(held, {row.owner, *held.numbers})
        self._let_go(held)

    def hold(self, row: TournamentRow, wire: WireTerms, core: Tournament) -> Held:
        """Hold a tournament, in place of what was held of it."""
        held = Held(row, wire, core)
        self.held[row.tournament_id] = held
        self.turnout.enter(held, core.entrants)
        return held

    def _forget(self, tournament_id: str) -> None:
        held = self.held.pop(tournament_id, None)
        if held is None:
            return
        self.turnout.forget(held)
        if held.line is not None:
            self.authority.lobby_feed.tournament(tournament_id)

    # -- what is asked for ------------------------------------------------------------------

    def state(self, held: Held, note: str = "", player: str | None = None) -> dict[str, Any]:
        """How a tournament stands, as its message says it to `player`."""
        return tournament_state(
            held.row, held.wire, held.core, self.authority.peers, note=note, player=player
        )

    def listed(self, tournament_id: str) -> dict[str, Any] | None:
        """The line of a tournament in the lobby; None: it is not there, or not any more."""
        held = self.held.get(tournament_id)
        return None if held is None else held.line

    def newest(self, most: int) -> list[dict[str, Any]]:
        """The lines of the newest tournaments in the lobby."""
        shown = (held for held in self.held.values() if held.line is not None)
        newest = nlargest(most, shown, key=lambda held: (held.row.created_ms, held.id))
        return [held.line for held in newest if held.line is not None]

    def find(self, tournament_id: str) -> Held:
        """A tournament that has not ended.

        Raises:
            Refused: there is none, or it is being read again.
        """
        held = self.held.get(tournament_id)
        if held is None:
            self.check_readable(tournament_id)
            raise Refused(
                ErrorCode.UNKNOWN_TOURNAMENT,
                f"Tournament {tournament_id} has ended, or there is none.",
            )
        if held.stale:
            raise Refused(ErrorCode.STORAGE_FAILED, "The server's storage is behind; try again.")
        return held

    def check_readable(self, tournament_id: str) -> None:
        """Whether the rows of a tournament make sense, as far as is known.

        Raises:
            Refused: they do not.
        """
        if tournament_id in self.unreadable:
            raise unreadable(tournament_id)

    # -- what happens on the server ----------------------------------------------------------

    def over(self, room: Room) -> None:
        """The game of a tournament has ended, and that is stored."""
        outcome = outcome_of_room(room)
        tournament_id = outcome.tag.tournament
        if tournament_id in self._reading:
            self._reading[tournament_id].append(outcome)
        held = self.held.get(tournament_id)
        if held is not None and not held.stale:  # otherwise it is among what is read again
            try:
                self.changed(held, held.core.over(outcome))
            except Exception:  # noqa: BLE001 - the room has to go on
                self._broke(held)
        for player in room.players:
            if player is not None:
                self.turnout.look_at(player.name)
        if held is not None:
            if self.is_due(held):  # the other tournaments of its players have their turn first
                self._due[held.id] = self._due.pop(held.id)
            self._let_go(held)

    def lost(self, tag: PairTag) -> None:
        """The room of a game is gone without an end."""
        held = self.held.get(tag.tournament)
        if held is not None:
            self._reload(held)

    def tick(self, now: int) -> None:
        """What is due at `now`, and needs nothing to happen."""
        if now < self._next_tick or self.authority.closing:
            return
        self._next_tick = now + TICK_MS
        for tournament_id in [i for i, due in self._retry.items() if due <= now]:
            del self._retry[tournament_id]
            self._spawn(self._read_again(tournament_id))
        self.turnout.tick()
        for held in list(self.held.values()):
            if held.stale:
                continue
            if held.wake_ms is not None and held.wake_ms <= now:
                held.wake_ms = None
                self.wake(held)
            self.turnout.set_absent_aside(held, now)

    # -- games -------------------------------------------------------------------------------

    def wake(self, held: Held) -> None:
        """See to its next games once all that happens now has happened."""
        self._due[held.row.tournament_id] = None
        if not self._called:
            self._called = True
            asyncio.get_running_loop().call_soon(self._run_due)

    def is_due(self, held: Held) -> bool:
        """Whether it is about to be seen to."""
        return held.id in self._due

    def _run_due(self) -> None:
        self._called = False
        due, self._due = self._due, {}
        for tournament_id in due:
            held = self.held.get(tournament_id)
            if held is None or held.stale or self.authority.closing:
                continue
            try:
                self._begin_games(held)
            except Exception:  # noqa: BLE001 - one tournament must not stop the others
                self._broke(held)

    def _broke(self, held: Held) -> None:
        """A mistake of ours in the midst of a tournament: build it again from what is stored."""
        _log.exception("tournament_failed", tournament=held.id)
        self._reload(held)

    def _begin_games(self, held: Held) -> None:
        if held.core.status != "running":
            return
        now = self.authority.now()
        most = held.wire.games_at_once
        left = None if most is None else most - len(held.core.live)
        started = held.core.next_games(held.slots, now, left)
        held.wake_ms = started.wake_ms
        self.store(held, started.changes)
        for game in started.games:
            self._open(held, game)
        for player in {number for game in started.games for number in game.players}:
            self.turnout.count_slots(held.core.entrants[player].name)

    def _open(self, held: Held, game: NewGame) -> None:
        """Open the room of a game, with both players in it."""
        authority = self.authority
        players = [held.core.entrants[number].name for number in game.players]
        peers = [authority.peers.get(name) for name in players]
        if None in peers or len(authority.lobby.rooms) >= authority.limits.rooms:
            self.store(held, held.core.dropped(game.tag))
            held.wake_ms = authority.now() + RETRY_MS
            return
        settings = held.wire.settings.model_copy(update={"opening": game.opening})
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
        authority.lobby.rooms.add(room)
        authority.channels[room.id] = Channel(room)
        authority.publish(room, said)
        for peer in peers:
            assert peer is not None
            authority.show_room(peer, room, None, origin=held.row.tournament_id)

    # -- storing -----------------------------------------------------------------------------

    def changed(self, held: Held, changes: Changes) -> None:
        """Store changes, and see what follows from them."""
        self.store(held, changes)
        for entrant in changes.entrants:
            self.turnout.count_slots(entrant.name)
        self.wake(held)

    def store(self, held: Held, changes: Changes | None, *, whole: bool = False) -> None:
        """Queue the rows of `changes`; `whole`: the tournament's own row too."""
        status, row = held.core.status, held.row
        news = status != row.status
        if news:
            finished_ms = self.authority.now() if held.ended else None
            held.row = row = replace(row, status=status, finished_ms=finished_ms)
        entrants = () if changes is None else changes.entrants
        pairings = () if changes is None else changes.pairings
        if not (news or whole or entrants or pairings):
            return
        everybody = {row.owner, *held.numbers} if news else set()
        put_out = {entrant.name for entrant in entrants if entrant.state != "in"}
        held.storing += 1
        self.authority.committer.tournament(
            TournamentChange(row.tournament_id, row if news or whole else None, entrants, pairings),
            lambda: self._stored(held, everybody - put_out, put_out),
            lambda: self._not_stored(held),
        )
        if news and held.ended:
            # Whoever reads that it has ended finds all of its games.
            self.authority.committer.games_due()

    def _stored(self, held: Held, told: Collection[str], put_out: Collection[str]) -> None:
        """Its rows are stored: tell the lobby, and those whom it concerns."""
        held.storing -= 1
        if held.stale:
            return
        self._show(held)
        self._tell(held, told)
        for name in put_out:
            self.authority.tell(name, self.state(held, player=name))
        self._let_go(held)

    def _not_stored(self, held: Held) -> None:
        held.storing -= 1
        self._reload(held)

    def _show(self, held: Held) -> None:
        """Bring its line in the lobby up to date."""
        line = held.lobby_line()
        if line != held.line:
            held.line = line
            self.authority.lobby_feed.tournament(held.id)

    def _tell(self, held: Held, names: Collection[str]) -> None:
        """Tell how it stands, the same to all of them, so that it is encoded only once."""
        if not names:
            return
        message = self.state(held)

        def deliver() -> None:
            peers = self.authority.peers
            tell_all((peers[name] for name in names if name in peers), message)

        # After the welcome of those who have just come; and what it tells is stored already.
        self.authority.committer.after(deliver, deliver)

    def _let_go(self, held: Held) -> None:
        """Forget a tournament that has ended, with all its games, and is stored."""
        if held.ended and not (held.core.live or held.storing or held.stale):
            self._forget(held.id)

    def _reload(self, held: Held) -> None:
        """A commit has failed: build the tournament again from what is stored; after a while, if
        that was tried just now."""
        if held.stale:
            return
        held.stale = True
        now = self.authority.now()
        last = self._failed_ms.get(held.id)
        self._failed_ms[held.id] = now
        if last is None or now - last >= RETRY_MS:
            self._spawn(self._read_again(held.id))
        else:
            self._retry[held.id] = now + RETRY_MS

    async def _read_again(self, tournament_id: str) -> None:
        try:
            await self._take_up(tournament_id)
        except StoreError as error:
            _log.error("tournament_not_read", tournament=tournament_id, reason=str(error))
            self._retry[tournament_id] = self.authority.now() + RETRY_MS

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
