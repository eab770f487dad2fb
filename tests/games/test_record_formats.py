"""Formats of records: round trips lose nothing, and a wrong record spoils no other."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given

from doublecross.games.api import Game
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from doublecross.games.record import Record, RecordedMove, format_record, parse_records
from doublecross.games.record_formats import FORMATS, convert, guessed_format
from doublecross.games.registry import GAMES, make_game
from tests.cli.samples import GAME, LINE
from tests.games.test_record import SETTINGS, any_record

OURS = FORMATS["records"]
SMALL = parse_records(GAME)[0]


def converted(text: str, source: str, target: str, game: Game | None = None) -> list[str]:
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


def test_lists_of_moves_of_little_golem_are_read_in_all_notations_and_written_in_one() -> None:
    # The games of the topics 12 and 25 in forum 110.
    proposed = "1. b5c5 2. c4c5 3. b4c4 4. b4b5, d3e3 5. f1f2\n"
    played = "1. e3-f3 2. e4-f4\n\n3. a4-b4 4. a3-b3 5. d3-d4 6. c3-c4\n7. d4-e4 8. b3-c3\n"
    played += "9. c4-d4 10. c3-d3, d2-d3\n11.E4-E5 12. c4-c5\n"
    _, first, second = converted(proposed + played, "littlegolem", "records", DotsAndBoxes())
    assert "1. d9 2. e8 3. d7 4. c8 h5 5. k2 *" in first
    assert "9. f7 10. f5 g4 11. i8 12. e8 *" in second
    back = converted(first + "\n" + second, "records", "littlegolem")
    assert back[1] == proposed
    named = "".join(f"{text.splitlines()[-1]}\n" for text in (first, second)).replace("*", "")
    assert converted(named, "littlegolem", "littlegolem", DotsAndBoxes()) == back


@pytest.mark.parametrize(
    ("name", "where"), [("openspiel", "OpenSpiel"), ("littlegolem", "littlegolem.net")]
)
def test_openings_become_moves_where_they_leave_the_game_the_same(name: str, where: str) -> None:
    boxed = Record(DotsAndBoxes(), ("A", "B"), (), (0, 30, 5, 31))
    fair = replace(boxed, opening=(0, 30), moves=(RecordedMove(2),))
    records = [replace(fair, opening=(0,)), boxed, fair]
    records += [Record(make_game(key), ("A", "B"), ()) for key in GAMES if key != DotsAndBoxes.key]
    text = "\n".join(map(format_record, records))
    _, *openings, same = converted(text, "records", name)[:4]
    why = f"The opening cannot be written for {where}: played as moves, it gives seat 1 the turn"
    assert [each.partition(": ")[2][: len(why)] for each in openings] == [why, why]
    assert openings[0].startswith("Record 1, line 1: ")
    assert same == FORMATS[name].write(
        replace(fair, opening=(), moves=tuple(map(RecordedMove, (0, 30, 2))))
    )
    others = converted(text, "records", name)[4:]
    assert all(f"cannot be written for {where}" in other for other in others)


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
        ("openspiel", "0, 0\n", "Record 2, line 13: A list of moves alone does not say"),
        ("littlegolem", "1. a1b1 3. a1a2\n", "Record 2, line 2: The number 3. is out of place."),
        ("openspiel", "[Game]\nhex()\n[State]\n", "hex() is not dots_and_boxes"),
    ],
)
def test_a_wrong_record_is_named_and_the_others_go_on(
    source: str, wrong: str, sentence: str
) -> None:
    form = FORMATS[source]
    good = form.write(SMALL)
    text = form.head + form.between.join((good, wrong, good))
    game = SMALL.game if source == "littlegolem" else None
    _, first, second, third = converted(text, source, "records", game)
    assert sentence in second
    assert first == third
    assert first.startswith("[Game")


def test_the_first_line_tells_the_format() -> None:
    for name, form in FORMATS.items():
        assert guessed_format(form.head + form.write(SMALL)) == name
    assert guessed_format("0, 5, 16") == "openspiel"
    assert guessed_format("hello") is None
    assert guessed_format(LINE) == "records"
