"""The local deadline of a lease, who takes which log, and which logs get new rooms."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from doublecross.server.cluster.clock import CarefulClock, lease_clock
from doublecross.server.cluster.core.lease import LENGTH_S, MARGIN_S, Lease
from doublecross.server.cluster.core.sharing import due_to, in_use, taker
from doublecross.server.core.cluster_ids import ALPHABET, SINGLE, log_id, log_of_room
from doublecross.server.core.cluster_storage import LEADER, LEASE_MS, ClusterSnapshot, Log, Node

SECONDS = st.floats(min_value=0, max_value=5, allow_nan=False)


def test_a_lease_counts_from_when_the_renewal_was_sent() -> None:
    lease = Lease()
    assert not lease.holds(0)
    lease.renewed(10.0)
    assert lease.holds(10.0 + LENGTH_S - MARGIN_S - 0.01)
    assert not lease.holds(10.0 + LENGTH_S - MARGIN_S)
    assert 0.29 < lease.wait_s(10.2) < 0.31
    assert lease.wait_s(11.0) == 0
    lease.renewed(9.0)  # its answer came late
    assert lease.holds(10.0 + LENGTH_S - MARGIN_S - 0.01)
    lease.end()
    lease.renewed(11.0)
    assert not lease.holds(11.0)


@given(
    steps=st.lists(st.tuples(SECONDS, SECONDS, SECONDS, st.booleans()), max_size=30),
    rate=st.floats(min_value=0.86, max_value=1.14),
)
def test_a_node_stops_before_anybody_can_take_its_logs(
    steps: list[tuple[float, float, float, bool]], rate: float
) -> None:
    """Renewals, answers and halts of any length, and a clock that is a seventh too slow or fast.

    In each step the node waits, sends a renewal, which takes a while to arrive, and gets the answer
    after another while, or never. The storage's lease ends three seconds after the arrival.
    """
    lease = Lease()
    now_s, until_s = 0.0, 0.0
    for wait_s, there_s, back_s, is_answered in steps:
        now_s += wait_s
        assert not (lease.holds(now_s * rate) and now_s >= until_s)
        sent_s = now_s * rate
        now_s += there_s
        assert not (lease.holds(now_s * rate) and now_s >= until_s)
        until_s = now_s + LEASE_MS / 1000
        now_s += back_s
        if is_answered:
            lease.renewed(sent_s)
        assert not (lease.holds(now_s * rate) and now_s >= until_s)


def snapshot(logs: dict[str, str | None], live: set[str], lapsed: set[str]) -> ClusterSnapshot:
    nodes = {run: Node(run, run, run in live, 0, "", "") for run in live | lapsed}
    return ClusterSnapshot(1, 0, nodes, {log: Log(log, 1, owner) for log, owner in logs.items()})


def test_survivors_share_the_logs_of_a_dead_node_and_move_no_others() -> None:
    runs = {f"run-{number}" for number in range(5)}
    logs = [log_id(number) for number in range(1000)]
    takers = {log: taker(log, runs) for log in logs}
    counts = Counter(takers.values())
    assert counts.keys() == runs
    assert all(150 < count < 250 for count in counts.values())
    rest = runs - {"run-3"}
    assert all(taker(log, rest) == before for log, before in takers.items() if before != "run-3")
    assert taker("aaaa", []) is None

    owned: dict[str, str | None] = {log: f"run-{n % 5}" for n, log in enumerate(logs)}
    now = snapshot({**owned, LEADER: None}, rest, {"run-3"})
    shares = [due_to(run, now) for run in sorted(runs)]
    assert shares[3] == ()  # its lease has lapsed
    taken = Counter(log.log for share in shares for log in share)
    assert set(taken.values()) == {1}
    assert taken.keys() == {log for log, owner in owned.items() if owner == "run-3"} | {LEADER}
    # Nobody waits for a run that leaves, and it takes nothing.
    spread = [due_to(run, now, {"run-1"}) for run in sorted(runs)]
    assert spread[1] == ()
    assert sum(map(len, spread)) == len(taken)
    assert now.owned_by("run-1") == {log for log, owner in owned.items() if owner == "run-1"}


def test_new_rooms_are_opened_in_a_few_logs_of_each_owner() -> None:
    assert in_use(["zzzz", SINGLE, "aaac", "aaab"], 2) == {"aaab", "aaac"}
    # The rooms of a single server are the last choice, but better than none.
    assert in_use([SINGLE, "zzzz"], 2) == {SINGLE, "zzzz"}
    assert in_use([SINGLE, "zzzz"], 1) == {"zzzz"}
    assert in_use([], 2) == frozenset()


def test_ids_of_logs() -> None:
    ids = [log_id(number) for number in range(5000)]
    assert len(set(ids)) == 5000
    assert set("".join(ids)) <= set(ALPHABET)
    assert {len(each) for each in ids} == {4}
    assert log_id(32**4 + 7) == log_id(7)
    assert not set(LEADER) <= set(ALPHABET)
    assert log_of_room("aaabxyz23456") == "aaab"


def test_a_clock_that_is_too_fast_rather_than_too_slow() -> None:
    read = {"steady": 100.0, "of_day": 5000.0}
    clock = CarefulClock(lambda: read["steady"], lambda: read["of_day"])
    assert clock() == 0
    read.update(steady=101.0, of_day=5001.0)
    assert clock() == 1.0
    read.update(of_day=5061.0)  # a minute of sleep, which the steady clock has not counted
    assert clock() == 61.0
    read.update(steady=103.0, of_day=10.0)  # somebody has set the time back
    assert clock() == 63.0
    now = lease_clock()
    assert now() <= now()
