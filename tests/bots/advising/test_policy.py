"""Check the policy that the advice process reads from a network, and its place in the queue."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from doublecross.analysis.advice import Advice, Policy
from doublecross.analysis.as_json import values_to_json
from doublecross.analysis.judgement import Estimate
from doublecross.analysis.values import ActionValue, PositionValues
from doublecross.bots.advising import policy
from doublecross.bots.advising.policy import NO_POLICY, PolicyReader, has_policy
from doublecross.bots.advising.questions import NEWER, AdviceQuestion, QuestionQueue
from doublecross.bots.api import BotError
from doublecross.bots.zero.net import Net
from doublecross.bots.zero.planes import PLANES
from doublecross.bots.zero.reading import read_priors
from doublecross.games.dots_and_boxes.board import board
from doublecross.games.registry import make_game
from tests.bots.advising.test_adviser import position, question
from tests.bots.zero.tiny import GAME, save_net


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder in which the package looks for networks."""
    monkeypatch.setattr(policy, "shipped", lambda game: tmp_path / f"{game}.onnx")
    return tmp_path


def test_every_edge_that_can_matter_has_a_share(folder: Path) -> None:
    save_net(folder / "dots-and-boxes.onnx")
    assert has_policy("dots-and-boxes")
    shares = PolicyReader().read(position("dots-and-boxes", "3x3", 0, 5)).shares
    numbers = [share for _, share in shares]
    assert numbers == sorted(numbers, reverse=True)
    assert 0 < numbers[-1] <= numbers[0] < 1
    assert {edge for edge, _ in shares} <= set(range(24)) - {0, 5}
    assert len(shares) > 10


def test_of_two_equal_edges_the_free_one_has_the_prior(tmp_path: Path) -> None:
    size = board(3, 3)
    net = Net.load(save_net(tmp_path / "tiny.onnx"), GAME, PLANES)
    # The upper left corner has a drawn edge; whichever of the two that is, the other one is free.
    for corner in (0, 12):
        edges = 1 << corner | 1 << 16 | 1 << 3
        priors = read_priors(size, net, edges)
        assert all(not edges >> edge & 1 for edge in priors)
        assert (12 if corner == 0 else 0) in priors


def test_without_a_network_a_sentence_says_so(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not has_policy("dots-and-boxes")
    with pytest.raises(BotError, match=NO_POLICY):
        PolicyReader().read(make_game("dots-and-boxes").initial_state())
    save_net(folder / "dots-and-boxes.onnx")
    assert not has_policy("tic-tac-toe")
    with pytest.raises(BotError, match=NO_POLICY):
        PolicyReader().read(make_game("tic-tac-toe").initial_state())
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert not has_policy("dots-and-boxes")


def test_a_question_about_the_policy_ends_no_search_and_only_the_newest_waits() -> None:
    said: list[dict[str, Any]] = []
    queue = QuestionQueue(said.append)

    def put(number: int, **more: Any) -> None:
        queue.put(json.dumps(question(number, "dots-and-boxes", "2x2", **more)).encode())

    put(1)
    thinking = queue.take()
    assert thinking is not None
    put(2, ask="policy")
    put(3, ask="policy")
    assert said == [{"what": "problem", "id": 2, "sentence": NEWER}]
    assert not thinking.stop.is_set()
    queue.answer(Advice((4,), 1.0, exact=True))
    reading = queue.take()
    assert reading is not None
    assert reading.kind == "policy"
    put(4)  # a hint waits for the policy, which takes no time
    assert not reading.stop.is_set()
    queue.answer(Policy(((4, 0.5),)))
    assert [answer["what"] for answer in said[1:]] == ["advice", "policy"]
    assert said[2] == {"what": "policy", "id": 3, "shares": [[4, 0.5]]}
    hinted = queue.take()
    assert hinted is not None
    assert hinted.number == 4


def test_questions_of_different_kinds_leave_each_other_alone() -> None:
    said: list[dict[str, Any]] = []
    queue = QuestionQueue(said.append)

    def put(number: int, ask: str) -> None:
        queue.put(json.dumps(question(number, "dots-and-boxes", "2x2", ask=ask)).encode())

    def take() -> AdviceQuestion:
        found = queue.take()
        assert found is not None
        return found

    put(1, "values")
    first = take()
    put(2, "advice")
    put(3, "policy")
    assert not first.stop.is_set()
    put(4, "values")
    assert first.stop.is_set()
    put(5, "values")
    assert said.pop() == {"what": "problem", "id": 4, "sentence": NEWER}
    values = PositionValues(Estimate(1.5, 0.5), (ActionValue(3, Estimate(1.5, 0.5)),), (3,))
    queue.answer(values)
    assert said.pop() == {"what": "problem", "id": 1, "sentence": NEWER}
    # The policy takes no time; after it comes whoever has waited longest.
    assert [take().number for _ in range(3)] == [3, 2, 5]
    queue.answer(values)
    assert said.pop() == {"what": "values", "id": 5, "values": values_to_json(values)}
