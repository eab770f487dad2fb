"""Who of the entrants of tournaments is here and has time, and who has been away for too long.

Theory of operation
-------------------
Nobody is waited for without end. A room that one player is away from ends by itself. When nothing
is being played and nothing can begin because players are away, those are set aside who have been
for too long. A player who comes back as another program loses the games of the former one, gets no
new ones, and counts as away: bots are rated by name and version.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import structlog

from server.core import commands
from server.core.records import engine_text
from server.tournaments.core.formats.registry import FORMATS
from server.tournaments.core.rows import Entrant
from server.tournaments.held import Held

if TYPE_CHECKING:
    from server.tournaments.director import Director

_log: Final = structlog.get_logger("tournaments")


class Turnout:
    """See the module's docstring. The director's; it counts the `slots` and notes who is `gone` of
    each held tournament."""

    def __init__(self, director: Director) -> None:
        self._director = director
        self._authority = director.authority
        self._entered: dict[str, set[str]] = {}
        """The tournaments that a player is in, by name."""
        self._strangers: set[str] = set()
        """Players who have games that another program of theirs began."""

    def enter(self, held: Held, entrants: Iterable[Entrant]) -> None:
        """These are in it, or were."""
        for entrant in entrants:
            held.numbers[entrant.name] = entrant.number
            self._entered.setdefault(entrant.name, set()).add(held.id)

    def forget(self, held: Held) -> None:
        """A tournament is not held any more."""
        for name in held.numbers:
            entered = self._entered[name]
            entered.discard(held.id)
            if not entered:
                del self._entered[name]

    # -- what happens ------------------------------------------------------------------------

    def came(self, name: str) -> None:
        """A player is connected."""
        if self._end_games_of_others(name):
            self._strangers.add(name)
        self.look_at(name)

    def look_at(self, name: str) -> None:
        """See again whether a player is here and has time, and to the tournaments it is in."""
        if name not in self._entered:
            return
        self.count_slots(name)
        for tournament_id in self._entered[name]:
            self._director.wake(self._director.held[tournament_id])

    def tick(self) -> None:
        """Some time has passed."""
        for name in list(self._strangers):
            # Again, as what ended those games may not have been stored.
            if not self._end_games_of_others(name):
                self._strangers.discard(name)

    def _end_games_of_others(self, name: str) -> bool:
        """End the games that another program than the one that `name` runs now has begun for it:
        nobody may play on for another. Returns whether there are any whose end is not stored."""
        peer = self._authority.peers.get(name)
        if peer is None or peer.player is None:
            return False
        found, engine = False, engine_text(peer.player)
        for room in list(self._authority.lobby.rooms.of_player(name)):
            seat = room.seat_of(name)
            if room.terms.tag is None or seat is None or engine_text(room.players[seat]) == engine:
                continue
            if room.status == "playing":
                reason = f"{name} came back as another program."
                events = commands.forfeit(room, name, reason, self._authority.now())
                self._authority.publish(room, events)
            found = found or room.seq > self._authority.channels[room.id].last_seq
        return found

    def set_absent_aside(self, held: Held, now: int) -> None:
        """Go on without those who have been away for too long, if nothing else can be done."""
        core = held.core
        busy = core.live or held.storing or held.wake_ms is not None or self._director.is_due(held)
        if core.status != "running" or busy or FORMATS[core.terms.format].always_open:
            return  # in a format that is always open, nobody waits for anybody
        wait, begun = self._authority.absence_ms, held.row.started_ms or 0
        late = [number for number, since in held.gone.items() if now - max(since, begun) >= wait]
        if not late or any(
            pairing.state == "open"
            and pairing.first not in held.gone
            and pairing.second not in held.gone
            for pairing in core.pairings
        ):
            return  # a game waits for players who are here, but busy elsewhere
        for number in sorted(late):
            if not held.ended:
                _log.info("absent_set_aside", tournament=held.id, number=number)
                reason = f"was away for {wait / 1000:g} s"
                self._director.changed(held, core.set_aside(number, reason, now))

    # -- who has time ------------------------------------------------------------------------

    def _is_here(self, entrant: Entrant) -> bool:
        """Whether the entrant is connected. Bots are rated by name and version: another program
        may not play on for it."""
        peer = self._authority.peers.get(entrant.name)
        return (
            peer is not None
            and peer.player is not None
            and engine_text(peer.player) == entrant.engine
        )

    def count_slots(self, name: str) -> None:
        """How many more games `name` can begin, in each of its tournaments; or since when it is
        gone."""
        entered = [self._director.held[i] for i in self._entered.get(name, ())]
        playing = sum(held.core.playing(held.numbers[name]) for held in entered)
        for held in entered:
            number = held.numbers[name]
            entrant = held.core.entrants[number]
            here = self._is_here(entrant)
            free = entrant.at_once - playing if here else 0
            if entrant.state == "in" and free > 0:
                held.slots[number] = free
            else:
                held.slots.pop(number, None)
            if entrant.state == "in" and not here:
                held.gone.setdefault(number, self._authority.now())
            else:
                held.gone.pop(number, None)
