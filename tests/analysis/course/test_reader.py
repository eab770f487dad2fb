"""Reading lessons: what is read, and one clear sentence for each fault."""

from __future__ import annotations

import json
from typing import Any

import pytest

from doublecross.analysis.course.reader import BadLesson, read_lesson
from doublecross.analysis.course.terms import Part, parts, plain
from tests.analysis.course.lessons import TERMS, exercise, lesson, read_one

CHAIN = "b3 d3 f3 b1 d1 f1 a2"


def test_an_exercise_is_read_with_the_numbers_of_its_edges() -> None:
    found = read_one(
        *("best", "1x3", CHAIN),
        best="c2",
        value=3,
        moves=2,
        wrong=[{"edges": "e2 g2", "say": "No."}, {"move": "leaves", "say": "Take."}],
    )
    game = found.position.game
    assert game.size == "1x3"
    assert found.best == (game.parse_action("c2"),)
    assert (found.length, found.value, found.seat) == (2, 3, 1)
    assert [wrong.move for wrong in found.wrong] == ["", "leaves"]
    assert found.wrong[0].edges == (game.parse_action("e2"), game.parse_action("g2"))
    assert found.position.state().ply == 7


def test_to_win_is_to_reach_the_value_unless_the_file_says_less() -> None:
    assert read_one("play", "1x3", CHAIN, value=3).least == 3
    assert read_one("play", "1x3", CHAIN, value=3, least=1).least == 1


GOOD = exercise("best", "1x3", CHAIN, best="c2", value=3)


def _with(**more: Any) -> dict[str, Any]:
    return {**GOOD, **more}


def _without(name: str) -> dict[str, Any]:
    return {key: value for key, value in GOOD.items() if key != name}


def _at(**more: Any) -> dict[str, Any]:
    return _with(position={**GOOD["position"], **more})


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        (_with(kind="guess"), "In exercise 1 (one), kind must be one of best, play, find"),
        (_without("task"), "Exercise 1 (one) has no task; add it."),
        (_without("best"), "Exercise 1 (one) has no best"),
        (_without("hints"), "has no hints"),
        (_with(hints=[]), "hints is empty"),
        (_with(answer=3), "has an unknown field 'answer'; it may have id, kind"),
        (_with(task=" "), "task must be text of 1 to"),
        (_with(task="x" * 601), "task must be text of 1 to"),
        (_with(task="See the [ladder]."), "marks [ladder], which the glossary does not explain"),
        (_with(value="3"), "value must be a whole number from -100 to 100, not '3'."),
        (_with(value=True), "value must be a whole number"),
        (_with(moves=0), "moves must be a whole number from 1"),
        (_with(best="z9"), "'z9' is not an edge of a board of 1x3 boxes."),
        (_with(best="c2 c2"), "best must name at least one edge, each once"),
        (_with(best=""), "best must name at least one edge"),
        (_with(best=7), "best must be names of edges in quotes"),
        (_with(wrong={}), "wrong must be a list"),
        (_with(wrong=[{"say": "No."}]), "In wrong answer 1 of exercise 1 (one), write exactly"),
        (_with(wrong=[{"say": "No.", "edges": "e2", "move": "takes"}]), "write exactly one of"),
        (_with(wrong=[{"say": "No.", "move": "jumps"}]), "move must be one of takes, declines"),
        (_at(game="go"), "game must be 'dots-and-boxes', not 'go'"),
        (_at(size="3"), "In the position of exercise 1 (one): "),
        (_at(size="big"), "'big' is not a size"),
        (_at(moves="b3 b3"), "At ply 1"),
        (_at(moves="b3 x9"), "'x9' is not an edge"),
        (_at(moves=CHAIN + " c2 e2 g2"), "the game is over; leave at least one edge free"),
        (_with(position=3), "The position of exercise 1 (one) must be an object in braces"),
        (3, "Exercise 1 must be an object in braces."),
        (exercise("count", "1x3", CHAIN, what="dust", answer=1), "what must be one of safe edges"),
        (exercise("find", "1x3", CHAIN, what="dust"), "what must be one of takes"),
        (
            exercise("watch", "1x3", CHAIN, steps=[{"edge": "c2"}, {"edge": "c2"}]),
            "In step 2 of exercise 1 (one)",
        ),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_a_fault_is_one_sentence_that_says_where(bad: Any, sentence: str) -> None:
    with pytest.raises(BadLesson) as failed:
        read_lesson("test", json.dumps(lesson(bad)), TERMS)
    assert sentence in str(failed.value)
    assert str(failed.value).endswith(".")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "The file is not JSON"),
        ("[]", "The lesson must be an object in braces."),
        (json.dumps(lesson(GOOD, title=3)), "In the lesson, title must be text"),
        (json.dumps(lesson(GOOD, GOOD)), "Two exercises have the id 'one'"),
        (json.dumps(lesson(GOOD, exercises=[GOOD] * 21)), "exercises must be a list of at most 20"),
    ],
)
def test_a_fault_of_the_whole_lesson(text: str, sentence: str) -> None:
    with pytest.raises(BadLesson) as failed:
        read_lesson("test", text, TERMS)
    assert sentence in str(failed.value)


def test_a_text_marks_terms() -> None:
    text = "Two [chain|long chains], one [loop]."
    assert parts(text) == (
        *(Part("Two "), Part("long chains", "chain"), Part(", one ")),
        *(Part("loop", "loop"), Part(".")),
    )
    assert plain(text) == "Two long chains, one loop."
    assert parts("No terms") == (Part("No terms"),)
