"""Run a virtual X server for the tests and take pictures of it."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import struct
import subprocess
import tempfile
import zlib
from pathlib import Path
from typing import Final, Self

from Xlib import X
from Xlib.display import Display

WIDTH: Final = 1920
HEIGHT: Final = 1080
START_S: Final = 30.0


class VirtualDisplay:
    """An X server (Xvfb) on a free display number; `name` is the value for DISPLAY.

    Xvfb exits when its last client disconnects. `connection`, which sends events and takes
    pictures, is such a client, so the server never outlives this process.
    """

    def __init__(self) -> None:
        program = shutil.which("Xvfb")
        assert program is not None
        reading, writing = os.pipe()
        with tempfile.TemporaryFile() as log, os.fdopen(reading, "rb") as pipe:
            try:
                self._process = subprocess.Popen(
                    [
                        *(program, "-displayfd", str(writing), "-screen", "0"),
                        *(f"{WIDTH}x{HEIGHT}x24", "-dpi", "96", "-nolisten", "tcp", "-terminate"),
                    ],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=log,
                    pass_fds=(writing,),
                )
            finally:
                os.close(writing)
            ready, _, _ = select.select([pipe], [], [], START_S)
            number = pipe.readline().strip().decode() if ready else ""
            if not number:
                self._end()
                log.seek(0)
                raise AssertionError(f"Xvfb does not start: {log.read().decode(errors='replace')}")
        self.name = f":{number}"
        try:
            self.connection = Display(self.name)
        except BaseException:
            self._end()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def close(self) -> None:
        """Disconnect and stop the server, even if other clients are connected."""
        with contextlib.suppress(OSError):
            self.connection.close()
        self._end()

    def shoot(self, path: Path, area: tuple[int, int, int, int]) -> None:
        """Save `area` (left, top, width, height) of the display as a PNG file."""
        left, top = max(0, area[0]), max(0, area[1])
        width = min(WIDTH, area[0] + area[2]) - left
        height = min(HEIGHT, area[1] + area[3]) - top
        assert min(width, height) > 0, f"{area} is outside of the screen"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(png(width, height, self.pixels((left, top, width, height))))

    def pixels(self, area: tuple[int, int, int, int]) -> bytes:
        """Return `area` (left, top, width, height) of the display, with four bytes per pixel."""
        root = self.connection.screen().root
        data: bytes = root.get_image(*area, X.ZPixmap, 0xFFFFFFFF).data
        return data

    def pixel(self, x: int, y: int) -> tuple[int, int, int]:
        """Return the colour of a pixel of the display as red, green and blue from 0 to 255."""
        data = self.pixels((x, y, 1, 1))
        return data[2], data[1], data[0]

    def _end(self) -> None:
        if self._process.poll() is None:
            self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(10)


def png(width: int, height: int, data: bytes) -> bytes:
    """Return a PNG file of pixels from an X server.

    `data` has four bytes per pixel, row by row: blue, green, red and one that is ignored. Source:
    https://www.w3.org/TR/png-3/.
    """
    rgb = bytearray(3 * width * height)
    for channel in range(3):
        rgb[channel::3] = data[2 - channel :: 4]
    stride = 3 * width
    # Each row starts with its filter type; 0 means no filter.
    rows = b"".join(b"\0" + rgb[row * stride : (row + 1) * stride] for row in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", header),
            _chunk(b"IDAT", zlib.compress(rows, 6)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
