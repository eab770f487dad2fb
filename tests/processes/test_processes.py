"""Child processes exchange messages, end in order, and never outlive their parent."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import psutil
import pytest
import uvloop

from doublecross.processes.child import Child, ChildEnded, is_paused
from doublecross.processes.command import ROOT, module_path
from doublecross.processes.forks import serving
from tests.processes.subject import MODULE

TITLE = "The subject"
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the kernel's part")


@pytest.fixture(autouse=True, scope="module", params=["fresh", pytest.param("forked", marks=LINUX)])
def forked(request: pytest.FixtureRequest) -> Iterator[bool]:
    """Start the children as fresh interpreters in one run, and as forks in the other."""
    if request.param == "fresh":
        yield False
        return
    with serving((), ()):
        yield True


async def start(behaviour: str, *arguments: str, **options: Any) -> Child:
    options.setdefault("on_error_line", lambda line: None)
    return await Child.start(TITLE, MODULE, behaviour, *arguments, **options)


def lives(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def ended(*pids: int) -> bool:
    """Return whether the processes end, without waitpid, which would take the status from
    asyncio.
    """
    give_up = time.monotonic() + 10
    while time.monotonic() < give_up:
        if not any(lives(pid) for pid in pids):
            return True
        time.sleep(0.01)
    return False


# -- talking -----------------------------------------------------------------------------------


async def test_a_child_receives_and_answers_in_order() -> None:
    child = await start("echo", "one", "two words")
    assert await child.expect() == {"pid": child.pid, "arguments": ["one", "two words"]}
    child.send({"n": 1}, {"n": 2})
    child.send({"text": "é\n"})
    got = [json.loads((await child.expect())["got"]) for _ in range(3)]
    assert got == [{"n": 1}, {"n": 2}, {"text": "é\n"}]
    assert child.is_running
    await child.stop()
    assert not child.is_running
    assert await child.how_it_ended() == "ended with exit code 0"
    child.send({"n": 3})  # A child that has ended does not receive the message.
    assert await child.receive() is None


def test_it_all_works_in_uvloop_as_in_a_server() -> None:
    uvloop.run(test_a_child_receives_and_answers_in_order())


async def test_a_child_that_prints_and_reads_does_not_break_in() -> None:
    lines: list[str] = []
    child = await start("prints", on_error_line=lines.append)
    assert await child.expect() == {"read": "", "pid": child.pid}
    await child.stop()
    assert lines == ["to be ignored", "and this", "and that"]


async def test_what_a_child_sends_waits_until_somebody_reads_it() -> None:
    child = await start("gibberish", '{"text": "' + "x" * 10_000 + '"}\n', "2000")
    for _ in range(2000):
        assert len((await child.expect())["text"]) == 10_000
    await child.stop()


@pytest.mark.parametrize(
    ("text", "times"),
    [("no JSON\n", 1), ("[1]\n", 1), ("[" * 100_000 + "\n", 1), ("x" * 1000, 10_000)],
    ids=["text", "list", "deep", "long"],
)
async def test_a_child_that_sends_no_message_is_stopped(text: str, times: int) -> None:
    child = await start("gibberish", text, str(times))
    with pytest.raises(ChildEnded, match=r"^The subject sent a line that is no message and was st"):
        await child.expect()
    await child.stop()


async def test_an_unfinished_line_of_a_killed_child_is_dropped() -> None:
    child = await start("gibberish", '{"half": ', "1")
    waiting = asyncio.ensure_future(child.receive())
    while not child._pipes.output._buffer:  # type: ignore[attr-defined]  # noqa: ASYNC110
        await asyncio.sleep(0)
    child.kill()
    assert await waiting is None
    assert await child.ending_sentence() == "The subject was killed by SIGKILL."
    await child.stop()


async def test_the_last_line_of_a_killed_child_does_not_explain_its_end() -> None:
    child = await start("prints")
    await child.expect()
    child.kill()
    assert await child.ending_sentence() == "The subject was killed by SIGKILL."
    assert child.last_error_line == "and that"
    await child.stop()


async def test_a_child_that_does_not_read_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("doublecross.processes.child.UNREAD_BYTES", 100_000)
    child = await start("echo")
    await child.expect()
    os.kill(child.pid, signal.SIGSTOP)
    child.send({"text": "x" * 500_000})
    assert await child.ending_sentence() == "The subject did not read its input and was stopped."
    await child.stop()


# -- ending ------------------------------------------------------------------------------------


async def test_an_exit_is_one_sentence_with_the_last_error_line() -> None:
    child = await start("leave", "3")
    with pytest.raises(ChildEnded) as error:
        await child.expect()
    assert str(error.value) == "The subject ended with exit code 3: The house is on fire."
    await child.stop()


@pytest.mark.parametrize("patience_s", [0.0, 60.0])
async def test_a_child_ends_with_what_it_started(patience_s: float) -> None:
    child = await start("spawn")
    pids = await child.expect()
    # With a grace period the child exits because its input closes; without one it is killed.
    await child.stop(patience_s)
    assert await asyncio.to_thread(ended, *pids.values())


async def test_a_child_has_its_grace_after_the_input_and_no_more() -> None:
    child = await start("ignores_end")
    await child.expect()
    await child.stop(60.0)


async def test_one_that_never_yields_is_killed() -> None:
    child = await start("spin")
    await child.expect()
    await child.stop(0.05)
    assert await child.how_it_ended() == "was killed by SIGKILL"


async def test_a_cancelled_stop_kills_at_once_and_stays_cancelled() -> None:
    child = await start("spin")
    await child.expect()
    stopping = asyncio.ensure_future(child.stop(600.0))
    await asyncio.sleep(0)
    stopping.cancel()
    with pytest.raises(asyncio.CancelledError):
        await stopping
    assert not child.is_running


async def test_an_exit_is_seen_although_another_process_keeps_the_output_open() -> None:
    child = await start("fork")
    pids = await child.expect()
    assert await child.receive() is None
    assert await child.how_it_ended() == "ended with exit code 3"
    assert lives(pids["spawned"])
    os.kill(pids["spawned"], signal.SIGKILL)
    await child.stop()


@pytest.mark.parametrize("paused", [True, False])
def test_pipes_of_an_older_python_say_whether_they_are_read(paused: bool) -> None:
    class Older(asyncio.ReadTransport):
        """What Python 3.11.2 has for a pipe: no `is_reading`."""

        _paused = paused

    assert is_paused(Older()) is paused


async def test_signals_to_the_terminal_do_not_reach_a_child() -> None:
    child = await start("echo", expendable=True)
    await child.expect()
    assert os.getpgid(child.pid) == child.pid != os.getpgid(0)
    for number in (signal.SIGINT, signal.SIGTERM):
        os.kill(child.pid, number)
    child.send({})
    assert await child.expect() == {"got": "{}"}
    await child.stop()


async def test_a_child_that_has_something_to_save_can_be_terminated() -> None:
    child = await start("echo")
    await child.expect()
    os.kill(child.pid, signal.SIGTERM)
    assert await child.ending_sentence() == "The subject was killed by SIGTERM."
    await child.stop()


@LINUX
async def test_memory_is_limited() -> None:
    child = await start("eat", memory_mb=512)
    assert await child.expect() == {"bytes": None}
    await child.stop()


# -- with the parent ---------------------------------------------------------------------------


_PARENT = """\
import asyncio, contextlib, sys
sys.path.insert(0, {root!r})
from doublecross.processes.child import Child
from doublecross.processes.forks import serving

async def main():
    child = await Child.start({title!r}, {module!r}, {behaviour!r}, expendable={expendable!r})
    print(await child.expect(), flush=True)
    if {waits!r}:
        await asyncio.Event().wait()
    await child.stop()

with serving((), ()) if {forked!r} else contextlib.nullcontext():
    asyncio.run(main())
"""


def parent_of(
    behaviour: str,
    forked: bool,
    *,
    flag: str = "-P",
    expendable: bool = False,
    waits: bool = True,
) -> list[str]:
    script = _PARENT.format(
        root=str(ROOT),
        title=TITLE,
        module=MODULE,
        behaviour=behaviour,
        expendable=expendable,
        waits=waits,
        forked=forked,
    )
    return [sys.executable, flag, "-c", script]


@pytest.mark.parametrize(
    ("behaviour", "expendable"),
    [
        ("echo", False),
        ("ignores_end", False),
        ("spawn", False),
        pytest.param("spin", True, marks=LINUX),
    ],
)
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_child_does_not_outlive_its_parent(
    behaviour: str, expendable: bool, number: signal.Signals, forked: bool
) -> None:
    with subprocess.Popen(
        parent_of(behaviour, forked, expendable=expendable), stdout=subprocess.PIPE, text=True
    ) as parent:
        pids = _pids(parent.stdout)
        assert all(lives(pid) for pid in pids)
        parent.send_signal(number)
        parent.wait(20)
        assert ended(*pids)


def _pids(stream: IO[str] | None) -> list[int]:
    assert stream is not None
    said: dict[str, Any] = eval(stream.readline())
    return [said[name] for name in ("pid", "spawned") if name in said]


@pytest.mark.parametrize("flag", ["-P", "-I"])
def test_decoys_in_the_current_directory_are_not_imported(
    tmp_path: Path, flag: str, forked: bool
) -> None:
    (tmp_path / "doublecross").mkdir()
    (tmp_path / "doublecross" / "__init__.py").write_text("raise SystemExit('decoy')")
    for module in ("random", "json", "asyncio", "queue", "sitecustomize"):
        (tmp_path / f"{module}.py").write_text("raise SystemExit('decoy')")
    done = subprocess.run(
        parent_of("where", forked, flag=flag, waits=False),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said = eval(done.stdout)
    assert said["bots"] == str(ROOT)
    assert said["isolated"] == int(flag == "-I")
    assert str(tmp_path) not in said["path"]


async def test_our_package_wins_against_the_path_of_the_parent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "doublecross").mkdir()
    (tmp_path / "doublecross" / "__init__.py").write_text("raise SystemExit('decoy')")
    monkeypatch.syspath_prepend(str(tmp_path))
    child = await start("where")
    said = await child.expect()
    assert said["bots"] == str(ROOT)
    assert said["path"][0] == str(tmp_path)
    await child.stop()


def path_of(*entries: str) -> Callable[[pytest.MonkeyPatch], list[str]]:
    def found(monkeypatch: pytest.MonkeyPatch) -> list[str]:
        monkeypatch.setattr(sys, "path", [*entries])
        return module_path()

    return found


def test_the_current_directory_comes_last_where_it_is_only_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert path_of("", "/one", "two", "/one")(monkeypatch) == [
        "/one",
        str(tmp_path / "two"),
        str(tmp_path),
    ]
    assert path_of("/one")(monkeypatch) == ["/one"]
