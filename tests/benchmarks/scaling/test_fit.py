"""The comparison of the model with three real nodes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks.scaling import __main__ as program
from benchmarks.scaling import fit
from benchmarks.scaling.costs import read, values
from benchmarks.scaling.traffic import traffic
from tests.services.binaries import need

FOUND = fit.Fit(
    rooms=50,
    followers=20,
    moves=600.0,
    logins=8.0,
    opened=4.0,
    commit_ms=3.0,
    used=dict.fromkeys(fit.NAMES, 300.0),
)


def test_the_model_gets_exactly_the_load_that_was_measured() -> None:
    found = traffic(FOUND.load)
    assert (found.rooms, found.players) == (50, 100)
    assert found.followers == pytest.approx(20)
    assert found.moves == pytest.approx(600)
    # Ten matches of 60 moves, and those that visitors resign.
    assert found.matches == pytest.approx(10 + 4)
    assert (found.opened, found.logins) == (pytest.approx(4), pytest.approx(8))
    assert (found.watchers, found.elsewhere) == (0, 0.5)
    assert (FOUND.load.commit_ms, FOUND.load.turns_per_s) == (3, 100)


def test_what_an_idle_cluster_uses_is_taken_off() -> None:
    plain = values(read())
    expected = fit.expected(FOUND, plain)
    assert expected.keys() == FOUND.used.keys() == fit.NAMES.keys()
    busy = fit.computed(FOUND.load, plain)
    assert all(0 < expected[name] <= busy[name] for name in expected)
    # Each node renews its lease when it is idle, too.
    assert expected["postgresql"] < busy["postgresql"]


def test_a_measurement_is_kept_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "fit.toml"
    file.write_text(fit.text(FOUND))
    assert fit.read(file) == FOUND


@pytest.mark.skipif(sys.platform != "linux", reason="it reads the CPU clocks of processes")
@pytest.mark.timeout(120)  # PostgreSQL, NATS and three nodes have to start.
def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    need("postgres")
    need("nats-server")
    small = fit.Plan(seconds=1.0, warm_s=0.2, rate=60, pairs=4, rooms=6, followers=3, people=12)
    monkeypatch.setattr(fit, "Plan", lambda: small)
    monkeypatch.setattr(fit, "FILE", tmp_path / "fit.toml")
    assert program.main(["fit", "--keep"]) == 0
    assert f"| {fit.NAMES['leader']} |" in capsys.readouterr().out
    found = fit.read(tmp_path / "fit.toml")
    assert found.moves > 10
    assert found.logins == pytest.approx(2 * found.opened, rel=1e-3)
    assert found.used["messages"] > 10
    assert found.commit_ms > 0
