"""Play short games on one server for long, and watch its memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from doublecross.client.load.rooms import LoadRoom, Measure, make_scripts
from doublecross.client.load.wire import Peer
from doublecross.games.registry import make_game
from tests.chaos.servers import ServerProcess

SETTINGS: Final[dict[str, Any]] = {"game": "tic-tac-toe", "params": {}}
ROOMS: Final = 100
_LOOK_S: Final = 0.05
_PARTS: Final = 10


@dataclass(frozen=True)
class SoakResult:
    """The games that were played, what failed, and the memory after each tenth of them, in MB."""

    games: int
    failures: dict[str, int]
    rss_mb: list[float]

    @property
    def growth_mb(self) -> float:
        """The growth of memory from the third tenth, when all caches are full, to the end."""
        return self.rss_mb[-1] - self.rss_mb[2]


async def soak(
    folder: Path, games: int, rooms: int = ROOMS, say: Callable[[str], None] = lambda line: None
) -> SoakResult:
    """Play so many games of tic-tac-toe as fast as the server answers."""
    rng = Random(1)
    scripts = make_scripts(make_game("tic-tac-toe"), rng)
    measure, memory = Measure(), list[float]()
    with ServerProcess(folder, linger_s=1, away_s=1) as server:
        peers = [await Peer.log_in(server.url, f"player{n}") for n in range(2 * rooms)]
        tables = [
            LoadRoom(pair, SETTINGS, scripts, 0.001, rng)
            for pair in zip(peers[::2], peers[1::2], strict=True)
        ]
        for table in tables:
            await table.open()
            table.measure = measure
            table.start(asyncio.get_running_loop().time())
        played = 0
        while played < games:
            await asyncio.sleep(_LOOK_S)
            played = sum(table.games for table in tables)
            while len(memory) < _PARTS and played >= games * (len(memory) + 1) // _PARTS:
                memory.append(server.rss_mb)
                say(f"{played:,} games, {memory[-1]:.1f} MB, failures: {dict(measure.failures)}")
        await asyncio.gather(*(table.stop() for table in tables))
        for peer in peers:
            peer.close()
        assert server.end() == 0
    return SoakResult(played, dict(measure.failures), memory)
