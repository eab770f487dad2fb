"""Formats of records: round trips lose nothing, and a wrong record spoils no other."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given

from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from doublecross.games.record import Record, format_record, parse_records
from doublecross.games.record_formats import FORMATS, convert, guessed_format
from doublecross.games.registry import GAMES, make_game
from tests.cli.samples import GAME, LINE
from tests.games.test_record import SETTINGS, any_record

OURS = FORMATS["records"]
SMALL = parse_records(GAME)[0]


def converted(text: str, source: str, target: str, game: DotsAndBoxes | None = None) -> list[str]:
    form = FORMATS[target]
    lines = text.splitlines(keepends=True)
    results = [t or why for t, why in convert(lines, FORMATS[source], form, game)]
    return [form.head, *results]


@pytest.mark.parametrize("name", ["records", "csv", "jsonl"])
@given(record=any_record())
@SETTINGS
def test_a_round_trip_loses_nothing(name: str, record: Record) -> None:
    text = format_record(record)
    there = "".join(converted(text, "records", name))
    assert there.count("\n") == {"csv": 2, "jsonl": 1}.get(name, text.count("\n"))
    assert guessed_format(there) == name
    assert "".join(converted(there, name, "records")) == text


def test_open_spiel_reads_what_is_written_and_writes_what_is_read() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    rng, texts = Random(1), []
    for rows, cols in ((1, 1), (2, 3), (5, 5)):
        theirs = pyspiel.load_game(f"dots_and_boxes(num_rows={rows},num_cols={cols})")
        state = theirs.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            texts.append(pyspiel.serialize_game_and_state(theirs, state))
    text = "".join(texts)
    ours = converted(text, "openspiel", "records")
    record = parse_records(ours[-1])[0]
    assert (record.game.size, len(record.moves), record.termination) == ("5x5", 60, "completed")
    assert "".join(converted("".join(ours), "records", "openspiel")) == text
    (listed,) = converted(state.history_str(), "openspiel", "records", record.game)[1:]
    assert listed == ours[-1]


def test_games_and_openings_that_open_spiel_does_not_have_are_named() -> None:
    records = [replace(SMALL, moves=(), opening=(0,), result="*", termination="void")]
    records += [Record(make_game(key), ("A", "B"), ()) for key in GAMES]
    text = "\n".join(map(format_record, records))
    _, opening, dots, *others = converted(text, "records", "openspiel")
    assert opening == "Record 1, line 1: Games from an opening cannot be written for OpenSpiel."
    assert "num_rows=5" in dots
    assert all("cannot be written for OpenSpiel" in other for other in others)


@pytest.mark.parametrize(
    ("source", "wrong", "sentence"),
    [
        ("records", GAME.replace("c2", "b1"), "Record 2, line 19: At ply 2: Edge b1 is drawn"),
        ("jsonl", "[]\n", "Record 2, line 2: The line is not the JSON of a record."),
        (
            "jsonl",
            '{"game": "nim", "moves": []}\n',
            "line 2: The line is not the JSON of a record.",
        ),
        ("csv", "nim,1\n", "Record 2, line 3: The line is not the CSV (game,size"),
        ("openspiel", "0, 0\n", "Record 2, line 13: A list of actions alone does not say"),
        ("openspiel", "[Game]\nhex()\n[State]\n", "hex() is not dots_and_boxes"),
    ],
)
def test_a_wrong_record_is_named_and_the_others_go_on(
    source: str, wrong: str, sentence: str
) -> None:
    form = FORMATS[source]
    good = form.write(SMALL)
    text = form.head + form.between.join((good, wrong, good))
    _, first, second, third = converted(text, source, "records")
    assert sentence in second
    assert first == third
    assert first.startswith("[Game")


def test_the_first_line_tells_the_format() -> None:
    for name, form in FORMATS.items():
        assert guessed_format(form.head + form.write(SMALL)) == name
    assert guessed_format("0, 5, 16") == "openspiel"
    assert guessed_format("hello") is None
    assert guessed_format(LINE) == "records"
