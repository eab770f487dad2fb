"""The items that nodes send each other over their links, and how they are packed.

An item is a msgpack array: the number of its kind, then its fields. A newer version may add fields
at the end, with defaults. An older node does not send them, and ignores those that it does not
know. Numbers and the order of fields never change, because nodes of different versions run together
during an update.

Each kind is a `NamedTuple`. `KINDS` has all kinds that the leader, the owners of logs and the nodes
send each other, except those about the connections of clients.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgpack

from doublecross.server.core.cards import Card
from doublecross.server.core.events import Event

# -- from the leader to the owner of a log ---------------------------------------------------------


class Ask(NamedTuple):
    """Report what happens in these logs from now on; `Reporting` is the answer for each.

    `token` is the fencing token of the leader. An owner obeys only the leader with the highest one.
    """

    token: int
    logs: tuple[str, ...]


class Open(NamedTuple):
    """Open a room with these events; `phrases` is true when the players may say phrases."""

    room: str
    events: tuple[Event, ...]
    phrases: bool = True


class Order(NamedTuple):
    """End something in a room. `number` is for the reply, `Obeyed`.

    "forfeit" ends the match in play, which `player` loses, "end_rematch" the rematch that `player`
    offers, and "close" the room; a match in play is then called off.
    """

    number: int
    what: str
    room: str
    player: str = ""
    reason: str = ""
    phrase: dict[str, Any] | None = None


class Settle(NamedTuple):
    """Reply with `Settled` once everything queued so far is stored; `games`: finished games too."""

    number: int
    games: bool


class Finish(NamedTuple):
    """Store all finished games in the next commit, not later."""


class Phrases(NamedTuple):
    """Say whether the players of a tournament may say phrases."""

    tournament: str
    allowed: bool


# -- from the owner of a log to the leader ---------------------------------------------------------


class Reporting(NamedTuple):
    """The sender reports what happens in a log. What happened before `Ask` came is stored."""

    log: str


class Stored(NamedTuple):
    """The events of `Open` are stored; its match, if there is one, began at this date."""

    room: str
    started_at: int | None


class Happened(NamedTuple):
    """An event of a room, other than a move, that was stored and sent."""

    event: Event


class Slept(NamedTuple):
    """A correspondence game has left memory, and is in the database only."""

    room: str


class Woken(NamedTuple):
    """A correspondence game has come back into memory."""

    card: Card


class Turned(NamedTuple):
    """It is a player's turn in a correspondence game; the fields are those of `Turn`."""

    player: str
    room: str
    match: int
    ply: int
    opponent: str
    left_ms: int
    begins: bool


class Gone(NamedTuple):
    """A room could not be stored, or could not be restored after a failed commit."""

    room: str


class Left(NamedTuple):
    """The players of a room who have left it by choice.

    The item has their names and not their seats, because players may swap seats in an event that is
    reported later.
    """

    room: str
    players: tuple[str, ...]


class Obeyed(NamedTuple):
    """The outcome of an `Order` is stored, if there is one, or could not be stored."""

    number: int


class Settled(NamedTuple):
    """The reply to `Settle`; `stored` is false if something could not be stored."""

    number: int
    stored: bool


# -- from any node to all others -------------------------------------------------------------------


class Leaving(NamedTuple):
    """The sender leaves: it gives up its logs one by one, and takes none any more."""


class OwnersChanged(NamedTuple):
    """The owner of a log has changed. Whoever hears it reads the owners of all logs."""


class Runs(NamedTuple):
    """The sender can answer for the rooms of a log from now on, or again."""

    log: str


KINDS: Final[Mapping[int, type[Any]]] = {
    1: Ask,
    2: Open,
    5: Order,
    7: Settle,
    8: Finish,
    9: Phrases,
    20: Reporting,
    21: Stored,
    23: Happened,
    25: Gone,
    26: Left,
    28: Settled,
    29: Obeyed,
    31: Slept,
    32: Woken,
    33: Turned,
    40: Leaving,
    41: OwnersChanged,
    42: Runs,
}
"""The kinds of items by number. Those from 64 on are in `server/cluster/far_clients/items.py`."""

_NUMBERS: Final = {kind: number for number, kind in KINDS.items()}

Send = Callable[[str, bytes], bool]
"""Sends an item to a run; returns False, and sends nothing, when it cannot be reached."""
Handlers = Mapping[type[Any], Callable[[str, Any], None]]
"""The functions that handle each kind of item. The first argument is the run that sent it."""


def pack(item: NamedTuple) -> bytes:
    """Return the bytes of an item."""
    packed: bytes = msgpack.packb((_NUMBERS[type(item)], *item))
    return packed


def item_of(fields: Sequence[Any]) -> Any:
    """Return the item with this number and these fields.

    Raises:
        ValueError, TypeError, KeyError: this program cannot read it.
    """
    number, *rest = fields
    kind = KINDS[number]
    return kind(*rest[: len(kind._fields)])
