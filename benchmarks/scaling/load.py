"""What the model assumes: who is connected, what they do, and the machines that serve them."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any


def _known(default: float, what: str) -> Any:
    return field(default=default, metadata={"what": what})


@dataclass(frozen=True, slots=True)
class Load:
    """The assumptions, each of which is an option of the command.

    Shares are from 0 to 1, rates are for each second, and times are in seconds unless the name says
    otherwise.
    """

    processes: int = _known(100, "nodes; each has one core for its event loop")
    connections: int = _known(1_000_000, "open connections, spread evenly over the nodes")
    playing: float = _known(0.6, "share of the connections that play, one room for two of them")
    watching: float = _known(0.1, "share that watches a room")
    lobby: float = _known(0.05, "share that has the lobby open")
    watchers_each: float = _known(10.0, "spectators of a room that is watched at all")
    moves_per_s: float = _known(0.5, "moves in each room in a second")
    moves_each: float = _known(60.0, "moves of a match")
    new_rooms: float = _known(0.5, "share of matches that begin in a new room, by a quick match")
    kinds: int = _known(20, "different matches that people seek, all equally often")
    elsewhere: float = _known(
        -1.0,
        "share of players whose room is at another node; -1: one of two, as the leader does it",
    )
    tournaments: float = _known(0.05, "share of matches that belong to tournaments")
    visit_s: float = _known(
        1800.0, "length of a visit; each begins with a login, the lobby, ties and open games"
    )
    newcomers: float = _known(0.1, "share of the logins that are of people with a new name")
    stored_games: float = _known(10e6, "rated games in the database when a leader opens")
    logs: int = _known(2, "logs of each node")
    commit_ms: float = _known(2.0, "a commit with a synchronous standby, in milliseconds")
    turns_per_s: float = _known(1000.0, "turns of a busy event loop; a batch leaves in one")
    nats_servers: int = _known(3, "NATS servers, which form one cluster")
    nats_cores: float = _known(8.0, "cores of each of them")
    postgres_cores: float = _known(16.0, "cores of PostgreSQL")
    wal_mb_per_s: float = _known(200.0, "WAL that disk and standby take, in MB")
    network_gbit: float = _known(10.0, "network of each machine, in Gbit/s")
    memory_gb: float = _known(16.0, "memory for each node, in GB")
    max_rooms: float = _known(20_000, "the setting max_rooms, for each node")
    busy: float = _known(0.7, "share of a core or a network beyond which latency grows too much")

    def __post_init__(self) -> None:
        """Check the numbers.

        Raises:
            ValueError: one of them is impossible.
        """
        for each in fields(self):
            value = getattr(self, each.name)
            if value < 0 and not (each.name == "elsewhere" and value == -1):
                raise ValueError(f"{each.name} must not be negative.")
        positive = (
            "processes",
            "kinds",
            "moves_each",
            "visit_s",
            "nats_servers",
            "turns_per_s",
            "logs",
        )
        for name in (*positive, "watchers_each", "commit_ms", "busy"):
            if getattr(self, name) == 0:
                raise ValueError(f"{name} must be more than 0.")
        if self.playing + self.watching + self.lobby > 1:
            raise ValueError("playing, watching and lobby together must not be more than 1.")
        shares = (self.elsewhere, self.new_rooms, self.tournaments, self.newcomers, self.busy)
        if max(shares) > 1:
            raise ValueError("A share must not be more than 1.")


def meanings() -> dict[str, str]:
    """Return what each assumption means, by name."""
    return {each.name: each.metadata["what"] for each in fields(Load)}
