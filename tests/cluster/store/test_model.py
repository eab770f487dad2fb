"""Random calls of several nodes against a model that says which of them succeed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import pytest

from doublecross.server.core.cluster_storage import (
    LEASE_MS,
    Claim,
    LogLostError,
    NameTakenError,
    RunEndedError,
)
from doublecross.server.store.cluster.store import ClusterStore
from tests.cluster.conftest import Open
from tests.cluster.harness.postgresql import Postgres
from tests.cluster.store.helpers import execute, ids, lapse, settled_in, writes

CALLS = 150
_KEEP_LIVE = (
    "UPDATE nodes SET until_ms = (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
    f" + {2 * LEASE_MS} - 100 WHERE run = ANY($1)"
)


class Model:
    """What PostgreSQL should know.

    `live` and `settled` are runs whose lease holds, and has held for long. `logs` has the token and
    the owner of each log, `stored` what was acknowledged.
    """

    def __init__(self, store: ClusterStore, postgres: Postgres, rng: Random) -> None:
        self.store = store
        self.postgres = postgres
        self.rng = rng
        self.names: dict[str, str] = {}
        """The runs that have not ended, by name."""
        self.runs = ["never"]
        self.live: set[str] = set()
        self.settled: set[str] = set()
        self.logs: dict[str, tuple[int, str | None]] = {"leader": (0, None)}
        self.claims = [Claim("leader", 99)]
        self.stored: dict[str, list[int]] = {}
        self.entry = 0
        self.outcomes: set[tuple[str, bool]] = set()

    def end(self, run: str) -> None:
        self.names = {name: each for name, each in self.names.items() if each != run}
        self.live.discard(run)
        self.settled.discard(run)

    def run(self) -> str:
        # Recent runs, of which some have ended.
        return self.rng.choice(self.runs[-5:])

    def claim(self) -> Claim:
        return self.rng.choice(self.claims[-12:])

    def holds(self, claim: Claim) -> bool:
        return self.logs[claim.log][0] == claim.token

    async def step(self) -> None:
        calls: list[Callable[[], Awaitable[bool]]] = [
            *(self.join, self.renew, self.renew, self.leave, self.lapse, self.lapse),
            *(self.settle_in, self.settle_in, self.create, self.hand_over, self.settle),
            *(self.take, self.take, self.take, self.take),
            *(self.commit, self.commit, self.commit),
        ]
        call = self.rng.choice(calls)
        self.outcomes.add((call.__name__, await call()))

    async def join(self) -> bool:
        name, run = self.rng.choice("abc"), f"run-{len(self.runs)}"
        self.runs.append(run)
        holder = self.names.get(name)
        if holder in self.live:
            with pytest.raises(NameTakenError):
                await self.store.join(name, run)
            return False
        await self.store.join(name, run)
        if holder is not None:
            self.end(holder)
        self.names[name] = run
        self.live.add(run)
        return True

    async def renew(self) -> bool:
        run = self.run()
        renewal = await self.store.renew(run)
        assert renewal.holds == (run in self.names.values())
        assert renewal.lapsed == set(self.names.values()) - self.live - {run}
        if renewal.holds and run not in self.live:
            self.live.add(run)
            self.settled.discard(run)
        return renewal.holds

    async def leave(self) -> bool:
        run = self.run()
        await self.store.leave(run)
        if run not in self.names.values():
            return False
        self.end(run)
        for log, (token, owner) in self.logs.items():
            if owner == run:
                self.logs[log] = (token + 1, None)
        return True

    async def lapse(self) -> bool:
        run = self.run()
        await lapse(self.postgres, run)
        await lapse(self.postgres, run)
        self.live.discard(run)
        return True

    async def settle_in(self) -> bool:
        run = self.run()
        await settled_in(self.postgres, run)
        if run in self.live:
            self.settled.add(run)
        return True

    async def create(self) -> bool:
        run = self.run()
        if run not in self.live:
            with pytest.raises(RunEndedError):
                await self.store.create_log(run)
            return False
        claim = await self.store.create_log(run)
        assert claim.log not in self.logs
        self.logs[claim.log] = (claim.token, run)
        self.claims.append(claim)
        return True

    async def take(self) -> bool:
        run, log = self.run(), self.rng.choice(list(self.logs)[-4:])
        token, owner = self.logs[log]
        known = (await self.store.snapshot()).logs[log]
        assert (known.token, known.owner) == (token, owner)
        is_free = owner not in self.names.values()
        if not is_free and owner not in self.live and run in self.live & self.settled:
            assert owner is not None
            self.end(owner)
            is_free = True
        claim = await self.store.claim_log(known, run)
        if not (is_free and run in self.live):
            assert claim is None
            return False
        assert claim == Claim(log, token + 1)
        self.logs[log] = (token + 1, run)
        self.claims.append(claim)
        return True

    async def hand_over(self) -> bool:
        claim = self.claim()
        holds = self.holds(claim)
        if await self._refused(self.store.hand_over(claim)):
            assert not holds
            return False
        assert holds
        self.logs[claim.log] = (claim.token + 1, None)
        return True

    async def commit(self) -> bool:
        claim = self.claim()
        self.entry += 1
        rows: dict[str, Any] = self.rng.choice([{}, {"players": []}])
        if await self._refused(self.store.commit(writes(claim, self.entry, **rows))):
            assert not self.holds(claim)
            return False
        assert self.holds(claim)
        self.stored.setdefault(claim.log, []).append(self.entry)
        return True

    async def settle(self) -> bool:
        log, run = self.rng.choice(list(self.logs)), self.run()
        token, owner = self.logs[log]
        entry_id = self.rng.randint(1, max(1, self.entry))
        self.store.database.run = run
        if owner != run:
            assert await self._refused(self.store.settle(Claim(log, token), entry_id))
            return False
        claim, stored = await self.store.settle(Claim(log, token), entry_id)
        assert claim == Claim(log, token + 1)
        assert stored == (entry_id in self.stored.get(log, []))
        self.logs[log] = (token + 1, run)
        self.claims.append(claim)
        return True

    async def _refused(self, call: Awaitable[object]) -> bool:
        try:
            await call
        except LogLostError:
            return True
        return False


async def test_random_calls_succeed_exactly_when_they_may(opened: Open, postgres: Postgres) -> None:
    store = await opened()
    model = Model(store, postgres, Random(17))
    for number in range(CALLS):
        if number % 5 == 0:
            await execute(postgres, _KEEP_LIVE, sorted(model.live))
        await model.step()
    for log in model.logs:
        assert await ids(store, log) == model.stored.get(log, [])
    snapshot = await store.snapshot()
    assert snapshot.live == model.live
    assert {log.log: (log.token, log.owner) for log in snapshot.logs.values()} == model.logs
    both = {name for name, outcome in model.outcomes if (name, not outcome) in model.outcomes}
    assert both >= {"join", "renew", "create", "take", "hand_over", "commit"}
