"""What makes lessons true: each statement in a file that is false gets its sentence."""

from __future__ import annotations

from typing import Any

import pytest

from doublecross.analysis.course.checks import alike, faults
from tests.analysis.course.lessons import OPENED, TWO_CHAINS, exercise, judge, read

LOOP = "b5 d5 a4 a2 b1 d1 e4 e2"


def said(kind: str, size: str, drawn: str, **more: Any) -> list[str]:
    return faults(read(exercise(kind, size, drawn, **more)), judge)


def test_a_true_lesson_has_no_faults() -> None:
    wrong = [{"move": "takes", "say": "Leave two."}, {"edges": "a4", "say": "Take."}]
    assert said("best", "3x3", OPENED, best="c6", value=5, moves=2, wrong=wrong) == []
    assert said("play", "3x3", OPENED, value=5, least=3) == []
    assert said("count", "3x3", TWO_CHAINS, what="long chains", answer=2) == []
    assert said("count", "3x3", TWO_CHAINS, what="your boxes", answer=2) == []
    assert said("find", "1x3", "b3 b1 d1", what="safe") == []
    steps = [{"edge": "a6"}, {"edge": "e6", "cost": 1}]
    assert said("watch", "3x3", TWO_CHAINS, steps=steps) == []


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        ({"value": 3}, "ends at +5, not at +3"),
        ({"best": "c6 e6"}, "the best moves are c6, not c6 e6"),
        (
            {"wrong": [{"edges": "c6", "say": "No."}]},
            "c6 is called wrong, but it is always right",
        ),
        ({"wrong": [{"move": "safe", "say": "No."}]}, 'nobody ever reads "No."'),
        (
            {"wrong": [{"move": "leaves", "say": "A."}, {"edges": "a4", "say": "Late."}]},
            'nobody ever reads "Late."',
        ),
        ({"wrong": [{"number": 3, "say": "No."}]}, "only where the learner counts"),
    ],
)
def test_a_false_statement_about_moves(bad: dict[str, Any], sentence: str) -> None:
    fields = {"best": "c6", "value": 5, "moves": 1, **bad}
    assert sentence in " ".join(said("best", "3x3", OPENED, **fields))


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (("play", "3x3", OPENED, {"value": 5, "least": 7}), "nobody can reach +7"),
        (("best", "2x2", LOOP, {"best": "b3 d3 c4 c2", "value": -4}), "no move is wrong"),
        (("count", "3x3", OPENED, {"what": "long chains", "answer": 3}), "is 1, not 3"),
        (("count", "3x3", TWO_CHAINS, {"what": "your boxes", "answer": 3}), "is 2, not 3"),
        (
            (
                *("count", "2x2", LOOP),
                {"what": "loops", "answer": 1, "wrong": [{"number": 1, "say": "No."}]},
            ),
            "1 is called wrong, but it is right",
        ),
        (("find", "3x3", OPENED, {"what": "safe"}), "no edge is of the kind safe"),
        (("find", "2x2", LOOP, {"what": "opens-loop"}), "every edge is of the kind"),
        (
            ("watch", "3x3", OPENED, {"steps": [{"edge": "e6"}]}),
            "step 1 (e6) costs 1 boxes, not 0",
        ),
    ],
)
def test_other_false_statements(found: tuple[Any, ...], sentence: str) -> None:
    kind, size, drawn, fields = found
    assert sentence in " ".join(said(kind, size, drawn, **fields))


def test_two_exercises_with_mirrored_positions_are_alike() -> None:
    first = exercise("count", "2x2", "b5 a4", what="chains", answer=1)
    mirrored = exercise("count", "2x2", "e2 d1", what="chains", answer=1, id="two")
    other = exercise("count", "2x2", "b5 a2", what="chains", answer=0, id="three")
    assert alike([read(first, mirrored)]) == [
        "test/two has the same position as test/one, perhaps mirrored; use another."
    ]
    assert alike([read(first, other)]) == []
