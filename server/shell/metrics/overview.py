"""The state of a running server for its host: figures, connected players, open rooms."""

from __future__ import annotations

import asyncio
import time
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate, islice
from typing import Any, Final

from doublecross.server.core.rooms.room import Room
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.metrics.figures import STEP, Observed, version
from doublecross.server.shell.peer import Peer
from doublecross.server.shell.upkeep.histogram import Histogram

_MS: Final = 1000.0


def overview(observed: Observed, uptime_s: float) -> dict[str, Any]:
    """Return the figures of a server, from what monitoring observes."""
    authority, connections = observed.authority, observed.connections
    writer, publisher = authority.committer.writer, authority.rooms.publisher
    queues = observed.queues()
    rooms = authority.lobby.rooms.values()
    running = authority.tournaments.running.values()
    return {
        "version": version(),
        "epoch": authority.config.epoch,
        "uptime_s": round(uptime_s, 1),
        "draining": authority.availability.draining,
        "connections": len(connections.peers),
        "players": len(authority.peers.by_name),
        "rooms": len(authority.lobby.rooms),
        "games_in_play": sum(room.status == "playing" for room in rooms),
        "tournaments_running": sum(each.core.status == "running" for each in running),
        "moves": publisher.moves,
        "commits": writer.commits,
        "commit_p50_ms": quantile(writer.durations, 0.5) * _MS,
        "commit_p99_ms": quantile(writer.durations, 0.99) * _MS,
        "loop_lag_ms": quantile(observed.service.lags, 0.99) * _MS,
        "queues": {"commits": queues.pop("commit"), **queues},
        "limit_hits": observed.limit_hits(),
        "refusals": dict(connections.refusals),
        "dropped": dict(connections.dropped),
        "bans": len(authority.accounts.bans.current),
    }


def quantile(values: Histogram, share: float) -> float:
    """Return the value that a share of all values does not exceed, about; 0 without values.

    Within a range, values are taken as evenly spread. Values above the last bound count as this.
    """
    sums = list(accumulate(values.counts))
    if not sums[-1]:
        return 0.0
    wanted = share * sums[-1]
    place = bisect_left(sums, wanted)
    if place >= len(values.bounds):
        return values.bounds[-1]
    low = values.bounds[place - 1] if place else 0.0
    before = sums[place - 1] if place else 0
    return low + (values.bounds[place] - low) * (wanted - before) / values.counts[place]


class ServerView:
    """The view of a single server for admins. Its uptime counts from the making of this object."""

    def __init__(self, observed: Observed) -> None:
        self._observed = observed
        self._began_s = time.monotonic()

    async def overview(self) -> dict[str, Any]:
        """Return the figures of the server."""
        return overview(self._observed, time.monotonic() - self._began_s)

    async def rooms(self, limit: int) -> tuple[Sequence[dict[str, Any]], int]:
        """Return the newest rooms, `limit` at most, private ones too, and how many there are."""
        channels = self._observed.authority.rooms.registry.channels
        newest = islice(reversed(channels.values()), limit)
        shown = []
        for each in newest:
            match = each.room.match
            shown.append(room_line(each.room, 0 if match is None else match.ply, each.spectators))
        return shown, len(channels)


async def connected(
    authority: Authority, search: str, limit: int, now_s: float
) -> tuple[Sequence[dict[str, Any]], int]:
    """Return up to `limit` connected players whose names contain `search`, and how many there are.

    `now_s` is the time of the event loop. Other tasks have a turn in between.
    """
    wanted = search.casefold()
    found = sorted(name for name in authority.peers.by_name if wanted in name.casefold())
    shown = []
    for number, name in enumerate(found[:limit]):
        peer = authority.peers.by_name.get(name)
        # The player may have gone during a pause.
        if peer is not None:
            rooms = [room.id for room in authority.lobby.rooms.of_player(name)]
            shown.append(_player(peer, rooms, now_s))
        if number % STEP == STEP - 1:
            await asyncio.sleep(0)
    return shown, len(found)


def _player(peer: Peer, rooms: Sequence[str], now_s: float) -> dict[str, Any]:
    assert peer.player is not None
    player, rights = peer.player, peer.rights
    engine = player.engine
    return {
        "name": player.name,
        "account_id": rights.account_id,
        "kind": player.kind,
        "engine": "" if engine is None else f"{engine.name} {engine.version}",
        "client": peer.client,
        "address": peer.address,
        "claimed": bool(rights.token_id),
        "admin": rights.is_admin,
        "scopes": sorted(rights.scopes),
        "connected_s": round(now_s - peer.since_s, 1),
        "rooms": rooms,
    }


def room_line(room: Room, ply: int, spectators: int) -> dict[str, Any]:
    """Return a room as admins see it."""
    return {
        "room": room.id,
        "game": room.game.key,
        "size": room.game.size,
        "players": [None if player is None else player.name for player in room.players],
        "status": room.status,
        "ply": ply,
        "private": room.terms.private,
        "tournament": None if room.terms.tag is None else room.terms.tag.tournament,
        "spectators": spectators,
    }
