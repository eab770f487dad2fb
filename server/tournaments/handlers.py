"""One handler for each message about tournaments, see `server.shell.handlers`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import structlog

from protocol import client_messages as said
from protocol.errors import ErrorCode
from server.core.errors import Refused
from server.core.storage import StoreError
from server.shell.authority import Authority
from server.shell.peer import Peer
from server.tournaments import requests
from server.tournaments.core.errors import CorruptTournament
from server.tournaments.held import Held
from server.tournaments.messages import (
    as_stored,
    read_tournament,
    storage_failed,
    tournament_state,
    unreadable,
)

_log = structlog.get_logger("tournaments")


def _answer(authority: Authority, peer: Peer, held: Held, request_id: int, note: str = "") -> None:
    """Tell how the tournament stands, once that is stored."""
    state = authority.director.state(held, note, peer.name)
    authority.after_commit(peer, request_id, lambda: peer.send({**state, "id": request_id}))


def _mine(authority: Authority, peer: Peer, tournament_id: str) -> Held:
    """A tournament that the peer may run."""
    authority.check_open()
    held = authority.director.find(tournament_id)
    requests.check_organiser(authority.director, held, peer.name)
    return held


async def create_tournament(
    authority: Authority, peer: Peer, message: said.CreateTournament
) -> None:
    """See `CreateTournament`."""
    authority.check_open()
    made, note = await requests.create(authority.director, peer.name, message.key, message.terms)
    if isinstance(made, str):
        await _answer_stored(authority, peer, made, message.id)
    else:
        _answer(authority, peer, made, message.id, note)


def join_tournament(authority: Authority, peer: Peer, message: said.JoinTournament) -> None:
    """See `JoinTournament`."""
    authority.check_open()
    held = authority.director.find(message.tournament)
    assert peer.player is not None
    requests.join(authority.director, held, peer.player, message.at_once)
    _answer(authority, peer, held, message.id)


def leave_tournament(authority: Authority, peer: Peer, message: said.LeaveTournament) -> None:
    """See `LeaveTournament`."""
    authority.check_open()
    requests.leave(authority.director, authority.director.find(message.tournament), peer.name)
    authority.after_commit(peer, message.id, lambda: peer.send({"type": "done", "id": message.id}))


def start_tournament(authority: Authority, peer: Peer, message: said.StartTournament) -> None:
    """See `StartTournament`."""
    held = _mine(authority, peer, message.tournament)
    requests.start(authority.director, held)
    _answer(authority, peer, held, message.id)


def end_tournament(authority: Authority, peer: Peer, message: said.EndTournament) -> None:
    """See `EndTournament`."""
    held = _mine(authority, peer, message.tournament)
    requests.end(authority.director, held)
    _answer(authority, peer, held, message.id)


def set_aside(authority: Authority, peer: Peer, message: said.SetAside) -> None:
    """See `SetAside`."""
    held = _mine(authority, peer, message.tournament)
    requests.set_aside(authority.director, held, message.player, message.reason)
    _answer(authority, peer, held, message.id)


async def get_tournament(authority: Authority, peer: Peer, message: said.GetTournament) -> None:
    """See `GetTournament`."""
    held = authority.director.held.get(message.tournament)
    if held is not None and not held.stale:
        _answer(authority, peer, held, message.id)
        return
    await _answer_stored(authority, peer, message.tournament, message.id)


async def _answer_stored(
    authority: Authority, peer: Peer, tournament_id: str, request_id: int
) -> None:
    """Tell how a tournament stands that is not held, by what is stored."""
    try:
        await authority.committer.settled(games=True)
        found = await read_tournament(authority.store, tournament_id)
        if found is None:
            raise Refused(ErrorCode.UNKNOWN_TOURNAMENT, f"There is no tournament {tournament_id}.")
        # Thousands of games would keep everybody else waiting.
        wire, core, _ = await asyncio.to_thread(as_stored, found, (), authority.now())
    except StoreError:
        raise storage_failed() from None
    except CorruptTournament as error:
        _log.error("tournament_unreadable", tournament=tournament_id, reason=str(error))
        raise unreadable(tournament_id) from None
    state = tournament_state(found.row, wire, core, authority.peers, player=peer.name)
    peer.send({**state, "id": request_id})


TOURNAMENT_HANDLERS: Final[
    Mapping[type[said.Request], Callable[[Authority, Peer, Any], Awaitable[None] | None]]
] = {
    said.CreateTournament: create_tournament,
    said.JoinTournament: join_tournament,
    said.LeaveTournament: leave_tournament,
    said.StartTournament: start_tournament,
    said.EndTournament: end_tournament,
    said.SetAside: set_aside,
    said.GetTournament: get_tournament,
}
"""What `server.shell.handlers.HANDLERS` has of tournaments."""
