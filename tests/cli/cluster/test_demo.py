"""The demo of a cluster: a node is lost, its games go on, and nothing is left in the end."""

from __future__ import annotations

import contextlib
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from doublecross.cli.cluster import programs
from doublecross.cli.cluster.proxy import write_settings
from doublecross.cli.cluster.screen import ClusterStatus, NodeStatus, drawn
from doublecross.cli.main import main
from doublecross.cli.shared.console import BAD_INPUT, out
from doublecross.processes import network
from tests.cli.commands import ROOT, Command, environment, running
from tests.services.binaries import need, need_hosts


def test_missing_programs_are_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(programs, "find", lambda program: None)
    assert main(["cluster", "demo"]) == BAD_INPUT
    assert " ".join(capsys.readouterr().err.split()) == (
        "Error: Not installed: initdb, postgres, nats-server. On Debian and Ubuntu install them"
        " with: apt install postgresql nats-server"
    )
    monkeypatch.setattr(programs, "find", lambda program: "nats" not in program or None)
    assert main(["cluster", "demo"]) == BAD_INPUT
    assert capsys.readouterr().err.endswith("apt install nats-server\n")
    monkeypatch.setattr(programs.sys, "platform", "win32")
    assert main(["cluster", "demo"]) == BAD_INPUT
    assert "needs Linux or macOS" in capsys.readouterr().err


def test_the_table_fits_80_columns(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        NodeStatus(
            "a", "1234567", "http://127.0.0.1:65535", 1_000, 2_000, 1_234.5, has_leader=True
        ),
        NodeStatus("b", "killed", "http://127.0.0.1:65534", 0, 0, 0.0, has_leader=False),
    ]
    status = ClusterStatus(rows, moving=12, running=1_012, ended=100_000, moves=9_999_999)
    with out().capture() as shown:
        out().print(drawn(status), width=80)
    lines = [line.rstrip() for line in shown.get().splitlines()]
    assert lines[2].split() == [
        "a",
        "1234567",
        rows[0].address,
        "1,000",
        "2,000",
        "1,234.5",
        "leader",
    ]
    assert lines[3].split()[1] == "killed"
    assert "12 of them moving to another node. Moves acknowledged: 9,999,999." in " ".join(lines)
    assert max(map(len, lines)) <= 80


def test_hosts_need_root(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(network.os, "geteuid", lambda: 1000)
    assert main(["cluster", "demo", "--hosts"]) == BAD_INPUT
    assert capsys.readouterr().err == "Error: Hosts of their own need Linux and root.\n"


def test_the_proxy_is_that_of_the_docs(tmp_path: Path) -> None:
    known = (ROOT / "deploy/cluster/haproxy.cfg").read_text().splitlines()
    words = write_settings(tmp_path, network.HERE, {"a": "10.0.0.11:8765"})
    lines = Path(words[-1]).read_text().splitlines()
    assert "    server games-1 10.0.0.11:8765 tcp-ut 3s" in known
    assert [line for line in lines if line not in known] == [
        "    maxconn 2000",
        "    bind 127.0.0.1:80",
        "    default-server check inter 1s fall 2 rise 2",
        "    server a 10.0.0.11:8765 tcp-ut 3s",
    ]


@contextlib.contextmanager
def demo(tmp_path: Path, *options: str) -> Iterator[Command]:
    """Run a demo; check at the end that it has lost nothing and leaves nothing."""
    # PostgreSQL's account must be able to enter it, so it is not below the folder of the test.
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o711)
        options += ("--games", "3", "--seconds", "1", "--size", "3x3")
        env = environment(TMPDIR=folder)
        with running("cluster", "demo", *options, cwd=tmp_path, env=env, forks=True) as found:
            yield found
            found.until("Everything ends now.")
            assert found.wait() == 0, (found.seen, found.errors)
        assert list(Path(folder).iterdir()) == []
    text = "\n".join(found.seen)
    lost = re.search(r"0 of (\d+) acknowledged moves are lost, and none was played twice", text)
    assert lost is not None, text
    assert int(lost[1]) >= 4 * 24, text
    assert re.search(r"kill -9 \d+ ends node [abc], the leader", text)
    assert re.search(r"moved: \d to [abc]|It ran no game", text)
    assert re.search(r"Node [abc] has started again", text)


def why_no_hosts() -> str:
    """Return why hosts of their own cannot be made here."""
    try:
        need("haproxy")
        need_hosts().close()
    except pytest.skip.Exception as skipped:
        return str(skipped)
    return ""


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_demos_lose_nodes_and_no_move(tmp_path: Path) -> None:
    """Both wait most of the time, so they play at once."""
    need("initdb", "postgres", "nats-server")
    why_not = why_no_hosts()
    with contextlib.ExitStack() as stack:
        stack.enter_context(demo(tmp_path))
        if not why_not:
            on_hosts = stack.enter_context(demo(tmp_path, "--hosts", "--nodes", "2"))
    if why_not:
        pytest.skip(why_not)
    text = "\n".join(on_hosts.seen)
    cut = re.search(r"Node ([ab]), the leader, is cut off", text)
    assert cut is not None
    after = text[cut.end() :]
    assert f"Node {'ab'.replace(cut[1], '')} is the leader now." in after
    assert f"Node {cut[1]} can be reached again." in after
