"""Check that the page's colours are those of the games."""

from __future__ import annotations

from doublecross.client.stylesheet import PATH, stylesheet


def test_the_file_is_up_to_date() -> None:
    command = "python -m doublecross.client.stylesheet"
    assert PATH.read_text(encoding="utf-8") == stylesheet(), f"Run {command}."
