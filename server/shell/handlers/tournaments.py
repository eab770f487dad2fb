"""One handler for each request about tournaments.

`doublecross.server.shell.handlers.table` explains handlers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import structlog

from doublecross.protocol import client_messages
from doublecross.protocol.common import TournamentTerms
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.text import one_line
from doublecross.server.core.errors import Refused
from doublecross.server.shell.answers import after_commit, reading
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.handlers.rated import check_rated
from doublecross.server.shell.peer import Peer
from doublecross.server.tournaments import requests
from doublecross.server.tournaments.core.errors import CorruptTournament
from doublecross.server.tournaments.messages import (
    read_tournament,
    rebuild_to_show,
    tournament_state,
    unreadable,
)
from doublecross.server.tournaments.running import RunningTournament

STATE_BYTES: Final = 8 * 1024
"""The price of the state of a tournament when it is requested; its length settles the rest."""
CREATE_TOKENS: Final = 10
"""The price of a new tournament in messages: the time in which its first openings are drawn."""
ROWS_PER_TOKEN: Final = 40
"""How many stored games and pairings are read and rebuilt for the price of one message."""

_log = structlog.get_logger("tournaments")


def _answer(
    authority: Authority,
    peer: Peer,
    running: RunningTournament,
    request_id: int,
    note: str = "",
    paid: int = 0,
) -> None:
    """Answer with the state of a tournament, once that state is stored.

    `paid` is how many bytes of it the peer has paid for.
    """
    director = authority.director
    state = director.writer.state(running, note, peer.name, director.awaited(running))
    # Made now and sent later, so that it shows nothing that happens meanwhile and is not stored.
    answer = {**state, "id": request_id}
    after_commit(authority.committer, peer, request_id, lambda: peer.answer(answer, paid))


def _organiser(peer: Peer) -> requests.Organiser:
    rights = peer.rights
    return requests.Organiser(peer.name, rights.account_id, rights.is_admin)


def _managed(authority: Authority, peer: Peer, tournament_id: str) -> RunningTournament:
    """Return a tournament that the peer may manage.

    Raises:
        Refused: there is none, or somebody else organises it.
    """
    authority.availability.check_open()
    running = authority.director.registry.find(tournament_id)
    requests.check_organiser(running, _organiser(peer))
    return running


async def create_tournament(
    authority: Authority, peer: Peer, message: client_messages.CreateTournament
) -> None:
    """Create a tournament, whose openings a thread draws."""
    authority.availability.check_open()
    peer.allowance.messages.charge(CREATE_TOKENS)
    made, note = await requests.create(
        authority.director, _organiser(peer), message.key, message.terms, message.openings
    )
    # The key has created this tournament before, and it does not run any more.
    if isinstance(made, str):
        await _answer_stored(authority, peer, made, message.id, created_as=message.terms)
    else:
        _answer(authority, peer, made, message.id, note)


def join_tournament(
    authority: Authority, peer: Peer, message: client_messages.JoinTournament
) -> None:
    """Enter a player."""
    authority.availability.check_open()
    running = authority.director.registry.find(message.tournament)
    assert peer.player is not None
    check_rated(peer, running.wire.settings, authority.config.limits)
    requests.join(authority.director, running, peer.player, message.at_once)
    _answer(authority, peer, running, message.id)


def leave_tournament(
    authority: Authority, peer: Peer, message: client_messages.LeaveTournament
) -> None:
    """Take a player out of a tournament."""
    authority.availability.check_open()
    requests.leave(
        authority.director, authority.director.registry.find(message.tournament), peer.name
    )
    after_commit(
        authority.committer, peer, message.id, lambda: peer.send({"type": "done", "id": message.id})
    )


def start_tournament(
    authority: Authority, peer: Peer, message: client_messages.StartTournament
) -> None:
    """Start a tournament that waits."""
    running = _managed(authority, peer, message.tournament)
    requests.start(authority.director, running)
    _answer(authority, peer, running, message.id)


def end_tournament(
    authority: Authority, peer: Peer, message: client_messages.EndTournament
) -> None:
    """End a tournament for good."""
    running = _managed(authority, peer, message.tournament)
    requests.end(authority.director, running)
    _answer(authority, peer, running, message.id)


async def next_season(
    authority: Authority, peer: Peer, message: client_messages.NextSeason
) -> None:
    """End a season of a ladder and begin the next one, whose openings a thread draws."""
    running = _managed(authority, peer, message.tournament)
    if running.id == message.tournament:  # otherwise the request was repeated
        peer.allowance.messages.charge(CREATE_TOKENS)
        running = await requests.next_season(authority.director, running, keep=message.keep)
    _answer(authority, peer, running, message.id)


def set_aside(authority: Authority, peer: Peer, message: client_messages.SetAside) -> None:
    """Exclude an entrant from further games."""
    running = _managed(authority, peer, message.tournament)
    requests.set_aside(authority.director, running, message.player, one_line(message.reason))
    _answer(authority, peer, running, message.id)


def take_back(authority: Authority, peer: Peer, message: client_messages.TakeBack) -> None:
    """Let an entrant who was set aside play again."""
    running = _managed(authority, peer, message.tournament)
    requests.take_back(authority.director, running, message.player)
    _answer(authority, peer, running, message.id)


def add_bots(authority: Authority, peer: Peer, message: client_messages.AddBots) -> None:
    """Ask bots to join."""
    running = _managed(authority, peer, message.tournament)
    requests.add_bots(authority.director, running, message.bots)
    _answer(authority, peer, running, message.id)


async def get_tournament(
    authority: Authority, peer: Peer, message: client_messages.GetTournament
) -> None:
    """Answer with the state of a tournament."""
    peer.pay(STATE_BYTES)
    running = authority.director.registry.running.get(message.tournament)
    # A stale tournament is being read again, so its state in memory may be wrong.
    if running is not None and not running.stale:
        _answer(authority, peer, running, message.id, paid=STATE_BYTES)
        return
    await _answer_stored(authority, peer, message.tournament, message.id, STATE_BYTES)


async def _answer_stored(
    authority: Authority,
    peer: Peer,
    tournament_id: str,
    request_id: int,
    paid: int = 0,
    created_as: TournamentTerms | None = None,
) -> None:
    """Answer with the state of a tournament that does not run, read from the storage.

    Raises:
        Refused: there is none, or the request to create it had other terms than `created_as`.
    """
    try:
        async with reading():
            await authority.all_rooms.settled(games=True)
            found = await read_tournament(authority.store, tournament_id)
        if found is None:
            raise Refused(
                ErrorCode.UNKNOWN_TOURNAMENT,
                "There is no tournament {tournament_id}.",
                tournament_id,
            )
        # Only now is it known how much there is.
        peer.allowance.messages.charge((len(found.games) + len(found.pairings)) / ROWS_PER_TOKEN)
        # Use a thread, because thousands of games would block the event loop for too long.
        wire, core, _ = await asyncio.to_thread(rebuild_to_show, found, ())
    except CorruptTournament as error:
        _log.error("tournament_unreadable", tournament=tournament_id, reason=str(error))
        raise unreadable(tournament_id) from None
    if created_as is not None:
        requests.check_repeated(wire, created_as)
    state = tournament_state(
        found.row,
        wire,
        core,
        authority.lobby.online,
        player=peer.name,
        next_season=authority.director.registry.season_after(tournament_id),
    )
    peer.answer({**state, "id": request_id}, paid)


TOURNAMENT_HANDLERS: Final[
    Mapping[type[client_messages.Request], Callable[[Authority, Peer, Any], Awaitable[None] | None]]
] = {
    client_messages.CreateTournament: create_tournament,
    client_messages.JoinTournament: join_tournament,
    client_messages.LeaveTournament: leave_tournament,
    client_messages.StartTournament: start_tournament,
    client_messages.EndTournament: end_tournament,
    client_messages.NextSeason: next_season,
    client_messages.SetAside: set_aside,
    client_messages.TakeBack: take_back,
    client_messages.AddBots: add_bots,
    client_messages.GetTournament: get_tournament,
}
"""The part of `doublecross.server.shell.handlers.table.HANDLERS` for tournaments."""
