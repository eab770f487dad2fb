"""Random calls of several nodes against a model that says which of them succeed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import pytest

from doublecross.server.core.cluster_storage import (
    LEASE_MS,
    Claim,
    ClusterSnapshot,
    Log,
    LogLostError,
    NameTakenError,
    RunEndedError,
)
from doublecross.server.core.people.accounts import Ban
from doublecross.server.store.cluster.store import ClusterStore
from tests.server.store.cluster.conftest import Open
from tests.server.store.cluster.helpers import execute, ids, lapse, settled_in, writes
from tests.services.postgresql import Postgres

CALLS = 300
_KEEP_LIVE = (
    "UPDATE nodes SET until_ms = (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
    f" + {2 * LEASE_MS} - 100 WHERE run = ANY($1)"
)


class Model:
    """What PostgreSQL should know. Each call returns whether it may succeed.

    `live` and `settled` are runs whose lease holds, and has held for long. `logs` has the logs,
    `stored` the entries that were acknowledged.
    """

    def __init__(self, stores: list[ClusterStore], postgres: Postgres, rng: Random) -> None:
        self.store = stores[0]
        self.stores = stores
        self.postgres = postgres
        self.rng = rng
        self.names: dict[str, str] = {}
        """The runs that have not ended, by name."""
        self.runs = ["never"]
        self.live: set[str] = set()
        self.settled: set[str] = set()
        self.logs = {"leader": Log("leader", 0, None)}
        self.claims = [Claim("leader", 99)]
        self.stored: dict[str, list[int]] = {}
        self.numbers = 0

    # -- choices -------------------------------------------------------------------------------

    def _run(self) -> str:
        # Recent runs, of which some have ended.
        return self.rng.choice(self.runs[-5:])

    def _claim(self) -> tuple[Claim, bool]:
        """Return a claim, and whether it holds."""
        claim = self.rng.choice(self.claims[-12:])
        return claim, claim.log in self.logs and self.logs[claim.log].token == claim.token

    def _number(self) -> int:
        self.numbers += 1
        return self.numbers

    def _end(self, run: str) -> None:
        self.names = {name: each for name, each in self.names.items() if each != run}
        self.live.discard(run)
        self.settled.discard(run)

    def _owned(self, log: str, owner: str | None) -> Claim:
        """Raise the token of a log, and return the claim of its owner."""
        self.logs[log] = made = Log(log, self.logs[log].token + 1, owner)
        return Claim(log, made.token)

    # -- calls ---------------------------------------------------------------------------------

    async def join(self) -> bool:
        name, run = self.rng.choice("abc"), f"run-{len(self.runs)}"
        self.runs.append(run)
        holder = self.names.get(name)
        if holder in self.live:
            with pytest.raises(NameTakenError, match=f"has the name {name}; give each") as taken:
                await self.store.join(name, run)
            assert taken.value.run == holder
            return False
        await self.store.join(name, run)
        # The outcome of a call can be unknown. It may be repeated.
        await self.store.join(name, run)
        if holder is not None:
            self._end(holder)
        self.names[name] = run
        self.live.add(run)
        return True

    async def renew(self) -> bool:
        run = self._run()
        renewal = await self.store.renew(run)
        assert renewal.holds == (run in self.names.values())
        assert renewal.lapsed == set(self.names.values()) - self.live - {run}
        if renewal.holds and run not in self.live:
            self.live.add(run)
            self.settled.discard(run)
        return renewal.holds

    async def leave(self) -> bool:
        run = self._run()
        await self.store.leave(run)
        if run not in self.names.values():
            return False
        self._end(run)
        for log in [each for each in self.logs.values() if each.owner == run]:
            self._owned(log.log, None)
        return True

    async def lapse(self) -> bool:
        run = self._run()
        for _ in range(2):
            await lapse(self.postgres, run)
        self.live.discard(run)
        return True

    async def settle_in(self) -> bool:
        run = self._run()
        await settled_in(self.postgres, run)
        if run in self.live:
            self.settled.add(run)
        return True

    async def create(self) -> bool:
        run = self._run()
        if run not in self.live:
            with pytest.raises(RunEndedError):
                await self.store.create_log(run)
            return False
        claim = await self.store.create_log(run)
        assert claim.log not in self.logs
        self.logs[claim.log] = Log(claim.log, claim.token, run)
        self.claims.append(claim)
        return True

    async def take(self) -> bool:
        run, log = self._run(), self.rng.choice(list(self.logs.values())[-4:])
        former = (await self.store.snapshot()).logs[log.log]
        assert former == log
        is_free = log.owner not in self.names.values()
        if not is_free and log.owner not in self.live and run in self.live & self.settled:
            assert log.owner is not None
            self._end(log.owner)
            is_free = True
        # All claim it at once, and one gets it.
        claims = await asyncio.gather(*(store.claim_log(log, run) for store in self.stores))
        found = [claim for claim in claims if claim is not None]
        if not is_free or run not in self.live:
            assert found == []
            return False
        assert found == [self._owned(log.log, run)]
        self.claims += found
        # It is not as in that snapshot any more.
        assert await self.store.claim_log(former, run) is None
        return True

    async def hand_over(self) -> bool:
        claim, holds = self._claim()
        if await self._refused(self.store.hand_over(claim)):
            assert not holds
            return False
        assert holds
        self._owned(claim.log, None)
        # It is free, but not as in an older snapshot: others had it meanwhile.
        free = Log(claim.log, claim.token, None)
        assert await self.store.claim_log(free, self._run()) is None
        return True

    async def delete(self) -> bool:
        claim, holds = self._claim()
        if claim.log == "leader" or await self._refused(self.store.delete_log(claim)):
            assert not holds or claim.log == "leader"
            return False
        assert holds
        if not self.stored.get(claim.log):
            del self.logs[claim.log]
        return True

    async def commit(self) -> bool:
        claim, holds = self._claim()
        number = self._number()
        rows: dict[str, Any] = self.rng.choice([{}, {"players": []}])
        if await self._refused(self.store.commit(writes(claim, number, **rows))):
            assert not holds
            return False
        assert holds
        self.stored.setdefault(claim.log, []).append(number)
        return True

    async def write(self) -> bool:
        """Write a row that belongs to no log."""
        self.store.database.run = run = self._run()
        ban = Ban(str(self._number()), None, None, None, "", 0, "")
        ended = await self._refused(self.store.database.check_owner())
        assert ended == await self._refused(self.store.accounts.add_ban(ban))
        assert ended == (run not in self.names.values())
        return not ended

    async def settle(self) -> bool:
        log, run = self.rng.choice(list(self.logs.values())), self._run()
        entry_id = self.rng.randint(1, max(1, self.numbers))
        self.store.database.run = run
        settling = self.store.settle(Claim(log.log, log.token), entry_id)
        if log.owner != run:
            assert await self._refused(settling)
            return False
        claim, stored = await settling
        assert claim == self._owned(log.log, run)
        assert stored == (entry_id in self.stored.get(log.log, []))
        self.claims.append(claim)
        return True

    async def _refused(self, call: Awaitable[object]) -> bool:
        try:
            await call
        except (LogLostError, RunEndedError):
            return True
        return False

    def check(self, snapshot: ClusterSnapshot) -> None:
        assert snapshot.live == self.live
        assert snapshot.logs == self.logs
        assert {node.name: node.run for node in snapshot.nodes.values()} == self.names
        free = [each for each in self.logs.values() if each.owner not in self.live]
        assert snapshot.unowned == tuple(sorted(free, key=lambda log: log.log))


async def test_random_calls_succeed_exactly_when_they_may(opened: Open, postgres: Postgres) -> None:
    stores = [await opened() for _ in range(3)]
    store, model = stores[0], Model(stores, postgres, Random(5))
    calls: list[Callable[[], Awaitable[bool]]] = [
        *(model.join, model.renew, model.renew, model.leave, model.lapse, model.lapse),
        *(model.settle_in, model.settle_in, model.create, model.hand_over, model.settle),
        *(model.take, model.take, model.take, model.take, model.write, model.write),
        *(model.commit, model.commit, model.commit, model.create, model.delete, model.delete),
    ]
    outcomes = set()
    for number in range(CALLS):
        if number % 5 == 0:
            await execute(postgres, _KEEP_LIVE, sorted(model.live))
        call = model.rng.choice(calls)
        outcomes.add((call.__name__, await call()))
        if number % 10 == 0:
            model.check(await store.snapshot())
    for log in model.logs:
        assert await ids(store, log) == model.stored.get(log, [])
    both = {name for name, outcome in outcomes if (name, not outcome) in outcomes}
    assert both >= {"join", "renew", "create", "take", "hand_over", "commit", "write", "delete"}
