"""Write a picture of a recorded game to a file; the ending of its name is the format."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

from doublecross.cli.shared.console import Problem, warn
from doublecross.cli.shared.files import check_file, write_bytes
from doublecross.processes.installation import how_to_add

if TYPE_CHECKING:
    from doublecross.games.colours import Theme
    from doublecross.games.record import Record


def write_picture(
    record: Record, file: Path, *, ply: int | None, width: int | None, dark: bool
) -> None:
    """Write the picture of a game after `ply` moves, None for all.

    Raises:
        Problem: the format or the width is not possible, or the file cannot be written.
    """
    from doublecross.server.pictures.layout import LEAST_WIDTH
    from doublecross.server.pictures.make import MEDIA, make_picture, most_width

    kind = next((kind for kind in MEDIA if kind == file.suffix[1:].lower()), None)
    if kind is None:
        endings = ", ".join(f".{each}" for each in MEDIA)
        raise Problem(f"{file} names no format of pictures; let it end with {endings}.")
    if kind != "svg" and importlib.util.find_spec("PIL") is None:
        raise Problem(
            f"A .{kind} needs a package that is not installed (pillow): {how_to_add('server')}"
        )
    most = most_width(kind)
    width = min(720, most) if width is None else width
    if not LEAST_WIDTH <= width <= most:
        raise Problem(f"--width must be from {LEAST_WIDTH} to {most} for a .{kind}.")
    check_file(file)
    theme: Theme = "dark" if dark else "light"
    write_bytes(file, make_picture(record, kind, ply=ply, width=width, theme=theme))
    warn(f"Wrote {file}.")
