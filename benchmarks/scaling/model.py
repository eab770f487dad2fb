"""Compute what a large cluster needs from unit costs: pure functions, no clock and no network.

Theory of operation
-------------------
`traffic` says what a `Load` means for the whole cluster. Each of the other functions turns that and
the costs of units into the use of one part: processor time, messages, bytes. All rates are means;
only `storms` is about what follows from a death. `limits` lists what can be full, with its use and
what there is of it. `full_at` finds the number of connections at which one of them is full while
everything else of the load stays as it is.

What the model leaves out: the load balancer, HTTP, reviews and advice (processes of their own),
losses of packets, and that two threads on one core disturb each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import exp
from typing import Final

from benchmarks.scaling.costs import Costs
from benchmarks.scaling.load import Load
from benchmarks.scaling.traffic import Traffic, traffic
from doublecross.server.cluster.core.lease import LENGTH_S, PERIOD_S
from doublecross.server.cluster.core.link import BEAT_S
from doublecross.server.cluster.leader.running import SWEEP_S
from doublecross.server.cluster.links.hub import LATE_S, MOST_LATE_S, MOST_LINKS
from doublecross.server.shell.journal.committer import GATHER_S
from doublecross.server.shell.lobby.listing import MAX_PLAYERS, MAX_ROOMS

_US: Final = 1e-6
CONNECTIONS_EACH: Final = 8
"""The most connections of a node to PostgreSQL: five to read, and one each for commits, leases and
other writes."""
POSTGRES_CONNECTIONS: Final = 1000.0
"""How many connections a PostgreSQL server can have without a pooler."""
REPORTS_EACH: Final = 3
"""The reports of a match: its end, and a rematch and its match, or who left and the room's end."""
_MOST_CONNECTIONS: Final = 1 << 40


@dataclass(frozen=True, slots=True)
class Links:
    """What goes over the links between all pairs of nodes, in each second."""

    pairs: float
    items: float
    """Requests and events of moves."""
    crossings: float
    """Of these, events for spectators."""
    batches: float
    beats: float
    bytes: float


def links(load: Load, found: Traffic, costs: Costs) -> Links:
    """Return what goes over links because of moves, and because of the links themselves."""
    nodes = load.processes
    pairs = nodes * (nodes - 1.0)
    # A player elsewhere sends half of the moves of the room there, and gets all of them.
    items = found.moves * 2 * found.elsewhere * 1.5
    watched = found.watchers / load.watchers_each
    reached = (nodes - 1) * (1 - (1 - 1 / nodes) ** load.watchers_each)
    crossings = watched * load.moves_per_s * reached
    each = (items + crossings) / pairs if pairs else 0.0
    # All items of a turn of the event loop for one node are one batch.
    batches = pairs * load.turns_per_s * (1 - exp(-each / load.turns_per_s))
    sent = batches / pairs if pairs else 0.0
    # A link beats only after an interval in which it had nothing to send.
    beats = pairs / BEAT_S * exp(-sent * BEAT_S)
    payload = costs["item_bytes"] - costs["beat_bytes"]
    size = (items + crossings) * payload + (batches + beats) * costs["beat_bytes"]
    return Links(pairs, items + crossings, crossings, batches, beats, size)


@dataclass(frozen=True, slots=True)
class Lobby:
    """The lobby's updates: one for all who follow, several times a second."""

    lines: float
    """Changed rooms, players and ratings of the lists in a second."""
    rooms: float
    """Of these, rooms."""
    bytes: float
    """Bytes of updates in a second for each who follows."""
    updates: float
    """Updates in a second."""


def lobby(load: Load, found: Traffic, costs: Costs) -> Lobby:
    """Return the updates of the lobby, which are about what its lists show."""
    shown_rooms = min(1.0, MAX_ROOMS / found.rooms) if found.rooms else 1.0
    shown_players = min(1.0, MAX_PLAYERS / load.connections) if load.connections else 1.0
    # A new room changes its line when it opens, when its match begins and when it closes. In a full
    # list another one takes its place then, with its players' ratings.
    rooms = (found.opened * 3 + found.matches * 2) * shown_rooms
    others = 3 * found.logins * shown_players
    rated = min(1.0, shown_players + shown_rooms)
    others += 2 * found.matches * rated + 2 * found.opened * shown_rooms
    size = rooms * costs["lobby_line_bytes"] + others * costs["lobby_player_bytes"]
    updates = 1 / SWEEP_S * min(1.0, (rooms + others) * SWEEP_S)
    return Lobby(rooms + others, rooms, size, updates)


def commits(load: Load, found: Traffic) -> tuple[float, float]:
    """Return the commits of a node in a second, and the share of time in which it commits.

    A log that is busy gathers what comes until its commit is done; an idle one commits at once.
    """
    events = (found.moves + 5 * found.matches) / load.processes / load.logs
    busy_s = load.commit_ms / 1000 + GATHER_S
    each = events / (1 + events * busy_s) if events else 0.0
    return each * load.logs, each * load.logs * load.commit_ms / 1000


def stored(load: Load) -> float:
    """Return the commits of all nodes and of the leader in a second.

    The leader stores newcomers and seeks, many in a commit.
    """
    found = traffic(load)
    each, _ = commits(load, found)
    own = load.newcomers * found.logins + 2 * found.seeks
    return each * load.processes + own / (1 + own * (load.commit_ms / 1000 + GATHER_S))


def node(load: Load, costs: Costs) -> dict[str, float]:
    """Return the seconds of processor time of one node in a second, by part, without the leader."""
    found = traffic(load)
    over = links(load, found, costs)
    updates = lobby(load, found, costs)
    nodes = load.processes
    both = costs["batch_send_us"] + costs["batch_receive_us"]
    frames = found.followers * updates.updates
    bytes_out = found.followers * updates.bytes + found.logins * costs["lobby_state_bytes"]
    reading = frames * costs["copy_us"] + bytes_out / 1000 * costs["copy_kb_us"]
    # A newcomer after an update gets a lobby that is encoded anew, for one of two codecs.
    anew = min(found.logins / nodes, 2 * updates.updates) * nodes
    arriving = found.logins * costs["gateway_lobby_us"] + anew * costs["gateway_lobby_encoded_us"]
    own, _ = commits(load, found)
    far = (over.items - over.crossings) * costs["far_item_us"]
    used = {
        "moves and sockets": found.moves * costs["move_us"] / nodes,
        "spectators": found.copies * costs["copy_us"] / nodes,
        "the lobby's followers": reading / nodes,
        "whole lobbies": arriving / nodes,
        "visits": found.logins * costs["gateway_visit_us"] / nodes,
        "rooms": found.opened * costs["room_life_us"] / nodes,
        "links: moves": (
            (over.batches * both + far + over.crossings * costs["far_copy_us"]) / nodes
        ),
        "links: beats": over.beats * both / nodes,
        "commits and leases": (
            own * costs["commit_loop_us"]
            + found.matches * costs["game_loop_us"] / nodes
            + costs["renewal_loop_us"] / PERIOD_S
        ),
    }
    return {name: value * _US for name, value in used.items()}


@dataclass(frozen=True, slots=True)
class LeaderItems:
    """Items between the leader and other nodes in a second, and the batches in which they cross."""

    items: float
    received: float
    sent: float


def leader_items(load: Load, found: Traffic, updates: Lobby) -> LeaderItems:
    """Return what crosses because of the leader; what is for its own node does not cross."""
    others = load.processes - 1.0
    late_s = min(MOST_LATE_S, LATE_S * max(1.0, others))
    # An opening has two requests and one report. Out go the room, and an answer to each.
    reports = found.opened + REPORTS_EACH * found.matches
    received = (reports + 5 * found.logins + 2 * found.opened) / load.processes
    sent = (3 * found.logins + 3 * found.opened + found.seeks) / load.processes + updates.updates

    def batches(each: float) -> float:
        """Return the batches of one link with so many items a second, which are not urgent."""
        return (1 - exp(-each * late_s)) / late_s

    return LeaderItems(
        (received + sent) * others, batches(received) * others, batches(sent) * others
    )


def login_us(load: Load, costs: Costs) -> float:
    """Return the microseconds of the leader for a login."""
    known = (1 - load.newcomers) * costs["leader_hello_us"]
    return known + load.newcomers * costs["leader_newcomer_us"]


def leader(load: Load, costs: Costs) -> dict[str, float]:
    """Return the seconds of processor time of the leader in a second, by part."""
    found = traffic(load)
    updates = lobby(load, found, costs)
    over = leader_items(load, found, updates)
    following = load.processes * updates.updates
    used = {
        "logins": found.logins * (login_us(load, costs) + costs["leader_gone_us"]),
        "what the page asks for": found.logins * costs["leader_page_us"],
        "quick matches": (
            found.opened * costs["leader_quick_match_us"] + found.seeks * costs["leader_seek_us"]
        ),
        "reports of rooms": (
            found.opened * costs["leader_room_opened_us"]
            + found.matches * costs["leader_match_ended_us"]
            + (REPORTS_EACH - 1) * found.matches * costs["leader_report_us"]
        ),
        "tournaments": found.matches * load.tournaments * costs["leader_pairing_us"],
        "updates of the lobby": (
            updates.lines * costs["leader_lobby_line_us"]
            + following * costs["leader_following_node_us"]
        ),
        # Those to all nodes leave together.
        "links": (
            over.received * costs["batch_receive_us"] + over.sent * costs["batch_gathered_us"]
        ),
    }
    return {name: value * _US for name, value in used.items()}


@dataclass(frozen=True, slots=True)
class Limit:
    """Something that can be full: how much is used, how much there is, and in which unit."""

    name: str
    used: float
    most: float
    unit: str

    @property
    def share(self) -> float:
        """How full it is; 1 is full."""
        return self.used / self.most if self.most else float("inf")


def nats(load: Load, costs: Costs) -> tuple[float, float, float]:
    """Return NATS messages and bytes in a second, and seconds of processor time in a second."""
    found = traffic(load)
    over = links(load, found, costs)
    updates = lobby(load, found, costs)
    leader = leader_items(load, found, updates)
    crossing = leader.received + leader.sent
    messages = over.batches + over.beats + crossing
    size = over.bytes + leader.items * costs["report_bytes"] + crossing * costs["beat_bytes"]
    size += (load.processes - 1) * updates.bytes
    # A message between nodes of two NATS servers is handled by both.
    routed = 2 - 1 / load.nats_servers
    used = messages * costs["batch_nats_us"] + size / 1000 * costs["batch_nats_kb_us"]
    return messages, size, used * routed * _US


def postgres(load: Load, costs: Costs) -> tuple[float, float, float]:
    """Return commits in a second, bytes of WAL in a second, and seconds of processor time."""
    found = traffic(load)
    written = stored(load)
    size = found.moves * costs["move_bytes"]
    renewals = load.processes / PERIOD_S
    # A login reads the account and the ties; a read is taken to cost as much as a commit.
    used = (written + 2 * found.logins) * costs["commit_postgres_us"]
    used += size / 1000 * costs["commit_postgres_kb_us"]
    used += found.matches * costs["game_postgres_us"]
    used += renewals * costs["renewal_postgres_us"] * max(1.0, load.processes / 100)
    wal = written * costs["commit_wal_bytes"] + size * costs["wal_per_byte"]
    wal += found.matches * costs["game_wal_bytes"] + renewals * 180
    return written, wal, used * _US


def memory(load: Load, costs: Costs) -> tuple[float, float]:
    """Return the bytes of a node, and those of the node of the leader."""
    found = traffic(load)
    each = load.connections * (costs["wire_bytes"] + costs["gateway_connection_bytes"])
    each += found.rooms * costs["room_bytes"]
    own = costs["process_bytes"] + each / load.processes
    held = (
        load.connections * costs["leader_connection_bytes"]
        + found.rooms * costs["leader_room_bytes"]
        + load.stored_games * costs["leader_game_bytes"]
    )
    return own, own + held


def network(load: Load, costs: Costs) -> tuple[float, float]:
    """Return the bytes that a node sends in a second, to clients and to NATS, and the leader's."""
    found = traffic(load)
    over = links(load, found, costs)
    updates = lobby(load, found, costs)
    packets = 66.0  # headers of Ethernet, IP and TCP
    moves = (2 * found.moves + found.copies) * (costs["move_bytes"] + packets)
    out = moves + found.followers * updates.bytes + found.logins * costs["lobby_state_bytes"]
    own = (out + over.bytes) / load.processes
    return own, own + load.processes * updates.bytes


def limits(load: Load, costs: Costs) -> list[Limit]:
    """Return everything that can be full, the fullest first."""
    found = traffic(load)
    own = sum(node(load, costs).values())
    _, nats_bytes, nats_cpu = nats(load, costs)
    _, wal, postgres_cpu = postgres(load, costs)
    held, leader_held = memory(load, costs)
    out, leader_out = network(load, costs)
    _, committing = commits(load, found)
    line = load.network_gbit * 1e9 / 8 * load.busy
    gb, mb = 1e9, 1e6
    listed = [
        Limit("processor of a node", own, load.busy, "cores"),
        Limit("processor of the leader", sum(leader(load, costs).values()), load.busy, "cores"),
        Limit("memory of a node", held / gb, load.memory_gb, "GB"),
        Limit("memory of the leader's node", leader_held / gb, load.memory_gb, "GB"),
        Limit("network of a node", out / mb, line / mb, "MB/s"),
        Limit("network of the leader's node", leader_out / mb, line / mb, "MB/s"),
        Limit(
            "processors of NATS",
            nats_cpu,
            load.nats_servers * load.nats_cores * load.busy,
            "cores",
        ),
        Limit("network of NATS", nats_bytes / mb, load.nats_servers * line / mb, "MB/s"),
        Limit("processors of PostgreSQL", postgres_cpu, load.postgres_cores * load.busy, "cores"),
        Limit("WAL of PostgreSQL", wal / mb, load.wal_mb_per_s, "MB/s"),
        Limit(
            "connections to PostgreSQL",
            load.processes * CONNECTIONS_EACH,
            POSTGRES_CONNECTIONS,
            "",
        ),
        Limit("commits of a node, one after the other", committing, 1.0, "of the time"),
        Limit(
            "changed rooms in the lobby's updates",
            lobby(load, found, costs).rooms,
            MAX_ROOMS / SWEEP_S,
            "a second",
        ),
        Limit("the setting max_rooms", found.rooms, load.max_rooms * load.processes, "rooms"),
        Limit("links of a node", load.processes - 1, MOST_LINKS, ""),
    ]
    return sorted(listed, key=lambda each: -each.share)


def full_at(load: Load, costs: Costs, name: str) -> float:
    """Return the number of connections at which a limit is reached, or infinity.

    The number of nodes and everything else of the load stays as it is.
    """

    def is_full(connections: int) -> bool:
        tried = limits(replace(load, connections=connections), costs)
        return next(each for each in tried if each.name == name).share >= 1

    low, high = 0, _MOST_CONNECTIONS
    if is_full(low):
        return 0.0
    if not is_full(high):
        return float("inf")
    while high - low > max(1, low // 1000):
        middle = (low + high) // 2
        low, high = (low, middle) if is_full(middle) else (middle, high)
    return float(high)


def storms(load: Load, costs: Costs) -> Mapping[str, float]:
    """Return how long it takes after a death until all is as before, in seconds."""
    found = traffic(load)
    clients = load.connections / load.processes
    # The two logs of a node go to two others; one of them restores half of its rooms.
    restored = found.rooms / load.processes / load.logs * costs["room_taken_us"] * _US
    logins = clients * (costs["leader_hello_us"] + costs["batch_receive_us"]) * _US
    # A node sends many in one turn, so they share batches.
    back = load.connections * (costs["leader_back_us"] + costs["batch_receive_us"] / 10) * _US
    rooms = found.rooms * costs["leader_room_read_us"] * _US
    read = load.stored_games * costs["game_read_us"] * _US
    return {
        "until the lease of a dead node lapses": LENGTH_S,
        "rooms of a dead node restored, after that": restored,
        "its clients logged in again, by the leader alone": logins,
        "a new leader: ratings from the stored games": read,
        "a new leader: all rooms read from the logs": rooms,
        "a new leader: all connections known": back,
    }
