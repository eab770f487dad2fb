"""Tests for the advice process: its advice, its queue of questions, and the process itself."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from random import Random
from typing import Any

import psutil
import pytest

from doublecross.analysis.advice import Advice
from doublecross.analysis.as_json import phrase_fields
from doublecross.analysis.sentences.templates import phrase
from doublecross.bots.advising import adviser, questions
from doublecross.bots.advising.adviser import Thinker
from doublecross.bots.advising.questions import InvalidQuestion, QuestionQueue, read_question
from doublecross.bots.api import BotError, NeverStop
from doublecross.bots.minimax import minimax
from doublecross.games.api import State
from doublecross.games.api.sentence import Sentence
from doublecross.games.registry import game_class
from doublecross.processes.child import Child, Message
from tests.bots.running import until

DOTS, MARKS = "dots-and-boxes", "tic-tac-toe"
ANSWER_S = 20.0
BUSY_S = 0.2
"""Seconds of computing after which the process is inside a search."""


def question(number: int, key: str, size: str, *moves: int, **more: Any) -> Message:
    return {
        "id": number,
        "game": key,
        "params": dict(game_class(key).parse_size(size)),
        "opening": [],
        "moves": list(moves),
        "seconds": 1.0,
        **more,
    }


def position(key: str, size: str, *moves: int, opening: tuple[int, ...] = ()) -> State:
    kind = game_class(key)
    return kind(kind.parse_size(size)).replay(opening, moves)


def advise(state: State, seconds: float = 2.0, thinker: Thinker | None = None) -> Advice:
    return (thinker or Thinker()).advise(state, seconds, NeverStop())


def by_minimax(state: State) -> tuple[float, set[int]]:
    """Return the final net score of the mover, and all actions that lead to it."""
    mover, values = state.current_player(), {}
    for action in state.legal_actions():
        state.apply(action)
        values[action] = minimax(state, root=mover).value
        state.undo()
    net = max(value for value in values.values() if value is not None)
    return net, {action for action, value in values.items() if value == net}


# -- what is advised ---------------------------------------------------------------------------


@pytest.mark.parametrize("size", ["3x3", "8x8"])
def test_the_end_of_dots_and_boxes_is_known_with_all_best_edges(size: str) -> None:
    rng, thinker = Random(size), Thinker()
    unequal = 0
    for _ in range(8):
        state = position(DOTS, size)
        while len(state.legal_actions()) > 7:
            state.apply(rng.choice(state.legal_actions()))
        before = state.serialize()
        advice = advise(state, thinker=thinker)
        net, best = by_minimax(state)
        assert state.serialize() == before
        assert (advice.net, advice.exact) == (net, True)
        assert advice.best
        assert len(set(advice.best)) == len(advice.best)
        assert set(advice.best) == best
        unequal += len(best) < len(state.legal_actions())
    assert unequal


def test_a_book_position_is_exact_and_quick() -> None:
    advice = advise(position(DOTS, "4x4"), 0.4)
    assert (advice.net, advice.exact) == (0.0, True)


@pytest.mark.parametrize("size", ["5x5", "8x8"])
def test_the_beginning_of_a_large_board_is_an_estimate(size: str) -> None:
    state = position(DOTS, size)
    advice = advise(state, 0.3)
    assert not advice.exact
    assert len(advice.best) == 1
    assert state.is_legal(advice.best[0])
    assert abs(advice.net) <= len(state.owners())


def test_boxes_captured_before_count() -> None:
    # Seat 0 has taken the one box of three and moves on: each of the others gives the last away.
    state = position(DOTS, "1x3", 6, 7, 0, 3)
    mover = state.current_player()
    assert state.scores()[1 - mover] == 0
    assert state.scores()[mover] == 1
    assert advise(state).net == by_minimax(state)[0]


def test_the_soonest_win_comes_first() -> None:
    # X has a1 and b1; at c1 it wins at once, and by other ways later.
    state = position(MARKS, "3x3x3", 0, 3, 1, 8)
    advice = advise(state)
    net, best = by_minimax(state)
    assert (advice.net, advice.exact) == (1.0, True) == (net, True)
    assert set(advice.best) == best
    assert len(best) > 1
    assert advice.best[0] == 2


def test_the_latest_loss_comes_first() -> None:
    state = position(MARKS, "3x3x3", 0, 1, 3)
    advice = advise(state)
    assert (advice.net, advice.exact) == (-1.0, True)
    assert set(advice.best) == set(state.legal_actions())
    assert advice.best[0] == 6


def test_the_start_of_a_drawn_game_is_a_draw() -> None:
    advice = advise(position(MARKS, "3x3x3"))
    assert advice == Advice(tuple(range(9)), 0.0, exact=True)


def test_a_large_game_of_marks_is_searched_and_a_threat_is_met() -> None:
    # O has four in the first row, between X and a free cell.
    state = position(MARKS, "6x6x5", 0, 1, 30, 2, 32, 3, 34, 4)
    assert len(state.legal_actions()) > adviser.FEW
    assert advise(state, 0.3).best[0] == 5


def test_one_thinker_handles_different_boards() -> None:
    thinker = Thinker()
    for _ in range(2):
        assert advise(position(DOTS, "3x3"), thinker=thinker).net == -3.0
        assert advise(position(DOTS, "2x2"), thinker=thinker).net == 2.0
        assert advise(position(MARKS, "3x3x3", 0), thinker=thinker).best == (4,)
        assert advise(position(DOTS, "8x8"), 0.1, thinker=thinker).best
        assert advise(position(MARKS, "4x4x4"), 0.1, thinker=thinker).best


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise BotError(f"Bot {name} needs the package numba.")

    monkeypatch.setattr(adviser, "bot_class", missing)
    with pytest.raises(BotError, match="numba"):
        advise(position(DOTS, "3x3"))
    assert advise(position(MARKS, "3x3x3", 0)).best == (4,)


# -- what a question is ------------------------------------------------------------------------

GOOD: Message = question(4, DOTS, "2x2", 0, 1)
CHANGES: list[tuple[Message, int | None, str]] = [
    ({"id": "4"}, None, questions.NO_ID),
    ({"id": True}, None, questions.NO_ID),
    ({"game": None}, 4, "The game of a question must be a text."),
    ({"game": "chess"}, 4, "There is no game 'chess'"),
    ({"params": [3, 3]}, 4, "The params of a question must be an object."),
    ({"params": {"rows": "3"}}, 4, ""),
    ({"params": {"rows": 99}}, 4, ""),
    ({"opening": 3}, 4, "The opening of a question must be a list."),
    ({"opening": [[0]]}, 4, ""),
    ({"moves": None}, 4, "The moves of a question must be a list."),
    ({"moves": [0, 0]}, 4, "At ply 1: "),
    ({"moves": ["a2"]}, 4, "At ply 0: "),
    ({"moves": list(range(12))}, 4, questions.GAME_OVER),
    ({"ask": "why"}, 4, questions.BAD_KIND),
    ({"ask": None}, 4, questions.BAD_KIND),
    ({"ask": []}, 4, questions.BAD_KIND),
    ({"seconds": 0}, 4, questions.BAD_SECONDS),
    ({"seconds": -1}, 4, questions.BAD_SECONDS),
    ({"seconds": True}, 4, questions.BAD_SECONDS),
    ({"seconds": "1"}, 4, questions.BAD_SECONDS),
    ({"seconds": float("nan")}, 4, questions.BAD_SECONDS),
    ({"seconds": float("inf")}, 4, questions.BAD_SECONDS),
]
BAD_LINES = [
    (b"", None, questions.NOT_JSON),
    (b"what?", None, questions.NOT_JSON),
    (b"\xff\xfe\xff", None, questions.NOT_JSON),
    (b"[" * 100_000, None, questions.NOT_JSON),
    (b"[1]", None, questions.NOT_JSON),
    (b"{}", None, questions.NO_ID),
    *(
        (json.dumps(GOOD | change).encode(), number, sentence)
        for change, number, sentence in CHANGES
    ),
]


def test_a_question_is_read() -> None:
    asked = read_question(json.dumps(GOOD | {"opening": [5]}).encode())
    assert asked.number == 4
    assert asked.state.serialize() == "5/0,1"
    assert asked.state.game.size == "2x2"
    assert asked.seconds == 1.0
    assert not asked.stop.is_set()


@pytest.mark.parametrize(("line", "number", "sentence"), BAD_LINES)
def test_an_invalid_question_gets_a_sentence(
    line: bytes, number: int | None, sentence: str
) -> None:
    with pytest.raises(InvalidQuestion, match=r"^[A-Z].*\.$") as failure:
        read_question(line)
    assert failure.value.number == number
    assert str(failure.value).startswith(sentence)


# -- one at a time -----------------------------------------------------------------------------


class RecordedQueue:
    """A queue of questions that collects the answers."""

    def __init__(self) -> None:
        self._out: list[Message] = []
        self.questions = QuestionQueue(self._out.append)

    def put(self, number: int) -> None:
        self.questions.put(json.dumps(GOOD | {"id": number}).encode())

    def take(self) -> questions.AdviceQuestion:
        found = self.questions.take()
        assert found is not None
        return found

    def answers(self) -> list[Message]:
        """Return the answers since the last call."""
        answers = [*self._out]
        self._out.clear()
        return answers


def newer(number: int) -> Message:
    return {"what": "problem", "id": number, "sentence": questions.NEWER}


def test_only_the_newest_waiting_question_is_taken() -> None:
    queue = RecordedQueue()
    for number in (1, 2, 3):
        queue.put(number)
    assert queue.answers() == [newer(1), newer(2)]
    taken = queue.take()
    assert (taken.number, taken.stop.is_set()) == (3, False)
    queue.questions.answer(Advice((7, 2), -1.5, False, Sentence("It is safe.")))
    told = {
        "best": [7, 2],
        "net": -1.5,
        "exact": False,
        "phrase": phrase_fields(Sentence("It is safe.")),
    }
    assert queue.answers() == [{"what": "advice", "id": 3, **told}]


def test_a_newer_question_stops_the_current_one() -> None:
    queue = RecordedQueue()
    queue.put(1)
    first = queue.take()
    queue.put(2)
    assert first.stop.is_set()
    assert queue.answers() == []
    queue.questions.answer(Advice((7,), 0.0, exact=True))
    assert queue.answers() == [newer(1)]
    second = queue.take()
    assert (second.number, second.stop.is_set()) == (2, False)
    queue.questions.answer("There was no time.")
    assert queue.answers() == [{"what": "problem", "id": 2, "sentence": "There was no time."}]


def test_an_invalid_question_stops_nothing() -> None:
    queue = RecordedQueue()
    queue.put(1)
    first = queue.take()
    queue.questions.put(b"what?")
    assert queue.answers() == [{"what": "problem", "id": None, "sentence": questions.NOT_JSON}]
    assert not first.stop.is_set()


def test_no_question_is_taken_after_the_end() -> None:
    queue = RecordedQueue()
    queue.put(1)
    first = queue.take()
    queue.put(2)
    queue.questions.end()
    assert first.stop.is_set()
    assert queue.questions.take() is None


def test_the_end_wakes_a_waiting_reader() -> None:
    queue = RecordedQueue()
    taken: list[questions.AdviceQuestion | None] = []
    waiting = threading.Thread(target=lambda: taken.append(queue.questions.take()))
    waiting.start()
    queue.questions.end()
    waiting.join(ANSWER_S)
    assert taken == [None]


# -- the process -------------------------------------------------------------------------------


@pytest.fixture
async def child(fork_server: None) -> AsyncIterator[Child]:
    child = await Child.start(
        "The process that thinks",
        "doublecross.bots.advising.adviser",
        on_error_line=lambda line: None,
    )
    yield child
    await child.stop()


async def next_message(child: Child) -> Message:
    async with asyncio.timeout(ANSWER_S):
        return await child.expect()


def write(child: Child, line: bytes) -> None:
    """Send a line that need not be JSON."""
    child._pipes.input.write(line + b"\n")


async def test_positions_of_known_value(child: Child) -> None:
    child.send(question(1, DOTS, "3x3", seconds=5.0))
    assert await next_message(child) == {
        "what": "advice",
        "id": 1,
        "best": list(range(24)),
        "net": -3.0,
        "exact": True,
        "phrase": phrase_fields(phrase("is-safe", move="b7", count=23)),
    }
    child.send(question(2, MARKS, "3x3x3", 0, 3, 1, 4))
    assert await next_message(child) == {
        "what": "advice",
        "id": 2,
        "best": [2],
        "net": 1.0,
        "exact": True,
        "phrase": phrase_fields(phrase("wins", move="c3")),
    }


async def test_a_newer_question_stops_an_older_one(child: Child) -> None:
    child.send(question(1, MARKS, "3x3x3"))
    assert (await next_message(child))["id"] == 1
    process = psutil.Process(child.pid)
    before = process.cpu_times().user
    child.send(question(2, DOTS, "4x5", seconds=30.0))
    await until(lambda: process.cpu_times().user > before + BUSY_S)
    child.send(question(3, MARKS, "3x3x3", 0))
    async with asyncio.timeout(3.0):
        assert await child.expect() == newer(2)
        answer = await child.expect()
    assert (answer["what"], answer["id"], answer["best"]) == ("advice", 3, [4])


async def test_an_invalid_question_does_no_harm(child: Child) -> None:
    lines = [*BAD_LINES, (b'{"id": "' + b"x" * 3_000_000, None, questions.NOT_JSON)]
    for line, number, sentence in lines:
        write(child, line)
        answer = await next_message(child)
        assert (answer["what"], answer["id"]) == ("problem", number)
        assert answer["sentence"].startswith(sentence)
    child.send(question(9, MARKS, "3x3x3", 0))
    assert (await next_message(child))["best"] == [4]


@pytest.mark.parametrize("busy", [False, True])
async def test_it_ends_when_its_input_closes(child: Child, busy: bool) -> None:
    child.send(question(1, MARKS, "3x3x3"))
    assert (await next_message(child))["what"] == "advice"
    process = psutil.Process(child.pid)
    if busy:
        before = process.cpu_times().user
        child.send(question(2, DOTS, "4x5", seconds=30.0))
        await until(lambda: process.cpu_times().user > before + BUSY_S)
    child._pipes.input.close()
    async with asyncio.timeout(4.0):
        while await child.receive() is not None:
            pass
        assert await child.how_it_ended() == "ended with exit code 0"
    assert child.last_error_line == ""
