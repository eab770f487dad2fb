"""Where connections come from, how often they may, and how many may be open."""

from __future__ import annotations

import socket

import pytest

from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused
from doublecross.server.shell.addresses import admission
from doublecross.server.shell.addresses.admission import (
    Action,
    AddressLimits,
    Admission,
    Rate,
)
from doublecross.server.shell.addresses.sources import EXEMPT, UNKNOWN, Sources, networks

SOURCES = Sources(networks("127.0.0.1, 10.0.0.0/8"), networks("127.0.0.0/8,::1"))


@pytest.mark.parametrize(
    ("host", "forwarded", "source"),
    [
        ("192.0.2.7", [], "192.0.2.7"),
        ("::ffff:192.0.2.7", [], "192.0.2.7"),
        ("2001:db8:1:2:3::4", [], "2001:db8:1:2::/64"),
        ("fe80::1%eth0", [], "fe80::/64"),
        ("127.0.0.1", [], EXEMPT),
        ("::1", [], EXEMPT),
        ("", [], UNKNOWN),
        # A header of somebody who is no trusted proxy counts for nothing.
        ("192.0.2.7", ["198.51.100.1"], "192.0.2.7"),
        ("192.0.2.7", ["127.0.0.1"], "192.0.2.7"),
        # Of a chain the last address that is no trusted proxy counts; the client made up the rest.
        ("127.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ("127.0.0.1", ["1.2.3.4, 198.51.100.1, 10.1.1.1"], "198.51.100.1"),
        ("127.0.0.1", ["1.2.3.4", "198.51.100.1"], "198.51.100.1"),
        ("127.0.0.1", ["127.0.0.2"], "127.0.0.2"),
        ("127.0.0.1", ["[2001:db8::1]:4711"], "2001:db8::/64"),
        ("127.0.0.1", ["198.51.100.1:4711"], "198.51.100.1"),
        ("127.0.0.1", ["unknown"], "127.0.0.1"),
        ("10.1.1.1", [], "10.1.1.1"),
    ],
)
def test_the_source_of_a_connection(host: str, forwarded: list[str], source: str) -> None:
    assert SOURCES.of(host, forwarded) == source


def test_a_bad_network_is_refused_with_a_sentence() -> None:
    with pytest.raises(ValueError, match=r"'10\.0\.0' is no address"):
        networks("::1, 10.0.0")


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def limited(most: int = 3, period_s: float = 30.0) -> tuple[Admission, Clock]:
    clock = Clock()
    rates = dict.fromkeys(Action, Rate(most, period_s))
    return Admission(AddressLimits(rates=rates), clock), clock


def test_tokens_are_for_each_source_and_action_and_come_back_evenly() -> None:
    limits, clock = limited()
    assert [limits.wait_s("a", Action.NAME) for _ in range(5)] == [0, 0, 0, 10, 10]
    assert limits.wait_s("a", Action.ROOM) == 0
    assert limits.wait_s("b", Action.NAME) == 0
    clock.now += 4
    assert limits.wait_s("a", Action.NAME) == 6
    with pytest.raises(Refused, match="try again in 6 s") as refused:
        limits.check("a", Action.NAME)
    assert refused.value.code is ErrorCode.RATE_LIMITED
    clock.now += 6
    assert [limits.wait_s("a", Action.NAME) for _ in range(2)] == [0, 10]
    clock.now += 10_000
    assert [limits.wait_s("a", Action.NAME) for _ in range(4)] == [0, 0, 0, 10]


def test_buckets_are_bounded_and_the_oldest_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "MOST_BUCKETS", 100)
    limits, _ = limited(1)
    for n in range(1000):
        limits.wait_s(str(n), Action.PAGE)
    assert limits.wait_s("999", Action.PAGE)
    assert not limits.wait_s("0", Action.PAGE)
    assert len(limits._full_at) == 100


def test_exhausted_files_are_logged_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, lines = Clock(), []
    monkeypatch.setattr(
        admission, "_log", type("Log", (), {"error": lambda self, *a, **k: lines.append(k)})()
    )
    with socket.socket() as sock:
        enough = admission.FileGuard(sock.fileno() + admission.SPARE + 1, clock)
        assert enough.admits(sock)
        guard = admission.FileGuard(sock.fileno() + admission.SPARE, clock)
        assert not any(guard.admits(sock) for _ in range(10))
        clock.now += admission.LOG_EVERY_S
        assert not guard.admits(sock)
    assert [line["refused"] for line in lines] == [1, 10]


def test_the_limit_on_open_files_is_the_hard_one() -> None:
    import resource

    admission.raise_file_limit()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert soft == hard
