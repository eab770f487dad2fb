"""The state of a running server for its host: figures, connected players, open rooms."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate, islice
from typing import Any, Final

from doublecross.server.core.rooms.room import Room
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.metrics.counts import STEP_S
from doublecross.server.shell.metrics.figures import ServerFigures, version
from doublecross.server.shell.peer import Peer
from doublecross.server.shell.upkeep.histogram import COMMIT_S, LAG_S, Histogram
from doublecross.server.shell.upkeep.periodic import Breaks

_MS: Final = 1000.0


def overview(
    authority: Authority, epoch: str, summaries: Collection[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the sum of `Figures.summary` of a server or of all nodes.

    The counters begin again when the `epoch` changes.
    """
    durations, lags = Histogram(COMMIT_S), Histogram(LAG_S)
    sums = {name: Counter[str]() for name in ("queues", "limit_hits", "refusals", "dropped")}
    for each in summaries:
        durations.include(*each["durations"])
        lags.include(*each["lags"])
        for name, total in sums.items():
            total.update(each[name])
    queues = dict(sums.pop("queues"))
    running = authority.tournaments.running.values()
    return {
        "version": version(),
        "epoch": epoch,
        "uptime_s": max(each["uptime_s"] for each in summaries),
        "draining": authority.availability.draining,
        **{
            name: sum(each[name] for each in summaries)
            for name in ("connections", "moves", "commits")
        },
        "players": len(authority.peers.sessions),
        "rooms": len(authority.lobby.rooms),
        "games_in_play": sum(room.status == "playing" for room in authority.lobby.rooms.values()),
        "tournaments_running": sum(each.core.status == "running" for each in running),
        "commit_p50_ms": quantile(durations, 0.5) * _MS,
        "commit_p99_ms": quantile(durations, 0.99) * _MS,
        "loop_lag_ms": quantile(lags, 0.99) * _MS,
        "queues": {"commits": queues.pop("commit"), **queues},
        **{name: dict(total) for name, total in sums.items()},
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
    """The view of a single server for admins."""

    def __init__(self, figures: ServerFigures) -> None:
        self._figures = figures

    async def overview(self) -> dict[str, Any]:
        """Return the figures of the server."""
        figures = self._figures
        return overview(figures.authority(), figures.epoch(), [figures.summary()])

    async def rooms(self, limit: int) -> tuple[Sequence[dict[str, Any]], int]:
        """Return the newest rooms, `limit` at most, private ones too, and how many there are."""
        channels = self._figures.authority().rooms.registry.channels
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
    found = sorted(name for name in authority.peers.sessions if wanted in name.casefold())
    shown, breaks = [], Breaks(STEP_S)
    for name in found[:limit]:
        peers = authority.peers.of(name)
        # The player may have gone during a pause.
        if peers:
            rooms = [room.id for room in authority.lobby.rooms.of_player(name)]
            shown.append(_player(peers, rooms, now_s))
        await breaks.take()
    return shown, len(found)


def _player(peers: Sequence[Peer], rooms: Sequence[str], now_s: float) -> dict[str, Any]:
    """Return what an admin sees of a player; the newest connection stands for all."""
    peer = peers[-1]
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
        "connected_s": round(now_s - peers[0].since_s, 1),
        "connections": len(peers),
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
