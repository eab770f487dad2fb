"""What a load means for the whole cluster."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

from benchmarks.scaling.load import Load
from doublecross.server.cluster.leader.running import SWEEP_S


@dataclass(frozen=True, slots=True)
class Traffic:
    """What happens in the whole cluster, in each second unless it is a number of things."""

    players: float
    rooms: float
    watchers: float
    followers: float
    moves: float
    copies: float
    matches: float
    opened: float
    seeks: float
    """Quick matches that wait for more than a sweep, so that they are stored as seeks."""
    logins: float
    elsewhere: float
    """The share of players whose room is at another node."""


def traffic(load: Load) -> Traffic:
    """Return what happens in the whole cluster."""
    players = load.playing * load.connections
    rooms = players / 2
    watchers = load.watching * load.connections
    moves = rooms * load.moves_per_s
    matches = moves / load.moves_each
    # The leader opens a room at the node of one player; the other one is anywhere.
    elsewhere = (1 - 1 / load.processes) / 2 if load.elsewhere < 0 else load.elsewhere
    return Traffic(
        players,
        rooms,
        watchers,
        load.lobby * load.connections,
        moves,
        watchers * load.moves_per_s,
        matches,
        matches * load.new_rooms,
        _left_over(2 * matches * load.new_rooms, load.kinds),
        load.connections / load.visit_s,
        elsewhere if load.processes > 1 else 0.0,
    )


def _left_over(requests: float, kinds: int) -> float:
    """Return for how many of these requests a second nobody else comes until the next sweep.

    Of an odd number for one kind of match, one is left over.
    """
    each = requests / kinds * SWEEP_S
    return kinds / SWEEP_S * (1 - exp(-2 * each)) / 2
