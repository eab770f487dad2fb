"""Read the puzzles that come with the package."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from doublecross.analysis.puzzles.book import FILE, PuzzleBook, read_book


@cache
def puzzles() -> PuzzleBook:
    """Return all puzzles; the first call reads and checks them, which takes 0.1 s."""
    return read_book((files("doublecross.analysis.puzzles") / FILE).read_text("utf-8"))
