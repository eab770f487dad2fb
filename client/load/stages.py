"""Run the workers through the stages of a load, and gather what they measured."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from doublecross.client.load.latency import Latencies
from doublecross.client.load.usage import Usage, machine_ticks, usage_of
from doublecross.client.load.worker import Share
from doublecross.processes.child import Child, Message

BUSY: Final = 0.85
"""A worker that uses more of a core than this measures itself."""
OWN_SHARE: Final = 0.5
"""The load limits a stage when its own delays are this share of the latency, at p99."""
_SETTLE_S: Final = 0.5
"""The least time to play before a measurement."""
_UNHARMFUL_S: Final = 0.002
"""Delays of the load that never matter."""


@dataclass(frozen=True)
class LoadPlan:
    """The plan of a load. `rooms` are the stages, in ascending order."""

    server: str
    settings: dict[str, Any]
    rooms: Sequence[int]
    every_s: float
    seconds: float
    players: int | None
    workers: int
    seed: int
    pid: int | None


@dataclass
class Stage:
    """The results of one stage. Times are in milliseconds; None where nothing was measured."""

    rooms: int
    opened: int
    logins: int
    """The players who logged in for this stage."""
    logins_s: float
    login_p99_ms: float | None
    moves: int = 0
    p50_ms: float | None = None
    p95_ms: float | None = None
    p99_ms: float | None = None
    most_ms: float | None = None
    opponent_p99_ms: float | None = None
    """Until the opponent has the move."""
    missing: int = 0
    """Moves that did not reach the opponent."""
    failures: dict[str, int] = field(default_factory=dict)
    server_cores: float | None = None
    server_rss_mb: float | None = None
    machine_busy: float | None = None
    """The share of all cores that all programs of this machine kept busy."""
    load_busy: float = 0.0
    """The share of a core that the busiest process of the load used."""
    load_p99_ms: float | None = None
    """The delay of the load itself."""
    limited_by_load: bool = False

    @property
    def failed(self) -> int:
        """The number of failures."""
        return sum(self.failures.values()) + self.missing

    def as_dict(self) -> dict[str, Any]:
        """Return the stage for JSON."""
        return asdict(self)


class LoadRun:
    """The workers of one load. Use `start`, `stage` in ascending order, and `stop`."""

    def __init__(self, plan: LoadPlan) -> None:
        self._plan = plan
        self._workers: list[Child] = []

    async def start(self, on_error_line: Callable[[str], None]) -> None:
        """Start the workers."""
        plan, tag = self._plan, f"load-{secrets.token_hex(3)}"
        most = plan.players // 2 if plan.players else plan.rooms[-1]
        for number, pairs in enumerate(_shares(most, plan.workers)):
            worker = await Child.start(
                "A process of the load",
                "doublecross.client.load.worker",
                on_error_line=on_error_line,
                expendable=True,
            )
            self._workers.append(worker)
            share = Share(
                server=plan.server,
                tag=f"{tag}-{number}",
                settings=plan.settings,
                every_s=plan.every_s,
                seed=plan.seed + number,
                most_pairs=pairs,
            )
            worker.send(asdict(share))

    async def stage(self, rooms: int) -> Stage:
        """Log in and open rooms until there are so many, play in them, and return the measures.

        Raises:
            ChildEnded: a worker ended.
        """
        plan, shares = self._plan, _shares(rooms, self._plan.workers)
        most = _shares(plan.players // 2 if plan.players else rooms, plan.workers)
        began = time.monotonic()
        pairs = [min(share, limit) for share, limit in zip(shares, most, strict=True)]
        logins = await self._order([{"what": "log_in", "pairs": n} for n in pairs])
        took = time.monotonic() - began
        opened = await self._order([{"what": "open", "rooms": n} for n in shares])
        times = _merged(logins, "times")
        stage = Stage(
            rooms=rooms,
            opened=sum(answer["rooms"] for answer in opened),
            logins=len(times),
            logins_s=took,
            login_p99_ms=_ms(times.percentile_s(0.99)),
        )
        failures = _failures(logins) + _failures(opened)
        await self._play(stage, failures)
        return stage

    async def stop(self) -> None:
        """End the workers."""
        await asyncio.gather(*(worker.stop() for worker in self._workers))

    async def _play(self, stage: Stage, failures: Counter[str]) -> None:
        plan = self._plan
        settle = max(_SETTLE_S, plan.every_s)
        order = {"what": "play", "settle_s": settle, "seconds": plan.seconds}
        playing = asyncio.create_task(self._order([order] * plan.workers))
        try:
            await asyncio.wait({playing}, timeout=settle)
            before, ticks = usage_of(plan.pid), machine_ticks()
            await asyncio.wait({playing}, timeout=plan.seconds)
            after, ticks_after = usage_of(plan.pid), machine_ticks()
            answers = await playing
        finally:
            playing.cancel()
        _take_usage(stage, before, after)
        if ticks is not None and ticks_after is not None and ticks_after[1] > ticks[1]:
            stage.machine_busy = (ticks_after[0] - ticks[0]) / (ticks_after[1] - ticks[1])
        _take_measures(stage, answers)
        stage.failures = dict((failures + _failures(answers)).most_common())

    async def _order(self, orders: Sequence[Message]) -> list[Message]:
        for worker, order in zip(self._workers, orders, strict=True):
            worker.send(order)
        return list(await asyncio.gather(*(worker.expect() for worker in self._workers)))


def _take_usage(stage: Stage, before: Usage | None, after: Usage | None) -> None:
    if before is not None and after is not None:
        stage.server_cores = after.share_since(before)
        stage.server_rss_mb = after.rss_mb


def _take_measures(stage: Stage, answers: Sequence[Message]) -> None:
    times, own = _merged(answers, "answers"), _merged(answers, "own_delays")
    stage.moves = len(times)
    stage.p50_ms = _ms(times.percentile_s(0.5))
    stage.p95_ms = _ms(times.percentile_s(0.95))
    stage.p99_ms = _ms(times.percentile_s(0.99))
    stage.most_ms = _ms(times.most_s) if stage.moves else None
    stage.opponent_p99_ms = _ms(_merged(answers, "deliveries").percentile_s(0.99))
    stage.missing = sum(answer["missing"] for answer in answers)
    stage.load_busy = max(answer["busy"] for answer in answers)
    delay, latency = own.percentile_s(0.99) or 0.0, times.percentile_s(0.99) or 0.0
    stage.load_p99_ms = _ms(delay)
    stage.limited_by_load = stage.load_busy > BUSY or delay > max(_UNHARMFUL_S, OWN_SHARE * latency)


def _merged(answers: Sequence[Message], name: str) -> Latencies:
    found = Latencies()
    for answer in answers:
        found.merge(Latencies.unpack(answer[name]))
    return found


def _failures(answers: Sequence[Message]) -> Counter[str]:
    found = Counter[str]()
    for answer in answers:
        found.update(answer["failures"])
    return found


def _shares(total: int, parts: int) -> list[int]:
    """Divide `total` into so many parts that differ by at most 1."""
    return [total // parts + (number < total % parts) for number in range(parts)]


def _ms(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds * 1000, 3)
