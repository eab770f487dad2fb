"""What programs that watch a server read: `/metrics` and `/ready`, on real servers."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from websockets.exceptions import ConnectionClosed

from doublecross.protocol.codec import JsonCodec
from doublecross.server.shell.upkeep.histogram import Histogram
from tests.protocol.wire import Message, WireClient, serving
from tests.server.shell.test_http import SMALL, Reader
from tests.server.shell.test_play_over_wire import play_out, table

ROOT = Path(__file__).resolve().parents[4]
ENGINE: Message = {"name": "edges", "version": "1"}
Samples = dict[str, float]


async def scrape(http: Reader) -> Samples:
    """Return the values by name and labels, such as ``rooms{status="playing"}``."""
    answer = await http.client.get("/metrics")
    assert answer.status_code == 200, answer.text
    return {
        sample.name.removeprefix("doublecross_")
        + "".join(f"[{value}]" for value in sample.labels.values()): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def test_a_histogram_counts_a_bound_in_the_range_below_it() -> None:
    values = Histogram((1.0, 2.0))
    for value in (0.0, 1.0, 1.5, 2.0, 7.0):
        values.observe(value)
    assert (values.counts, values.total) == ([2, 2, 1], 11.5)


async def test_the_metrics_follow_what_happens(tmp_path: Path) -> None:
    async with serving(tmp_path, messages_per_s=1.0, burst=40) as server, Reader(server) as http:
        before = await scrape(http)
        (info,) = (name for name in before if name.startswith("build_info"))
        assert "[sqlite]" in info
        assert before["ready"] == before["storage_works"] == before["task_up[committer]"] == 1
        assert before["moves_total"] == before["connections[person]"] == 0
        await WireClient.open(server, JsonCodec())
        ann, bob, room = await table(server, {**SMALL, "time": {"base_ms": 60_000}})
        cat = await WireClient.player(server, "Cat", kind="bot", engine=ENGINE)
        await cat.ask({"type": "watch", "room": room})
        playing = await scrape(http)
        assert [playing[f"connections[{kind}]"] for kind in ("person", "bot", "new")] == [2, 1, 1]
        assert playing["spectators"] == playing["matches"] == playing["rooms[playing]"] == 1
        await play_out(ann, bob, room)
        again = await WireClient.player(server, "Dan", key="0123456789abcdef0123456789abcdef")
        await again.close()
        while await cat.refused({"type": "watch", "room": "nowhere"}) != "rate_limited":
            pass
        found = await scrape(http)
        assert (found["moves_total"], found["matches_finished_total"]) == (7, 1)
        assert (found["rooms[playing]"], found["rooms[finished]"]) == (0, 1)
        assert found["refusals_total[unknown_room]"] > 0
        assert found["refusals_total[rate_limited]"] == found["limit_hits_total[message_rate]"] == 1
        writer = server.authority.committer.writer
        assert found["commit_seconds_count"] == found["commit_events_count"] == writer.commits
        assert found["commit_events_sum"] == writer.events > 7
        assert found["commit_seconds_bucket[+Inf]"] == writer.commits
        assert found["connections_opened_total"] == 5
        assert found["loop_lag_seconds_count"] > before["loop_lag_seconds_count"]
        assert found["process_cpu_seconds_total"] > 0


async def test_each_reason_for_a_dropped_connection_is_counted(tmp_path: Path) -> None:
    async with serving(tmp_path, silence_s=0.3, hello_s=0.3) as server, Reader(server) as http:
        old = await WireClient.player(server, "Ann")
        token = next(each for each in old.received if each["type"] == "welcome")["token"]
        hello = {"type": "hello", "protocol": 2, "kind": "human", "token": token}
        hello["exclusive"] = True
        new = await WireClient.open(server, JsonCodec())
        await new.ask(hello)
        late = await WireClient.open(server, JsonCodec())
        abuse = await WireClient.player(server, "Eve")
        with suppress(ConnectionClosed):
            for _ in range(400):
                await abuse.ws.send("{")
        codes = [await client.closed_with() for client in (old, new, late, abuse)]
        assert codes == [4001, 4004, 4002, 4003]
        found = await scrape(http)
        for reason in ("replaced", "silent", "no_hello", "abuse"):
            assert found[f"connections_dropped_total[{reason}]"] == 1, reason
        assert found["connections_dropped_total[slow]"] == 0


@pytest.mark.parametrize(
    ("settings", "headers", "status"),
    [
        ({}, {}, 200),
        ({}, {"X-Forwarded-For": "203.0.113.9"}, 403),
        ({}, {"Origin": "https://example.org"}, 403),
        ({"exempt_addresses": ""}, {}, 200),
        ({"trusted_proxy": "127.0.0.1"}, {}, 403),
        ({"metrics": "all", "trusted_proxy": "127.0.0.1"}, {"X-Forwarded-For": "203.0.113.9"}, 200),
        ({"metrics": "off"}, {}, 404),
    ],
)
async def test_the_setting_says_who_may_read_the_metrics(
    tmp_path: Path, settings: Message, headers: dict[str, str], status: int
) -> None:
    async with serving(tmp_path, **settings) as server, Reader(server) as http:
        answer = await http.client.get("/metrics", headers=headers)
        assert answer.status_code == status
        assert status == 200 or answer.json()["error"].endswith(".")
        assert answer.headers.get("cache-control") == ("no-store" if status == 200 else None)
        assert (await http.client.get("/ready", headers=headers)).status_code == 200


async def test_two_servers_in_one_process_count_for_themselves(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    async with (
        serving(tmp_path) as one,
        serving(tmp_path / "other") as two,
        Reader(one) as first,
        Reader(two) as second,
    ):
        await WireClient.player(one, "Ann")
        assert (await scrape(first))["connections[person]"] == 1
        assert (await scrape(second))["connections[person]"] == 0


async def test_ready_says_why_the_server_takes_nobody(tmp_path: Path) -> None:
    async with serving(tmp_path, max_connections=1, max_rooms=1) as server, Reader(server) as http:
        assert await http.get("/ready") == {"ready": True, "reason": ""}
        ann = await WireClient.player(server, "Ann")
        full = await http.get("/ready", 503)
        assert (full["ready"], "connections" in full["reason"]) == (False, True)
        assert (await http.client.get("/health")).status_code == 200
        await ann.ask({"type": "create_room", "settings": SMALL, "key": "k"})
        await ann.close()
        async with asyncio.timeout(5):
            while "rooms" not in (reason := (await http.get("/ready", 503))["reason"]):
                assert "connections" in reason
        server.front.gate.is_closing = True
        assert "stopping" in (await http.get("/ready", 503))["reason"]
