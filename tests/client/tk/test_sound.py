"""Check that sounds are short, use any available player, and never block the window."""

from __future__ import annotations

import array
import os
import stat
import threading
import time
import wave
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import get_args

import pytest

from doublecross.client.tk import sound
from doublecross.client.tk.sound import AT_ONCE, RATE, Sound, Tone, samples

TONES: tuple[Tone, ...] = get_args(Tone)

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="the players are shell scripts"),
    pytest.mark.processes,
]

Make = Callable[..., Sound]


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the only folder on PATH, apart from the system programs that scripts call."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder


@pytest.fixture
def make() -> Iterator[Make]:
    """Yield a function that makes `Sound`s with these players and stops them at the end."""
    with ExitStack() as stack:

        def make(*players: str, on: bool = True) -> Sound:
            made = Sound(on=on, players=[(name,) for name in players])
            stack.callback(made.close)
            return made

        yield make


def program(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def eventually(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def idle() -> bool:
    """Return whether no sound is being played."""
    return not any(thread.name in TONES for thread in threading.enumerate())


# -- the tones -----------------------------------------------------------------------------------


@pytest.mark.parametrize("tone", TONES)
def test_a_tone_is_short_soft_and_does_not_click(tone: sound.Tone) -> None:
    values = array.array("h", samples(tone))
    assert 0.05 < len(values) / RATE < 0.7
    peak = max(map(abs, values))
    assert 0.1 * 32_767 < peak < 0.5 * 32_767
    assert abs(values[0]) < 50
    assert abs(values[-1]) < 50
    # A click would be a large step between samples; a wave as soft as this has no large steps.
    assert max(abs(b - a) for a, b in pairwise(values)) < 4_000


def test_all_tones_differ() -> None:
    assert len({samples(tone) for tone in TONES}) == len(TONES) == 6


# -- playing -------------------------------------------------------------------------------------


def test_the_first_player_found_plays_a_whole_wave_file(programs: Path, make: Make) -> None:
    program(programs, "second", 'cp "$1" "$0.heard"')
    program(programs, "third", 'touch "$0.heard"')
    make("first", "second", "third").play("won")
    heard = programs / "second.heard"
    eventually(idle)
    with wave.open(str(heard)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE)
        assert file.readframes(file.getnframes()) == samples("won")
    assert not (programs / "third.heard").exists()


def test_nobody_waits_and_only_a_few_tones_are_played_at_once(programs: Path, make: Make) -> None:
    # Each player runs until the test ends it.
    os.mkfifo(programs / "go")
    program(programs, "player", 'echo x >> "$0.log"; read line < "${0%player}go"')
    playing = make("player")
    log = programs / "player.log"
    for _ in range(AT_ONCE + 5):
        playing.play("draw")
    eventually(lambda: log.exists() and log.read_text() == "x\n" * AT_ONCE)
    with (programs / "go").open("w") as go:
        go.write("\n" * AT_ONCE)
        go.flush()
        eventually(idle)
    playing.play("draw")
    eventually(lambda: log.read_text() == "x\n" * (AT_ONCE + 1))
    playing.close()
    assert idle()
    playing.play("draw")
    assert idle()


def test_off_is_silent(programs: Path, make: Make) -> None:
    program(programs, "player", 'touch "$0.heard"')
    playing = make("player", on=False)
    playing.play("draw")
    assert idle()
    playing.on = True
    playing.play("draw")
    eventually(lambda: (programs / "player.heard").exists())
    eventually(idle)


def test_without_any_player_it_is_silent(programs: Path, make: Make) -> None:
    playing = make("first", "second")
    playing.play("turn")
    eventually(idle)
    # After a failure the player is not tried again.
    program(programs, "first", 'touch "$0.heard"')
    playing.play("turn")
    assert idle()
    assert not (programs / "first.heard").exists()


def test_a_player_that_fails_makes_way_for_the_next(programs: Path, make: Make) -> None:
    program(programs, "broken", 'echo x >> "$0.log"; echo no sound server >&2; exit 1')
    (programs / "odd").write_text("this is no program")
    (programs / "odd").chmod(0o755)
    program(programs, "works", 'echo x >> "$0.log"')
    playing = make("broken", "odd", "works")
    for _ in range(2):
        playing.play("low")
        eventually(idle)
    assert (programs / "broken.log").read_text() == "x\n"
    assert (programs / "works.log").read_text() == "x\n" * 2


def test_a_player_that_hangs_is_stopped(
    programs: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sound, "_PATIENCE_S", 0.05)
    program(programs, "hangs", "exec sleep 60")
    playing = make("hangs")
    playing.play("lost")
    eventually(idle)
    playing.play("lost")
    assert idle()


def test_where_nothing_can_be_written_at_all_it_is_silent(
    programs: Path, make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(programs, "player", 'touch "$0.heard"')
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(sound.tempfile, "tempdir", str(tmp_path / "file"))
    make("player").play("capture")
    eventually(idle)
    assert not (programs / "player.heard").exists()
