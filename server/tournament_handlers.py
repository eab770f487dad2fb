"""One handler for each message about tournaments, see `server.handlers`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from protocol import client_messages as said
from protocol.errors import ErrorCode
from server.authority import Authority
from server.director import Held
from server.errors import Refused
from server.peer import Peer
from server.store.api import StoreError
from server.tournament_messages import state_of


def _answer(authority: Authority, peer: Peer, held: Held, request_id: int, note: str = "") -> None:
    """Tell how the tournament stands, once that is stored."""
    state = authority.director.state(held, note)
    authority.after_commit(peer, request_id, lambda: peer.send({**state, "id": request_id}))


def _mine(authority: Authority, peer: Peer, tournament_id: str) -> Held:
    """A tournament that the peer may run."""
    authority.check_open()
    held = authority.director.find(tournament_id)
    authority.director.check_organiser(held, peer.name)
    return held


async def create_tournament(
    authority: Authority, peer: Peer, message: said.CreateTournament
) -> None:
    """See `CreateTournament`."""
    authority.check_open()
    held, note = await authority.director.create(peer.name, message.key, message.terms)
    _answer(authority, peer, held, message.id, note)


def join_tournament(authority: Authority, peer: Peer, message: said.JoinTournament) -> None:
    """See `JoinTournament`."""
    authority.check_open()
    held = authority.director.find(message.tournament)
    assert peer.player is not None
    authority.director.join(held, peer.player, message.at_once)
    _answer(authority, peer, held, message.id)


def leave_tournament(authority: Authority, peer: Peer, message: said.LeaveTournament) -> None:
    """See `LeaveTournament`."""
    authority.check_open()
    authority.director.leave(authority.director.find(message.tournament), peer.name)
    authority.after_commit(peer, message.id, lambda: peer.send({"type": "done", "id": message.id}))


def start_tournament(authority: Authority, peer: Peer, message: said.StartTournament) -> None:
    """See `StartTournament`."""
    held = _mine(authority, peer, message.tournament)
    authority.director.start(held)
    _answer(authority, peer, held, message.id)


def end_tournament(authority: Authority, peer: Peer, message: said.EndTournament) -> None:
    """See `EndTournament`."""
    held = _mine(authority, peer, message.tournament)
    authority.director.end(held)
    _answer(authority, peer, held, message.id)


def set_aside(authority: Authority, peer: Peer, message: said.SetAside) -> None:
    """See `SetAside`."""
    held = _mine(authority, peer, message.tournament)
    authority.director.set_aside(held, message.player, message.reason)
    _answer(authority, peer, held, message.id)


async def get_tournament(authority: Authority, peer: Peer, message: said.GetTournament) -> None:
    """See `GetTournament`."""
    held = authority.director.held.get(message.tournament)
    if held is not None and not held.stale:
        _answer(authority, peer, held, message.id)
        return
    try:
        await authority.committer.settled(games=True)
        found = await authority.store.tournament(message.tournament)
        games = await authority.store.tournament_games(message.tournament)
    except StoreError:
        raise Refused(
            ErrorCode.STORAGE_FAILED, "The server's storage does not answer; try again."
        ) from None
    if found is None:
        raise Refused(ErrorCode.UNKNOWN_TOURNAMENT, f"There is no tournament {message.tournament}.")
    online, now = frozenset(authority.peers), authority.now()
    # Thousands of games would keep everybody else waiting.
    state = await asyncio.to_thread(lambda: state_of(*found, games, online, now))
    peer.send({**state, "id": message.id})


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
"""What `server.handlers.HANDLERS` has of tournaments."""
