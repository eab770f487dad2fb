"""The requests to follow, block and report players."""

from __future__ import annotations

from itertools import chain
from typing import Final

from doublecross.protocol.client_messages import GetTies, ReportPlayer, SetTie
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.text import one_line
from doublecross.server.core.errors import Refused, bad_parameter, too_many
from doublecross.server.core.people.accounts import PlayerRow
from doublecross.server.core.people.social import Report
from doublecross.server.shell.addresses.admission import Action
from doublecross.server.shell.answers import reading
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.identity.records import may_read
from doublecross.server.shell.identity.rights import new_id
from doublecross.server.shell.lobby.listing import listed
from doublecross.server.shell.peer import Peer

MOST_TIES: Final = 200
"""How many players one player follows at most, and how many one blocks."""
MOST_REPORTS: Final = 10
"""How many reports a player makes in `DAY_MS` at most."""
DAY_MS: Final = 86_400_000
MOST_LINES: Final = 200
"""How much of the talk of a match an admin sees with a report."""


async def set_tie(authority: Authority, peer: Peer, message: SetTie) -> None:
    """Follow or block a player, or end that."""
    authority.availability.check_open()
    authority.admission.check(peer.source, Action.RECORD)
    me, social, tie = peer.rights.account_id, authority.store.social, message.tie
    other = await _other(authority, peer, message.player)
    # One after the other, so that the limit holds.
    async with reading(), authority.accounts.turns.of(me):
        same = [each for each in await social.related(me) if each.tie == tie]
        known = any(each.name == other.name for each in same)
        if tie is not None and not known and len(same) >= MOST_TIES:
            raise too_many("You have chosen {count} players, which is the limit.", MOST_TIES)
        if tie == "follow" and other.name in await social.apart(me):
            raise bad_parameter("You cannot follow {name}.", other.name)
        await social.relate(me, other.account_id, tie, authority.date())
    if tie == "block":
        for offer in authority.lobby.offers.challenges_to(peer.name):
            if offer.owner.name == other.name:
                authority.lobby.offers.remove(offer)
                authority.offers.ended(offer, "declined", other.name)
    await _answer(authority, peer, message.id)


async def get_ties(authority: Authority, peer: Peer, message: GetTies) -> None:
    """Answer with whom a player follows and blocks."""
    await _answer(authority, peer, message.id)


async def _answer(authority: Authority, peer: Peer, request_id: int) -> None:
    async with reading():
        found = await authority.store.social.related(peer.rights.account_id)
    follows = {each.name: each.kind for each in found if each.tie == "follow"}
    lobby, watching = authority.lobby, {}
    for each in chain.from_iterable(map(authority.peers.of, follows)):
        for room_id in each.followed:
            room = lobby.rooms.get(room_id)
            shown = room is not None and listed(room) and room.status == "playing"
            if room is not None and shown and room.seat_of(each.name) is None:
                watching[each.name] = room_id
    peer.send(
        {
            "type": "ties",
            "id": request_id,
            "follows": [
                {
                    "player": name,
                    "kind": kind,
                    "here": name in lobby.online,
                    "watching": watching.get(name),
                }
                for name, kind in follows.items()
            ],
            "blocks": [each.name for each in found if each.tie == "block"],
        }
    )


async def report_player(authority: Authority, peer: Peer, message: ReportPlayer) -> None:
    """Note what a player reports, for the admins."""
    authority.availability.check_open()
    authority.admission.check(peer.source, Action.RECORD)
    me, now, social = peer.rights.account_id, authority.date(), authority.store.social
    other = await _other(authority, peer, message.player)
    made = Report(
        *(new_id(), me, other.account_id, message.reason, one_line(message.words), now),
        *(await _game(authority, peer, other, message.game_id) if message.game_id else ()),
    )
    async with reading(), authority.accounts.turns.of(me):
        if await social.reports_since(me, now - DAY_MS) >= MOST_REPORTS:
            raise too_many(
                "You have made {count} reports in a day, which is the limit.", MOST_REPORTS
            )
        await social.add_report(made)
    peer.send({"type": "done", "id": message.id})


async def _other(authority: Authority, peer: Peer, name: str) -> PlayerRow:
    """Return the other player whom a person has named.

    Raises:
        Refused: a bot asks, there is no such player, or it is the same one.
    """
    assert peer.player is not None
    if peer.player.kind != "human":
        raise Refused(ErrorCode.NOT_YOURS, "Only people follow, block and report players.")
    async with reading():
        login = await authority.store.accounts.account_named(name)
    if login is None:
        raise Refused(ErrorCode.UNKNOWN_PLAYER, "There is no player {name}.", name)
    if login.player.account_id == peer.rights.account_id:
        raise bad_parameter("That is you.")
    return login.player


async def _game(
    authority: Authority, peer: Peer, about: PlayerRow, game_id: str
) -> tuple[str, int, bool]:
    """Return the room and the match of a game, and whether the peer was one of its players.

    Raises:
        Refused: there is none that the peer may see, or the other one was not there.
    """
    room_id, _, match = game_id.rpartition("-")
    room = authority.lobby.rooms.get(room_id)
    if room is not None and (room.seat_of(peer.name) is not None or room_id in peer.followed):
        seated = room.seat_of(peer.name) is not None
        players = [player.name for player in room.players if player is not None]
    else:
        async with reading():
            await authority.all_rooms.settled(games=True)
            row = await authority.store.game(game_id)
        if row is None or not may_read(row, account_id=peer.rights.account_id):
            raise Refused(ErrorCode.UNKNOWN_RECORD, "There is no finished game {game_id}.", game_id)
        seated, players = peer.rights.account_id in row.accounts, list(row.players)
    if about.name not in players:
        async with reading():
            lines = await authority.store.social.talk(room_id, seated, MOST_LINES)
        if all(line.account_id != about.account_id for line in lines):
            raise bad_parameter("{name} did not play or speak there.", about.name)
    return room_id, int(match) if match.isdecimal() else 0, seated
