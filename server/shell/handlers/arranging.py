"""The handler of the request for a match of two bots."""

from __future__ import annotations

from typing import Final

from doublecross.protocol.client_messages import ArrangeMatch
from doublecross.server.core.lobby.repeats import refuse_reused
from doublecross.server.core.terms import complete
from doublecross.server.shell.addresses.admission import Action
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.handlers.bot_games import check_bot_games
from doublecross.server.shell.peer import Peer
from doublecross.server.shell.rooms.following import check_may_follow

ARRANGE_BYTES: Final = 16 * 1024
"""The price of the request, because two others receive a challenge without having asked."""


def arrange_match(authority: Authority, peer: Peer, message: ArrangeMatch) -> None:
    """Offer a match to two bots, for a person who wants to watch it."""
    authority.availability.check_open()
    lobby = authority.lobby
    # A request that is repeated costs nothing, and gets its answer also while nothing new begins.
    room = lobby.rooms.created_by(peer.name, message.key)
    known = lobby.arrangements.created_by(peer.name, message.key)
    found = known or (room and room.terms)
    if found is not None and found.settings != complete(message.settings):
        refuse_reused()
    players = [each.casefold() for each in message.players]
    if room is not None:
        # A rematch swaps the seats.
        seated = [] if room.terms.asked_by is None else sorted(p.name for p in room.players if p)
        if sorted(players) != [name.casefold() for name in seated]:
            refuse_reused()
        authority.all_rooms.show(peer, room, message.id, origin=room.terms.origin)
        return
    if known is not None:
        if players != [bot.name.casefold() for bot in known.bots]:
            refuse_reused()
        authority.arranging.wait(known, peer, message.id)
        return
    authority.availability.check_accepting()
    check_may_follow(peer, "", authority.config.limits)
    for name in message.players:
        check_bot_games(authority, peer.source, lobby.connected(name))
    authority.admission.check(peer.source, Action.ROOM)
    peer.pay(ARRANGE_BYTES)
    assert peer.player is not None
    arrangement = lobby.arrange(
        peer.player, message.key, message.players, message.settings, authority.now()
    )
    authority.arranging.post(arrangement, peer, message.id)
