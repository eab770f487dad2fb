"""Text for people: what does not print becomes a space, or an escape in logs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doublecross.protocol.text import escaped, one_line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("  two   words ", "two words"),
        ("a\nb\tc\r\nd", "a b c d"),
        ("red \x1b[31m", "red [31m"),
        ("c1 \x9b31m", "c1 31m"),
        ("evil\u202egnp.exe", "evil gnp.exe"),
        ("\u2066x\u2069", "x"),
        ("Zoë 太郎", "Zoë 太郎"),
    ],
)
def test_one_line_has_nothing_invisible(text: str, shown: str) -> None:
    assert one_line(text) == shown


@given(st.text())
def test_all_characters_of_safe_texts_print(text: str) -> None:
    assert one_line(text).isprintable()
    assert escaped(text).isprintable()
    assert all(c == "\n" or c.isprintable() for c in escaped(text, "\n"))


def test_escapes_show_what_was_sent() -> None:
    assert escaped("a\x9b\u202eb\n") == "a\\x9b\\u202eb\\n"
