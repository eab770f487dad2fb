"""CSV files are data for spreadsheets, never formulas."""

from __future__ import annotations

import csv
import io

import pytest

from doublecross.protocol.spreadsheet import csv_text, number


def cells(*values: object) -> list[str]:
    return list(csv.reader(io.StringIO(csv_text(["x"] * len(values), [values]))))[1]


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "\tx", "\rx", "＝1", '=HYPERLINK("x")']
)
def test_a_text_that_begins_like_a_formula_gets_an_apostrophe(text: str) -> None:
    (cell,) = cells(text)
    assert cell.startswith("'")


def test_numbers_and_other_texts_stay_as_they_are() -> None:
    values = (-1, 2.5, number(-0.25, ".6f"), None, "a=b", "O'Neil", "3 5", "1-0")
    assert cells(*values) == ["-1", "2.5", "-0.250000", "", "a=b", "O'Neil", "3 5", "1-0"]


@pytest.mark.parametrize("bad", ["\u202e", "\x9b", "\x1b", "\n", "\x00"])
def test_nothing_that_does_not_print_is_written(bad: str) -> None:
    (cell,) = cells(f"a{bad}b")
    assert cell == "a\ufffdb"
