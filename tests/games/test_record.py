"""Records: reading and writing lose nothing, and every fault has a message with its line."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doublecross.games import record as records
from doublecross.games.api import BadRecord, Game, GameError
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from doublecross.games.record import Record, RecordedMove, format_record, parse_record
from doublecross.games.tic_tac_toe.rules import TicTacToe
from tests.contract.test_games_contract import ALL, random_opening
from tests.games.plain_record import plain_text

SETTINGS = settings(max_examples=60, derandomize=True, database=None)
NASTY = st.text(alphabet='"\\[]{}\n\r\t\0 uU0a\u2028\u202e\ud800\U0001f600é', max_size=12)
NAMES = NASTY | st.text(max_size=20)
TAG_NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,9}", fullmatch=True).filter(
    lambda name: name not in records._HEADERS
)


@st.composite
def any_record(draw: st.DrawFn) -> Record:
    game = draw(st.sampled_from([p.values[0] for p in ALL]))
    rng = Random(draw(st.integers(0, 2**32)))
    opening = random_opening(game, rng) if draw(st.booleans()) else ()
    state = game.initial_state(opening)
    stop = draw(st.integers(0, game.num_actions))
    while not state.is_terminal() and state.ply < stop:
        state.apply(rng.choice(state.legal_actions()))
    clocks = (None, 0, 1, 999, 1000, 59_250, records.MAX_CLOCK_MS)
    moves = tuple(RecordedMove(action, rng.choice(clocks)) for action in state.history())
    endings = ["", "resigned", "timeout", "disconnect", "illegal", "crash", "aborted", "void"]
    termination, result = (
        draw(st.sampled_from(endings) | NAMES),
        draw(st.sampled_from(records.RESULTS)),
    )
    if state.is_terminal() and draw(st.booleans()):
        termination = "completed"
    if termination == "completed":
        result = {1: "1-0", -1: "0-1", 0: "1/2-1/2"}[state.returns()[0]]
    return Record(
        game,
        (draw(NAMES), draw(NAMES)),
        moves,
        opening,
        draw(st.sampled_from(["", "2024-05-01", "2024-05-01T12:00:00Z"])),
        draw(st.sampled_from(["", "60+1", "unlimited"]) | NAMES),
        result,
        termination,
        tuple(draw(st.lists(st.tuples(TAG_NAMES, NAMES), max_size=4))),
    )


def finished(names: str = "c2 a2 b3 b1 d3 d1 e2 d5 e4 c4 b5 a4", **changes: object) -> Record:
    game = DotsAndBoxes({"rows": 2, "cols": 2})
    actions = tuple(RecordedMove(game.parse_action(name)) for name in names.split())
    return replace(Record(game, ("Ann", "Bob"), actions), **changes)


@SETTINGS
@given(any_record())
def test_a_written_record_reads_back_equal(record: Record) -> None:
    text = format_record(record)
    assert text == plain_text(record)
    assert parse_record(text) == record
    assert parse_record(text.replace("\n", "\r\n")) == record
    assert parse_record("\ufeff\n\n" + text + "\n \n") == record
    assert text.encode().decode() == text
    assert all(c.isprintable() or c == "\n" for c in text)
    assert format_record(parse_record(text)) == text


@SETTINGS
@given(st.lists(any_record(), max_size=4))
def test_one_text_may_contain_many_records(many: list[Record]) -> None:
    assert records.parse_records(records.format_records(many)) == many


def test_a_text_is_split_into_records_that_are_not_read() -> None:
    one, two = HEAD + "\nc2\n*", HEAD + "broken *"
    parts = records.split_records(f"\ufeff{one}\n{two}\n\n\n{one}\n")
    assert [number for number, _ in parts] == [1, 9, 17]
    assert [len(records.parse_records(text)[0].moves) for _, text in parts[::2]] == [1, 1]
    with pytest.raises(BadRecord, match="Line 14: At ply 0"):
        records.parse_records(parts[1][1], parts[1][0])


@SETTINGS
@given(st.text() | st.text(alphabet='[]"Game Size2x\\{}.*1-0ab\n', max_size=80))
def test_any_text_parses_or_raises_bad_record(text: str) -> None:
    try:
        records.parse_records(text)
    except BadRecord as error:
        assert str(error).startswith("Line ")  # noqa: PT017


@SETTINGS
@given(any_record(), st.data())
def test_a_damaged_record_parses_or_raises_bad_record(record: Record, data: st.DataObject) -> None:
    text = format_record(record)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 8)))
    damaged = text[:start] + data.draw(st.text(max_size=5)) + text[end:]
    try:
        again = parse_record(damaged)
    except BadRecord as error:
        assert str(error).endswith(".")  # noqa: PT017
    else:
        assert parse_record(format_record(again)) == again


def test_the_text_of_a_record() -> None:
    record = finished(
        opening=(0,),
        date="2024-05-01T12:00:00Z",
        time_control="60+1",
        result="0-1",
        termination="resigned",
        players=('Ann "the box"', "Bob\nSmith"),
        tags=(("Event", "Club night"),),
        moves=(RecordedMove(8, 59_250), RecordedMove(2), RecordedMove(1, 5)),
    )
    assert format_record(record) == dedent("""\
        [Game "dots-and-boxes"]
        [Size "2x2"]
        [Seat0 "Ann \\"the box\\""]
        [Seat1 "Bob\\nSmith"]
        [Date "2024-05-01T12:00:00Z"]
        [TimeControl "60+1"]
        [Result "0-1"]
        [Termination "resigned"]
        [Opening "b5"]
        [Event "Club night"]

        1. e4 {59.250} 2. b3 3. d5 {0.005} 0-1
        """)


def test_turns_are_numbered_not_plies() -> None:
    body = format_record(finished("c2 a2 b3 b1 d3 e2")).split("\n\n")[1]
    assert body == "1. c2 2. a2 3. b3 4. b1 d3 5. e2 *\n"
    long = Record(DotsAndBoxes(), ("", ""), tuple(map(RecordedMove, range(60))))
    lines = format_record(long).split("\n\n")[1].splitlines()
    assert len(lines) > 2
    assert max(map(len, lines)) <= records.WIDTH


def test_words_that_are_longer_than_a_line_are_not_cut() -> None:
    class Wordy(DotsAndBoxes):
        def action_name(self, action: int) -> str:
            return f"{super().action_name(action)}-" + "o" * (7 * action % 97)

        action_names = Game.action_names

    game = Wordy()
    for count in range(0, 61, 4):
        record = Record(game, ("", ""), tuple(map(RecordedMove, range(count))))
        assert format_record(record) == plain_text(record)


def test_the_example_in_the_documentation_is_a_record() -> None:
    assert records.__doc__ is not None
    example = records.__doc__.split("::\n\n")[1].split("\n\nMoves are")[0]
    record = parse_record(dedent(example))
    assert record.players == ("Ann", 'Bob "Box"')
    assert record.final_state().scores() == (0, 1)
    assert format_record(record) == dedent(example) + "\n"


def test_the_final_state_follows_the_moves() -> None:
    assert finished().final_state().is_terminal()
    assert finished("c2").final_state().ply == 1
    with pytest.raises(GameError, match="ply 1"):
        finished("c2 c2").final_state()


HEAD = '[Game "dots-and-boxes"]\n[Size "2x2"]\n[Seat0 "A"]\n[Seat1 "B"]\n[Result "*"]\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEAD, "Line 1: The record that begins here has no end."),
        (HEAD + "c2", "Line 1: The record"),
        ("c2 *", "Line 1: The header Game is missing."),
        (
            HEAD.replace('[Seat1 "B"]\n', "") + "*",
            "Line 5: The header Seat1 is missing.",
        ),
        (HEAD + '[Seat0 "C"]\n*', "Line 6: The header Seat0 occurs twice."),
        (HEAD + '[Date "2026-13-45"]\n*', "Line 6: '2026-13-45' is not a date"),
        (HEAD + "[Site here]\n*", "Line 6: A header looks like"),
        (HEAD + '[Site "a"b"]\n*', "Line 6: A header looks like"),
        (HEAD + '[Site "\\x"]\n*', "is not a valid escape"),
        (HEAD + '[Site "\\u12"]\n*', "is not a valid escape"),
        (HEAD + '[Site "\\Uffffffff"]\n*', "is not a valid escape"),
        (HEAD.replace("dots", "lots") + "*", "Line 6: There is no game"),
        (HEAD.replace("2x2", "2x99") + "*", "Line 6: Columns of boxes"),
        (HEAD.replace("2x2", "two") + "*", "is not a size"),
        (HEAD + '[Opening "a1"]\n*', "'a1' is not an edge"),
        (HEAD + '[Opening "a2 a2"]\n*', "twice"),
        (HEAD + "\nc2 a2\nc2 *", "Line 8: At ply 2: Edge c2 is drawn already."),
        (HEAD + "c3 *", "Line 6: At ply 0: 'c3' is not an edge"),
        (HEAD + "2. c2 *", "Line 6: The number 2. is out of place."),
        (HEAD + "1. 1. c2 *", "The number 1. is out of place."),
        (HEAD + "c2 2. *", "No move follows"),
        (HEAD + "1. c2 1. a2 *", "The number 1. is out of place."),
        (HEAD + "{1.000} c2 *", "follows no move"),
        (HEAD + "c2 {1.000} {1.000} *", "follows no move"),
        (HEAD + "c2 2. {1.000} a2 *", "follows no move"),
        (HEAD + "c2 {1.0} *", "A clock looks like"),
        (HEAD + "c2 {good} *", "comments are not supported"),
        (HEAD + "c2 1-0", "Line 6: The moves end with 1-0 but the header says '*'."),
        (HEAD + "c2 * a2", "'a2' follows the result."),
        (HEAD + '*\n[Site "x"]', "Line 7: The record that begins here has no end."),
        (HEAD + '[Termination "completed"]\nc2 *', "the game is not over"),
        ("", "has 0 records"),
        ((HEAD + "*\n") * 2, "has 2 records"),
    ],
)
def test_faults_are_reported_with_their_line(text: str, words: str) -> None:
    with pytest.raises(BadRecord) as caught:
        parse_record(text)
    assert words in str(caught.value)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (finished(termination="completed", result="1/2-1/2"), "ended "),
        (finished("c2", termination="completed"), "the game is not over"),
        (finished(result="2-0"), "is not a result"),
        (finished("c2 c2"), "ply 1"),
        (finished(opening=(99,)), "not an edge"),
        (finished(tags=(("Game", "x"),)), "name of a tag"),
        (finished(tags=(("a b", "x"),)), "name of a tag"),
        (finished(tags=(("é", "x"),)), "name of a tag"),
        (finished(moves=(RecordedMove(0, -1),)), "clock"),
        (finished(moves=(RecordedMove(0, 10**12),)), "clock"),
        (finished(moves=(RecordedMove(0, 1.5),)), "clock"),
    ],
)
def test_invalid_records_are_not_written(record: Record, words: str) -> None:
    with pytest.raises(BadRecord, match=words):
        format_record(record)


def test_plain_numbers_and_missing_turn_numbers_are_read() -> None:
    assert parse_record(HEAD + "8 2. a2\n b1 *").moves == tuple(map(RecordedMove, (8, 9, 4)))


def test_a_drawn_game_of_tic_tac_toe() -> None:
    record = Record(
        TicTacToe(),
        ("X", "O"),
        tuple(map(RecordedMove, (0, 1, 2, 4, 3, 5, 7, 6, 8))),
        result="1/2-1/2",
        termination="completed",
    )
    assert parse_record(format_record(record)) == record
