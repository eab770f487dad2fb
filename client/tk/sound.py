"""Play short generated sounds with a sound program of this machine, if there is one."""

from __future__ import annotations

import array
import contextlib
import logging
import math
import shutil
import subprocess
import sys
import tempfile
import threading
import wave
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

log = logging.getLogger(__name__)

Tone = Literal["draw", "capture", "turn", "won", "lost", "low"]

AT_ONCE: Final = 3
"""The most tones that are played at the same time; further ones are dropped."""
PLAYERS: Final = (("paplay",), ("pw-play",), ("aplay", "-q"), ("afplay",))
"""Programs that play a sound file given as an argument, in order of preference."""
RATE: Final = 22_050
"""Samples a second."""

_SCORES: Final[dict[Tone, tuple[tuple[float, float, float, float], ...]]] = {
    "draw": ((0.0, 0.07, 587.33, 0.22),),
    "capture": ((0.0, 0.10, 659.26, 0.22), (0.06, 0.14, 880.0, 0.22)),
    "turn": ((0.0, 0.20, 783.99, 0.20),),
    "won": ((0.0, 0.2, 523.25, 0.2), (0.11, 0.2, 659.26, 0.2), (0.22, 0.35, 783.99, 0.22)),
    "lost": ((0.0, 0.2, 392.0, 0.2), (0.13, 0.2, 329.63, 0.2), (0.26, 0.35, 261.63, 0.22)),
    "low": ((0.0, 0.08, 987.77, 0.18), (0.13, 0.08, 987.77, 0.18)),
}
"""The notes of each tone: start and length in seconds, pitch in hertz, loudness from 0 to 1."""
_ATTACK_S: Final = 0.005
"""How long a note takes to reach its loudness, in seconds."""
_PATIENCE_S: Final = 5.0
"""How long a sound program may run for one tone before it is killed, in seconds."""


class Sound:
    """Plays tones while `on`.

    `players` are the sound programs to try in turn. A program that fails is not tried again.
    """

    def __init__(self, *, on: bool, players: Sequence[Sequence[str]] = PLAYERS) -> None:
        self.on = on
        self._players = list(players)
        self._folder: Path | None = None
        self._writing = threading.Lock()
        # Guards `_players` and all fields below. Each tone has a thread of its own, which starts
        # a program and waits for it, so that Tk's thread never waits.
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._threads: set[threading.Thread] = set()
        self._closed = False

    def play(self, tone: Tone) -> None:
        """Start playing `tone` and return at once."""
        if not self.on:
            return
        with self._lock:
            if (
                self._closed
                or len(self._threads) >= AT_ONCE
                or not (self._players or sys.platform == "win32")
            ):
                return
            thread = threading.Thread(target=self._play, args=(tone,), name=tone, daemon=True)
            self._threads.add(thread)
        thread.start()

    def close(self) -> None:
        """Stop all sounds; play no further ones."""
        self.on = False
        with self._lock:
            self._closed = True
            threads = list(self._threads)
            for process in self._running:
                process.terminate()
        for thread in threads:
            thread.join(1.0)

    def _play(self, tone: Tone) -> None:
        try:
            file = self._file(tone)
            if sys.platform == "win32":
                _play_on_windows(file)
            else:
                self._try_players(file)
        except OSError as error:
            log.info("Sounds cannot be played: %s", error)
            with self._lock:
                self._players.clear()
        finally:
            with self._lock:
                self._threads.discard(threading.current_thread())

    def _try_players(self, file: Path) -> None:
        """Play `file` with the first program that succeeds."""
        while True:
            with self._lock:
                if self._closed or not self._players:
                    return
                player = self._players[0]
            program = shutil.which(player[0])
            if program is not None and self._run([program, *player[1:], str(file)]):
                return
            with self._lock:
                # Another thread may have removed the same program meanwhile.
                if self._players and self._players[0] is player:
                    del self._players[0]

    def _run(self, command: Sequence[str]) -> bool:
        """Run a sound program; return whether it succeeded."""
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except OSError:
            return False
        with self._lock:
            self._running.add(process)
            if self._closed:  # `close` ran before this process was in the set
                process.terminate()
        try:
            return process.wait(_PATIENCE_S) == 0
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return False
        finally:
            with self._lock:
                self._running.discard(process)

    def _file(self, tone: Tone) -> Path:
        """Return the sound file of a tone, which is written first if needed.

        Raises:
            OSError: the file cannot be written.
        """
        with self._writing:
            if self._folder is None:
                self._folder = Path(tempfile.mkdtemp(prefix="doublecross-"))
                weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
            path = self._folder / f"{tone}.wav"
            if not path.exists():
                with wave.open(str(path), "wb") as out:
                    out.setnchannels(1)
                    out.setsampwidth(2)
                    out.setframerate(RATE)
                    out.writeframes(samples(tone))
            return path


def samples(tone: Tone) -> bytes:
    """Return `tone` as signed 16-bit little-endian samples, `RATE` a second."""
    score = _SCORES[tone]
    wanted = round(max(start + length for start, length, _, _ in score) * RATE)
    mixed = [0.0] * (wanted + 1)
    for start, length, pitch, loud in score:
        first, count = round(start * RATE), round(length * RATE)
        for number in range(count + 1):
            at = number / RATE
            # A note that starts or ends abruptly would click.
            envelope = min(1.0, at / _ATTACK_S) * (1 - number / count) ** 2
            turn = 2 * math.pi * pitch * at
            shape = math.sin(turn) + 0.25 * math.sin(2 * turn)
            if first + number < len(mixed):
                mixed[first + number] += loud * envelope * shape
    values = array.array("h", (round(32_767 * max(-1.0, min(1.0, value))) for value in mixed))
    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()


def _play_on_windows(file: Path) -> None:
    if sys.platform == "win32":
        import winsound

        # SND_NODEFAULT: play nothing on failure, rather than the system's default sound.
        with contextlib.suppress(RuntimeError):
            winsound.PlaySound(str(file), winsound.SND_FILENAME | winsound.SND_NODEFAULT)
