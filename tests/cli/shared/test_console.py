"""Tests for the live area of a terminal, and for messages printed meanwhile."""

from __future__ import annotations

import io
import sys

import pytest
from rich.console import Console, Group

from doublecross.cli.shared import console
from doublecross.cli.shared.console import open_standard_streams, say


class Screen:
    """A terminal of 40 columns and a few lines."""

    def __init__(self, lines: int) -> None:
        self.lines = lines
        self.file = io.StringIO()
        self.out, self.err = (
            Console(file=self.file, force_terminal=True, width=40, height=lines, color_system=None)
            for _ in range(2)
        )

    def shown(self) -> list[str]:
        """Return all lines that it shows, including those scrolled away."""
        rows, at = [""], 0
        text = self.file.getvalue().replace("\r\n", "\n")
        while text:
            for code, act in (
                ("\x1b[2K", "clear"),
                ("\x1b[1A", "up"),
                ("\r", ""),
                ("\x1b[?25", ""),
            ):
                if text.startswith(code):
                    text = text[len(code) + (1 if code.endswith("?25") else 0) :]
                    if act == "clear":
                        rows[at] = ""
                    elif act == "up":  # not beyond what is on the screen
                        at = max(at - 1, len(rows) - self.lines, 0)
                    break
            else:
                if text[0] == "\n":
                    at += 1
                    if at == len(rows):
                        rows.append("")
                else:
                    rows[at] += text[0]
                text = text[1:]
        return [row.rstrip() for row in rows if row.strip()]


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    screen = Screen(6)
    monkeypatch.setattr(console, "out", lambda: screen.out)
    monkeypatch.setattr(console, "err", lambda: screen.err)
    return screen


def test_messages_appear_above_the_live_area(screen: Screen) -> None:
    with console.live_area() as draw:
        draw(Group("1 of 9", "Ann 1"))
        console.warn("The process of Ann was killed. It is started again.")
        draw(Group("2 of 9", "Ann 2"))
        assert screen.shown() == [
            "The process of Ann was killed. It is started again.",
            "2 of 9",
            "Ann 2",
        ]
    assert screen.shown() == ["The process of Ann was killed. It is started again."]


def test_a_live_area_taller_than_the_terminal_leaves_nothing(screen: Screen) -> None:
    console.say("Before.")
    with console.live_area() as draw:
        for number in range(3):
            draw(Group(*(f"{number} line {line}" for line in range(20))))
        assert "2 line 0" in screen.shown()
    assert screen.shown() == ["Before."]


def test_a_console_without_a_character_shows_a_question_mark(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(shown, encoding="ascii"))
    open_standard_streams()
    say("won 1½ of 2")
    sys.stdout.flush()
    assert shown.getvalue() == b"won 1? of 2\n"
