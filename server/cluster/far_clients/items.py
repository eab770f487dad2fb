"""The items about the connections of clients, and how they are packed.

An item is a msgpack array that begins with its kind. Connections have numbers that their own node
gives them; a number is used once in a run. *Gateway* is the node that holds a connection. The
leader and the owners of logs serve it; one node may have all three.

==========  ==========  ==========================================================================
kind        direction   the other fields
==========  ==========  ==========================================================================
OPENED      to leader   number, subprotocol, source, address, HTTP address of its node, version
                        of the page there: a connection without a player
SAID        to leader   number, message: bytes in the connection's codec, as the client sent
                        them; after the login also the rooms that the connection follows
BACK        to leader   number, introduction: a connection whose player a former leader has
                        admitted
ATTACHED    to rooms    number, introduction: a connection of a player who is logged in
ASKED       to rooms    number, message: as SAID
SHOW        to rooms    number, room, offered, request: let it follow the room from a snapshot
                        on; `offered` is true if it may not have followed the room before;
                        `request` is the id of a request that this answers, or None
ROOMS       to leader   numbers: these clients may have missed messages about rooms, and SEATED
                        answers
LOBBY       to leader   0: send this node the lobby, then its changes, as frames for number 0
GONE        to both     number: the connection has ended
FRAME       to gateway  frame, numbers: a websocket frame for each of these connections
FOLLOWS     to gateway  number, room, whether the connection follows the room now; None: the log
                        of the room is not here, or not yet
ADMITTED    to gateway  number, introduction: its player has logged in
SEATED      to gateway  number, rooms: its player has a seat in each of them
SHOWING     to gateway  number, room, request: show this room as the answer to this request
RIGHTS      to gateway  number, introduction: its player may do something else from now on
BOUNCED     to gateway  number, message: the log of its room is not here, or not yet
RETURNED    to gateway  number, message: it came before the login, and is not for the leader
ENDED       to gateway  number, code, reason, how (see `How`): the connection has to end
PAUSED      to gateway  number, whether nothing more should be read from it for now
NOT_YET     to gateway  number: the leader does not handle an item about the connection, because
                        it cannot answer yet, or for a moment; 0: an item about the node itself
UNKNOWN     to gateway  number: it is not attached here, although its node may believe so
LOST        to gateway  log, which may be that of the leader: it is not here any more, and nobody
                        gets an answer
==========  ==========  ==========================================================================

Other kinds are in `server/cluster/items.py`.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final, NamedTuple, Self

import msgpack

from doublecross.protocol.common import PlayerInfo
from doublecross.server.shell.identity.rights import Rights
from doublecross.server.shell.peer import Peer

OPENED: Final = 64
SAID: Final = 65
GONE: Final = 66
ATTACHED: Final = 67
SHOW: Final = 68
BACK: Final = 69
ASKED: Final = 70
ROOMS: Final = 71
LOBBY: Final = 72
FRAME: Final = 80
FOLLOWS: Final = 81
ADMITTED: Final = 82
BOUNCED: Final = 83
ENDED: Final = 84
PAUSED: Final = 85
RETURNED: Final = 86
RIGHTS: Final = 87
UNKNOWN: Final = 88
LOST: Final = 89
SEATED: Final = 90
SHOWING: Final = 91
NOT_YET: Final = 92

OF_NODE: Final = 0
"""The number of frames that are for the node itself; no connection has it."""

RESTARTED: Final = "part of the server was restarted"
"""The reason for a close after which the client has to find out what has happened."""

pack: Final = msgpack.Packer(autoreset=True).pack


class How(IntEnum):
    """The ways to end a connection; `server/shell/wire/websocket.py` explains the three."""

    CLOSE = 0
    END = 1
    ABORT = 2


class Introduction(NamedTuple):
    """The player at a connection, and the abilities of the player's program.

    `session` grows with each login of a player. So an owner knows which of two connections of one
    player is the newer one.
    """

    session: int
    player: PlayerInfo
    rights: Rights
    subprotocol: str
    source: str
    address: str
    client: str
    boards: bool
    takebacks: bool
    exclusive: bool

    def fields(self) -> tuple[Any, ...]:
        """Return it as values for msgpack."""
        rights = self.rights
        packed = (
            rights.account_id,
            sorted(rights.scopes),
            rights.token_id,
            rights.expires_ms,
            rights.is_session,
            rights.run_by,
        )
        return (self.session, self.player.model_dump(), packed, *self[3:])

    def introduce(self, peer: Peer) -> None:
        """Let a peer be that of this player."""
        peer.log_in(self.player)
        peer.client = self.client
        peer.boards, peer.takebacks = self.boards, self.takebacks
        peer.exclusive = self.exclusive
        peer.allow(self.rights)

    @classmethod
    def of(cls, fields: Any) -> Self:
        """Return it from the values that `fields` made."""
        session, player, (account_id, scopes, *more), *rest = fields
        rights = Rights(account_id, frozenset(scopes), *more)
        return cls(session, PlayerInfo.model_validate(player), rights, *rest)
