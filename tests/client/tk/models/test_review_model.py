"""Check the review of a record: stepping, clocks, texts, and records with odd contents."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doublecross.client.tk.models.board.model import BoardChanges
from doublecross.client.tk.models.records import count_line, game_rows, matching
from doublecross.client.tk.models.review import AGAIN_S, MOVE_S, ReviewModel
from doublecross.client.tk.models.summary import LONGEST, MOST_TAGS, Fact, date_line, shown
from doublecross.client.tk.widgets.plot.scale import nice_step
from doublecross.games.api import Feature, State
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState
from doublecross.games.record import Record, RecordedMove
from doublecross.games.tic_tac_toe.rules import TicTacToe
from tests.games.test_record import SETTINGS, any_record, finished

ENDS = [0, 1, 2, 3, 5, 6, 8, 9, 11, 12]
"""Plies after which the turns of `finished` end, the start included."""
NETS = (0, 0, 0, 0, -1, -1, -1, -2, -2, -2, -3, -3, -2)


def model(**changes: object) -> ReviewModel:
    return ReviewModel(finished(**changes))


def played(game: str, names: str, **changes: object) -> Record:
    kinds = {"ttt": TicTacToe, "dots": DotsAndBoxes}
    kind = kinds[game]()
    moves = tuple(RecordedMove(kind.parse_action(name)) for name in names.split())
    return replace(Record(kind, ("Ann", "Bob"), moves), **changes)  # type: ignore[arg-type]


# -- stepping ----------------------------------------------------------------------------------


def test_it_begins_at_the_start() -> None:
    review = model()
    assert (review.ply, review.total) == (0, 12)
    assert review.board.moves == ()
    assert not review.scored


def test_steps_stay_within_the_game() -> None:
    review = model()
    review.step(-1)
    assert review.ply == 0
    changes = review.step(1)
    assert changes == BoardChanges((review.replay.actions[0],), ((),))
    review.go(99)
    assert review.ply == 12
    assert review.board.state.is_terminal()
    review.step(1)
    assert review.ply == 12
    assert review.step(-1).rebuilt
    assert review.board.moves == review.replay.actions[:11]


def test_steps_by_turn_stop_where_turns_end() -> None:
    review = model()
    assert [0, *(turn.moves[-1][0] for turn in review.replay.turns)] == ENDS
    forward = []
    for _ in range(len(ENDS) + 1):
        forward.append(review.ply)
        review.step_turn(1)
    assert forward == [*ENDS, 12]
    backward = []
    for _ in range(len(ENDS) + 1):
        backward.append(review.ply)
        review.step_turn(-1)
    assert backward == [*reversed(ENDS), 0]


def test_a_step_by_turn_from_inside_a_turn_goes_to_its_ends() -> None:
    review = model()
    review.go(10)
    review.step_turn(-1)
    assert review.ply == 9
    review.go(10)
    review.step_turn(1)
    assert review.ply == 11


def test_moves_are_named_and_numbered_by_turn() -> None:
    review = model()
    turn = review.replay.turns[3]
    assert (turn.number, turn.seat) == (4, 1)
    assert turn.moves == ((4, "b1"), (5, "d3"))
    review.go(5)
    assert review.position_line == "Move 5 of 12: Bob d3"
    review.go(0)
    assert review.position_line == "Start"


def test_the_start_after_an_opening_says_so() -> None:
    game = DotsAndBoxes({"rows": 1, "cols": 1})
    review = ReviewModel(Record(game, ("Ann", "Bob"), (RecordedMove(1),), opening=(0,)))
    assert review.position_line == "After the opening"
    assert Fact("Opening", game.action_name(0)) in review.summary.facts


# -- what was when -----------------------------------------------------------------------------


@SETTINGS
@given(any_record(), st.randoms(use_true_random=False))
def test_every_position_is_that_of_the_rules(record: Record, rng: Random) -> None:
    review = ReviewModel(record)
    assert len(review.replay.nets) == review.total + 1
    plies = list(range(review.total + 1))
    rng.shuffle(plies)
    for ply in plies[:12]:
        review.go(ply)
        state = record.game.replay(record.opening, review.replay.actions[:ply])
        first, second = state.scores()
        assert review.replay.nets[ply] == first - second
        assert review.board.state.key() == state.key()
        shown = [first, second] if record.game.unit else [None, None]
        assert [review.player(seat).score for seat in (0, 1)] == shown
        if ply < review.total:
            assert review.replay.movers[ply] == state.current_player()
            assert review.player(state.current_player()).to_move
        else:
            assert not any(review.player(seat).to_move for seat in (0, 1))


@SETTINGS
@given(any_record())
def test_every_valid_record_can_be_shown(record: Record) -> None:
    review = ReviewModel(record)
    texts = [
        *(review.summary.title, review.summary.time, review.summary.when, review.summary.file_name),
        *(
            review.summary.outcome.headline,
            review.summary.outcome.why,
            review.summary.outcome.score,
        ),
        *(fact.text for fact in review.summary.facts if fact.label != "Opening"),
    ]
    for ply in (0, review.total // 2, review.total):
        review.go(ply)
        for seat in (0, 1):
            player = review.player(seat)
            texts += [player.name, player.engine]
            assert player.name
        texts.append(review.position_line)
        assert all(review.initials)
    for text in texts:
        assert text.isprintable()
        assert len(text) <= LONGEST


def test_the_net_score_is_that_of_seat_0() -> None:
    review = model()
    assert review.replay.nets == NETS
    for ply in range(1, 13):
        review.go(ply)
        before, after = review.replay.nets[ply - 1], review.replay.nets[ply]
        assert review.scored == (before != after)
        if review.scored:
            assert (after > before) == (review.replay.movers[ply - 1] == 0)


def with_clocks(clocks: str, **changes: object) -> ReviewModel:
    record = finished(**changes)
    left = [None if text == "-" else int(text) for text in clocks.split()]
    left += [None] * (len(record.moves) - len(left))
    moves = tuple(replace(m, clock_ms=ms) for m, ms in zip(record.moves, left, strict=True))
    return ReviewModel(replace(record, moves=moves))


def clocks_at(review: ReviewModel, ply: int) -> list[str | None]:
    review.go(ply)
    faces = (review.player(seat).clock for seat in (0, 1))
    return [None if face is None else face.text for face in faces]


def test_clocks_begin_with_the_base_and_follow_the_mover() -> None:
    review = with_clocks("59000 58000 9500", time_control="60+1")
    assert clocks_at(review, 0) == ["1:00", "1:00"]
    assert clocks_at(review, 1) == ["0:59", "1:00"]
    assert clocks_at(review, 2) == ["0:59", "0:58"]
    assert clocks_at(review, 3) == ["9.5", "0:58"]
    assert clocks_at(review, 12) == ["9.5", "0:58"]
    low = review.player(0).clock
    assert low is not None
    assert low.low
    assert not low.runs


def test_an_unknown_clock_is_not_shown() -> None:
    review = with_clocks("- 58000", time_control="as agreed")
    assert clocks_at(review, 1) == [None, None]
    assert clocks_at(review, 2) == [None, "0:58"]
    assert clocks_at(model(time_control="60+1"), 5) == [None, None]


# -- playing by itself -------------------------------------------------------------------------


def test_playback_is_faster_within_a_turn() -> None:
    review = model()
    review.play(100.0)
    assert review.playing
    assert review.tick(100.0) is None
    now, pauses = 100.0, []
    while review.playing:
        began = now
        while review.tick(now) is None:
            now += 0.01
        pauses.append(now - began)
    assert review.ply == 12
    assert len(pauses) == 12
    inside = [ply for turn in review.replay.turns for ply, _ in turn.moves[1:]]
    for ply, pause in enumerate(pauses[1:], 2):
        assert pause == pytest.approx(AGAIN_S if ply in inside else MOVE_S, abs=0.02)
    assert review.tick(now + 100) is None


def test_playback_at_the_end_restarts_from_the_beginning() -> None:
    review = model()
    review.go(12)
    review.play(0.0)
    assert (review.ply, review.playing) == (0, True)


def test_stopped_playback_stays_where_it_is() -> None:
    review = model()
    review.play(0.0)
    review.stop()
    assert review.tick(1000.0) is None
    assert review.ply == 0


def test_late_playback_does_not_catch_up() -> None:
    review = model()
    review.play(0.0)
    assert review.tick(50.0) is not None
    assert review.tick(50.0) is None
    assert review.ply == 1


def test_a_game_without_moves_does_not_play() -> None:
    review = ReviewModel(Record(DotsAndBoxes(), ("Ann", "Bob"), ()))
    review.play(0.0)
    assert not review.playing
    assert (review.replay.nets, review.replay.turns, review.total) == ((0,), (), 0)
    review.step_turn(1)
    review.step_turn(-1)
    assert review.ply == 0
    assert Fact("Length", "0 moves in 0 turns") in review.summary.facts


# -- what the record says ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("result", "termination", "headline", "why", "winner"),
    [
        ("1-0", "resigned", "Ann won", "Bob resigned", 0),
        ("0-1", "timeout", "Bob won", "Ann ran out of time", 1),
        ("0-1", "adjudicated", "Bob won", "decided by best play from there on", 1),
        ("1-0", "disconnect", "Ann won", "Bob stayed away", 0),
        ("0-1", "crash", "Bob won", "Ann's program failed: it broke", 1),
        ("1/2-1/2", "", "Draw", "", None),
        ("*", "aborted", "No result", "The match was called off", None),
        ("*", "", "Not finished", "", None),
        ("1-0", "by adjudication {0.__class__}", "Ann won", "by adjudication {0.__class__}", 0),
        ("*", "{}{1}{x", "Not finished", "{}{1}{x", None),
    ],
)
def test_how_it_ended(
    result: str, termination: str, headline: str, why: str, winner: int | None
) -> None:
    review = model(
        names="c2 a2", result=result, termination=termination, tags=(("Reason", "it broke"),)
    )
    outcome = review.summary.outcome
    assert (outcome.headline, outcome.why, outcome.winner) == (headline, why, winner)
    assert outcome.score == "0 : 0"


def test_a_completed_game_has_its_score() -> None:
    review = model()
    first, second = review.record.final_state().scores()
    result = "1-0" if first > second else "0-1" if second > first else "1/2-1/2"
    outcome = model(result=result, termination="completed").summary.outcome
    assert outcome.score == f"{max(first, second)} : {min(first, second)}"
    assert outcome.why == "played to the end"


def test_facts_list_what_the_record_contains() -> None:
    review = model(
        date="2026-11-21T09:56:17+00:00",
        time_control="300+3",
        result="1-0",
        termination="resigned",
        tags=(("Engine0", "rules 1"), ("Room", "y89")),
    )
    facts = {fact.label: fact.text for fact in review.summary.facts}
    assert facts == {
        "Seat A": "Ann",
        "Seat B": "Bob",
        "Game": "Dots and Boxes 2 × 2",
        "Date": date_line("2026-11-21T09:56:17+00:00"),
        "Time": "5 min + 3 s",
        "Result": "1-0",
        "Ended": "Bob resigned",
        "Length": "12 moves in 9 turns",
        "Engine0": "rules 1",
        "Room": "y89",
    }
    assert review.player(0).engine == "rules 1"
    assert review.player(1).engine == ""


def test_the_list_of_tags_is_cut() -> None:
    review = model(tags=tuple((f"T{n}", "x" * 10_000) for n in range(1000)))
    assert len(review.summary.facts) < MOST_TAGS + 10
    assert review.summary.facts[-1].text == f"and {1000 - MOST_TAGS} more"
    assert max(len(fact.text) for fact in review.summary.facts) == LONGEST


def test_control_characters_in_names_are_shown_harmlessly() -> None:
    review = model(players=("A\nB\u202eC\ud800", "   "))
    assert review.summary.names == ("A\ufffdB\ufffdC\ufffd", "?")
    assert model(players=("x" * 500, "Bob")).summary.names[0].endswith("…")


@pytest.fixture
def india(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A computer whose local time is five and a half hours ahead of UTC."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "IST-5:30")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("2026-11-21T09:56:17+00:00", "Nov 21, 2026, 3:26 PM"),
        ("2026-11-21T09:56:17Z", "Nov 21, 2026, 3:26 PM"),
        ("2026-11-21T00:30:00+02:00", "Nov 21, 2026, 4:00 AM"),
        ("2026-11-21T09:56", "Nov 21, 2026, 9:56 AM"),
        ("2026-11-21", "Nov 21, 2026"),
        ("0001-01-01T00:00:00+14:00", "0001-01-01T00:00:00+14:00"),
        ("yesterday", "yesterday"),
        ("", ""),
    ],
)
def test_dates(text: str, line: str, india: None) -> None:
    assert date_line(text) == line


@pytest.mark.parametrize(
    ("text", "line"),
    [("300+3", "5 min + 3 s"), ("unlimited", "no clock"), ("0/10", "10 s a move"), ("?", "?")],
)
def test_time_controls(text: str, line: str) -> None:
    assert model(time_control=text).summary.time == line


def test_a_file_name_is_plain() -> None:
    review = model(players=("Ann / ../etc", "Böb\n"), date="2026-11-21T09:56:17Z")
    assert review.summary.file_name == "Ann-etc-B-b-2026-11-21.txt"
    assert model(players=("", "…"), date="").summary.file_name == "record.txt"


def test_initials_are_the_marks_where_cells_are_played() -> None:
    assert ReviewModel(played("ttt", "b2 a1")).initials == ("X", "O")
    assert model(players=("Anna", "Bob")).initials == ("A", "B")
    assert model(players=("Anna", "Alex")).initials == ("An", "Al")


def test_features_are_offered_where_a_game_has_some(monkeypatch: pytest.MonkeyPatch) -> None:
    def features(state: State) -> tuple[Feature, ...]:
        return (Feature("chain", f"Chain at ply {state.ply}", (0,), (1,)),)

    assert not ReviewModel(played("ttt", "b2")).has_features
    monkeypatch.setattr(DotsAndBoxesState, "features", features, raising=False)
    review = model()
    review.go(3)
    assert review.has_features
    assert [feature.label for feature in review.features] == ["Chain at ply 3"]


# -- small things ------------------------------------------------------------------------------


def test_long_texts_are_cut_with_an_ellipsis() -> None:
    assert shown("abcdef", 6) == "abcdef"
    assert shown("abcdefg", 6) == "abcde…"
    assert shown("a\0b") == "a\ufffdb"


@given(st.integers(0, 10_000), st.integers(0, 50))
def test_steps_of_a_scale_are_few_and_round(span: int, most: int) -> None:
    step = nice_step(span, most)
    assert step >= 1
    assert span / step <= max(1, most)
    assert str(step).rstrip("0") in ("1", "2", "5")
    smaller = {"1": step // 2, "2": step // 2, "5": step * 2 // 5}[str(step).rstrip("0")]
    assert smaller == 0 or span / smaller > max(1, most)


# -- the list of a file's games ----------------------------------------------------------------


def test_rows_show_the_fields_of_each_record() -> None:
    records = [
        finished(date="2026-11-21T09:56:17Z", result="1/2-1/2"),
        played("ttt", "b2", result="0-1", termination="resigned"),
    ]
    first, second = game_rows(records)
    assert (first.number, first.players, first.result) == (1, "Ann – Bob", "½-½")
    assert (first.game, first.date) == ("Dots and Boxes 2 × 2", "Nov 21, 2026, 9:56 AM")
    assert (second.number, second.result) == (2, "0-1")


def test_rows_match_by_all_words() -> None:
    rows = game_rows(
        [
            finished(players=("Ann", "Bob"), result="1-0"),
            finished(players=("Carl", "Ann"), result="0-1", date="2026-11-05"),
            played("ttt", "b2", players=("Dora", "Émile"), termination="resigned"),
        ]
    )

    def numbers(text: str) -> list[int]:
        return [row.number for row in matching(rows, text)]

    assert numbers("") == numbers("  ") == [1, 2, 3]
    assert numbers("ann") == [1, 2]
    assert numbers("ANN carl") == [2]
    assert numbers("1-0") == [1]
    assert numbers("ann 0-1") == numbers("11-0") == [2]
    assert numbers("*") == numbers("–") == [3]
    assert numbers("1-0 0-1") == numbers("1/2-1/2") == []
    assert numbers("tic-tac") == numbers("émile") == numbers("resigned") == [3]
    assert numbers("ann tic-tac") == []
    assert numbers("nov 5,") == numbers("2026-11-05") == [2]


def test_the_number_of_records_is_shown() -> None:
    assert count_line(5000, 5000) == "5,000 games"
    assert count_line(3, 5000) == "3 of 5,000 games"
    assert count_line(0, 5000) == "No game has all of these words."
