"""`doublecross admin top`: rates, changes, and a picture that fits the terminal."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

from doublecross.cli.admin.reach import Reach
from doublecross.cli.admin.top import Watcher
from doublecross.cli.admin.top_readings import Counted, Reading, change, rate, refusing
from doublecross.cli.admin.top_view import view
from doublecross.cli.shared.console import Problem
from doublecross.cli.shared.remote.http import RefusedError, UnreachableError

OVERVIEW: dict[str, Any] = {
    "version": "1.2",
    "epoch": "a",
    "uptime_s": 100.0,
    "draining": False,
    "connections": 12_345,
    "players": 12_000,
    "rooms": 1000,
    "games_in_play": 990,
    "tournaments_running": 2,
    "moves": 500,
    "commits": 200,
    "bans": 1,
    "commit_p50_ms": 3.1,
    "commit_p99_ms": 12.04,
    "loop_lag_ms": 1.2,
    "queues": {"commits": 7, "reviews": 0},
    "limit_hits": {"page": 5, "password": 0},
    "refusals": {"stale_ply": 3},
    "dropped": {},
}
ROOM = {
    "room": "4fj2k",
    "game": "dots-and-boxes",
    "size": "5x5",
    "players": ["Ann" * 10, None],
    "status": "playing",
    "ply": 12,
    "private": True,
    "tournament": None,
    "spectators": 3,
}
PLAYER = {
    "name": "N" * 32,
    "account_id": "x",
    "kind": "bot",
    "engine": "rules 1.0.0-long",
    "rooms": [],
    "client": "c",
    "address": "2001:db8:aaaa:bbbb:cccc:dddd:eeee:ffff",
    "claimed": True,
    "admin": True,
    "scopes": [],
    "connected_s": 90_000.0,
}
FIRST = Reading(10.0, OVERVIEW, [ROOM] * 100, [PLAYER] * 100)


def later(**changes: Any) -> Reading:
    return replace(FIRST, at_s=14.0, overview={**OVERVIEW, **changes})


def test_rates_and_changes_compare_readings_of_the_same_run() -> None:
    now = later(moves=540, rooms=990, limit_hits={"page": 6, "frames": 9}, dropped={"slow": 1})
    assert (rate("moves", FIRST, None), rate("moves", now, FIRST)) == (5.0, 10.0)
    assert (change("rooms", FIRST, None), change("rooms", now, FIRST)) == (0, -10)
    assert refusing(now, FIRST) == [
        Counted("limit", "frames", 9, 9),
        Counted("limit", "page", 6, 1),
        Counted("dropped", "slow", 1, 1),
        Counted("refused", "stale_ply", 3, 0),
    ]
    restarted = later(epoch="b", moves=2, uptime_s=4.0)
    assert rate("moves", restarted, FIRST) == 0.5
    assert change("rooms", restarted, FIRST) == 0
    assert all(each.change == 0 for each in refusing(restarted, FIRST))


@pytest.mark.parametrize("height", [24, 60])
@pytest.mark.parametrize("lines", [0, 2, 100])
def test_the_picture_fits_the_terminal(height: int, lines: int) -> None:
    now = replace(
        later(moves=540, draining=True, limit_hits={f"limit {n}": n for n in range(1, 20)}),
        rooms=[ROOM] * lines,
        players=[PLAYER] * lines,
    )
    written = StringIO()
    console = Console(file=written, width=80, height=height, markup=False)
    console.print(view(now, FIRST, "http://127.0.0.1:8765", height, "Waiting " * 20))
    shown = written.getvalue().splitlines()
    assert len(shown) <= height
    assert max(map(len, shown)) <= 80
    text = "\n".join(shown)
    for part in ("Moves/s 10.0", "Loop lag 1.2 ms", "99% 12.0 ms", "commits 7", "draining"):
        assert part in text
    for part in ("4fj2k", "rules 1.0"):
        assert (text.count(part) == lines) if lines < 3 else (3 <= text.count(part) <= height)


def test_the_title_names_the_versions_of_nodes_that_differ() -> None:
    for versions, told in (
        ([], "up 1 min 40 s, http"),
        (["1.2", "1.2"], "2 nodes, http"),
        (["1.3", "1.2", "1.2"], "3 nodes with versions 1.2 and 1.3, http"),
    ):
        written = StringIO()
        now = later(nodes=[{"name": "a", "version": version} for version in versions])
        Console(file=written, width=80, markup=False).print(view(now, FIRST, "http://h", 24))
        assert told in written.getvalue().splitlines()[0]


def test_a_server_that_stops_is_waited_for_but_a_right_that_ends_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers: dict[str, Any] = {
        "overview": OVERVIEW,
        "rooms": {"rooms": []},
        "players": {"players": []},
    }
    trouble: list[Problem] = [UnreachableError("Nothing listens there.")]

    def get(_: Reach, path: str, **__: object) -> Any:
        if trouble:
            raise trouble[0]
        return answers[path]

    monkeypatch.setattr(Reach, "get", get)
    monkeypatch.setattr(Reach, "connect", lambda _: SimpleNamespace(address="http://here"))
    now_s = [5.0]
    watcher = Watcher(Reach(None, None, "games.db"), lambda: now_s[0])
    with pytest.raises(UnreachableError):
        watcher.take_reading()
    trouble.clear()
    watcher.take_reading()
    trouble.append(UnreachableError("Nothing listens there."))
    watcher.take_reading()
    now_s[0] = 17.0
    watcher.take_reading()
    assert "Waiting for the server since 12 s" in _text(watcher)
    trouble.clear()
    watcher.take_reading()
    assert "Waiting for the server" not in _text(watcher)
    trouble.append(RefusedError("The token has ended.", 401, "token_expired"))
    with pytest.raises(RefusedError):
        watcher.take_reading()


def _text(watcher: Watcher) -> str:
    written = StringIO()
    Console(file=written, width=80).print(watcher.picture(24))
    return written.getvalue()
